"""`justesse audit …` with all its parts."""

from justesse.cli.audit_answer import answer, ask, next_
from justesse.cli.audit_app import app
from justesse.cli.audit_export import export
from justesse.cli.audit_extend import extend
from justesse.cli.audit_start import start
from justesse.cli.audit_status import report, status

app.command(start)
app.command(next_, name="next")
app.command(answer)
app.command(ask)
app.command(status)
app.command(report)
app.command(export)
app.command(extend)

__all__ = ["app"]
