"""Read the evaluation logs of language models as tables, one format per file.

`formats.py` lists the formats and recognises them by content. Every reader returns the same `LogRun` of `Sample`s
(`run.py`). `selection.py` picks task, filter and metric, `replies.py` finds refused and unparseable answers, and
`log_table.py` makes the table of labels and predictions that all verbs read. `pairing.py` lines up several logs.
No package of an evaluation harness is needed, and nothing in a log is ever executed.
"""
