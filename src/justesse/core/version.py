"""The version of the package and of the JSON it writes."""

__version__ = "0.1.0"
SCHEMA = 2
