"""Files that outlive a process: audits with every answer, on-line comparisons with every event (SQLite), data sheets.

`database_file.py` is what both kinds of SQLite files share. `audit_file.py` opens and checks an audit, `answers.py` is
the list of answers, `chain.py` their checksums, `settled.py` decides which answer counts, `migrations.py` opens older
files. `event_file.py` keeps the events of a comparison, `run_file.py` a run of a system that keeps learning.
`datasheet.py` reads and writes data sheets.
"""
