"""Tables of counts, results, errors and seeds. Needs only NumPy.

`tally.py` holds `Tally`, the table of counts that every statistic is computed from. `case.py` and `verdict.py`
describe two classifiers on the same rows and what a judge decides. `results.py` holds `Estimate`, `Interval` and the
result of a test. `errors.py` lists the exceptions.
"""
