"""Read files and data frames, find the columns, count the rows. The only code that sees rows.

`read.py` and `header.py` read files with DuckDB; `memory.py` takes arrays and data frames. `columns.py` decides which
column is the label, the prediction and so on. `count.py` turns all of it into a `Tally`; `scores.py` into arrays of
scores. Other files join the answers of several classifiers, prepare columns for models, and look for duplicates and
leaks.
"""
