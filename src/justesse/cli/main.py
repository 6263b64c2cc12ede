"""`justesse`: the door of the command line."""

import io
import os
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError

from justesse.cli.assess import assess
from justesse.cli.audit import app as audit
from justesse.cli.compare import compare
from justesse.cli.demo import demo
from justesse.cli.evaluate import evaluate
from justesse.cli.inspection import inspect
from justesse.cli.noise import app as noise
from justesse.cli.output import to_nobody
from justesse.cli.plan import app as plan
from justesse.cli.tournament import tournament
from justesse.core.errors import JustesseError
from justesse.core.version import __version__

app = App(
    name="justesse",
    help="How right a classifier is, how sure you can be, and whether it should replace the one you have.",
    version=__version__,
    help_format="plaintext",
)
app.command(evaluate)
app.command(compare)
app.command(tournament)
app.command(inspect)
app.command(assess)
app.command(audit)
app.command(noise)
app.command(plan)
app.command(demo)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; give 0 if it went well, 1 if the answer is no, 2 for bad usage or input."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without Unicode shows ? instead of failing
    try:
        found = app(sys.argv[1:] if arguments is None else arguments, exit_on_error=False, result_action="return_value")
        code = found if isinstance(found, int) else 0
        try:
            if sys.stdout:
                sys.stdout.flush()
        except BrokenPipeError:
            to_nobody()
        return code
    except JustesseError as error:
        print(f"justesse: {error}", file=sys.stderr)
        return 2
    except CycloptsError:
        return 2  # cyclopts has already said what is wrong
    except BrokenPipeError:
        to_nobody()
        return 0
    except OSError as error:
        print(f"justesse: the result cannot be written: {error.strerror or error}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 2
    except KeyboardInterrupt:
        print("justesse: stopped", file=sys.stderr)
        return 130


def run() -> None:
    sys.exit(main())
