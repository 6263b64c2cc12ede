"""What outlives a process: stores, audits with every answer, on-line comparisons with every event, data sheets.

A store holds many audits and evaluations in one database: `address.py` reads where it is, `database.py` opens it on
SQLite or PostgreSQL, `stored_audit.py` is what it holds, `store_migrations.py` opens older ones.

`database_file.py` is what all SQLite files share that hold one thing. `audit_file.py` opens and checks an audit,
`answers.py` is the list of answers, `chain.py` their checksums, `settled.py` decides which answer counts,
`migrations.py` opens older files. `event_file.py` keeps the events of a comparison, `run_file.py` a run of a system
that keeps learning. `datasheet.py` reads and writes data sheets.
"""
