"""The command line, one command per file: parse the options, call the verb, render the result.

`main.py` lists the commands. `delivery.py` holds the options about output that all commands share.
"""
