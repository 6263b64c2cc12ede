"""The exceptions of justesse, as a tree.

    JustesseError
    ├── InputError              the input cannot be used; the command line exits with 2
    │   ├── FileError           a file is missing, empty, truncated or of another kind than its ending
    │   ├── ColumnError         a column is missing, ambiguous or of the wrong type
    │   ├── ClassError          values cannot be class names
    │   ├── MissingValueError   labels or predictions are missing
    │   ├── WeightError         weights are negative, infinite or not numbers
    │   ├── ScoreError          values cannot be scores or probabilities
    │   ├── CostError           a cost table is incomplete, has unknown classes or the wrong shape
    │   └── OptionError         an option is outside its range
    └── MissingExtraError       an optional dependency is not installed

Every message says what is wrong, where, and what to do.
"""


class JustesseError(Exception):
    """Base class of all errors of justesse."""


class InputError(JustesseError, ValueError):
    """The input cannot be used."""


class FileError(InputError):
    """A file is missing, empty, truncated or of another kind than its ending."""


class ColumnError(InputError):
    """A column is missing, ambiguous or of the wrong type."""


class ClassError(InputError):
    """Values cannot be class names."""


class MissingValueError(InputError):
    """Labels or predictions are missing."""


class WeightError(InputError):
    """Weights are negative, infinite or not numbers."""


class ScoreError(InputError):
    """Values cannot be scores or probabilities."""


class CostError(InputError):
    """A cost table is incomplete, has unknown classes or the wrong shape."""


class OptionError(InputError):
    """An option is outside its range."""


class MissingExtraError(JustesseError, ImportError):
    """An optional dependency is not installed."""
