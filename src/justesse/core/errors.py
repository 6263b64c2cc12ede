"""What can go wrong, as a tree.

    JustesseError
    ├── InputError              what was given cannot be used; the command line exits with 2
    │   ├── FileError           a file that is missing, empty, truncated or not what its name says
    │   ├── ColumnError         a column that is absent, ambiguous or of the wrong type
    │   ├── ClassError          class names that cannot be class names
    │   ├── MissingValueError   labels or predictions that are not there
    │   ├── WeightError         weights that are negative, infinite or not numbers
    │   ├── ScoreError          scores or probabilities that cannot be ones
    │   ├── CostError           a cost table with holes, strangers or the wrong shape
    │   └── OptionError         an option outside its range
    └── MissingExtraError       an optional dependency that is not installed

Every message says what was needed, what came, and what to do next.
"""


class JustesseError(Exception):
    """Anything justesse refuses to do."""


class InputError(JustesseError, ValueError):
    """What was given cannot be used."""


class FileError(InputError):
    """A file is missing, empty, truncated or not what its name says."""


class ColumnError(InputError):
    """A column is absent, ambiguous or of the wrong type."""


class ClassError(InputError):
    """Class names that cannot be class names."""


class MissingValueError(InputError):
    """Labels or predictions that are not there."""


class WeightError(InputError):
    """Weights that are negative, infinite or not numbers."""


class ScoreError(InputError):
    """Scores or probabilities that cannot be ones."""


class CostError(InputError):
    """A cost table with holes, strangers or the wrong shape."""


class OptionError(InputError):
    """An option outside its range."""


class MissingExtraError(JustesseError, ImportError):
    """An optional dependency is not installed."""
