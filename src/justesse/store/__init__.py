"""Files that outlive a process: audits with every answer (SQLite), and data sheets.

`audit_file.py` opens and checks an audit, `answers.py` is the list of answers, `chain.py` their checksums,
`settled.py` decides which answer counts, `migrations.py` opens older files. `datasheet.py` reads and writes data
sheets.
"""
