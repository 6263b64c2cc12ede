"""Options, once: a command and its function take names, defaults and help from the same group.

A group is a dataclass. A command takes it as a whole, and each field becomes an option. The function has a keyword for
each field, with the same default, and its docstring repeats the text (`python docs/make/parameters.py` writes it there).
Texts name options as the command line does; in docstrings `--noise-rate` becomes `noise_rate`.
"""
