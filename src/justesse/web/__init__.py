"""The local web page: experts answer the questions of audits, owners follow them.

`app.py` puts the pages together, `routers/` has one file for each page. `shield.py` checks every request before its
body is read, `access.py` says who may use a route, `sessions.py` knows who sends it. `shelf.py` finds audits.
"""
