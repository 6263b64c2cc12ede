"""What a result shows, and how it is rendered.

`document.py` describes a result once: sentences, key figures, tables, charts. `writing.py` decides how numbers are
written. `result.py` is the protocol of all results. One renderer per medium: `terminal.py`, `html.py`, `markdown.py`,
`notebook.py`, `text.py`.
"""
