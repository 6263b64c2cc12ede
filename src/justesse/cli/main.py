"""`justesse`: the command line."""

import io
import os
import sys
import threading
import traceback
from collections.abc import Sequence

from cyclopts import App, CycloptsError, Parameter

from justesse.__main__ import run as run  # where scripts of earlier installs look for it
from justesse.cli.help import Help
from justesse.cli.old_names import today
from justesse.cli.output import complain, say, to_nobody
from justesse.cli.usage import usage_error, with_negative_rates
from justesse.cli.values import read_value
from justesse.core.errors import JustesseError
from justesse.core.version import __version__

# Where each command is, in the order of `justesse --help`; it is loaded when it is used.
COMMANDS = {
    "evaluate": "evaluate:evaluate",
    "evaluate-unlabelled": "evaluate_unlabelled:evaluate_unlabelled",
    "compare": "compare:compare",
    "compare-folds": "compare_folds:compare_folds",
    "compare-regression": "compare_regression:compare_regression",
    "tournament": "tournament:tournament",
    "inspect": "inspection:inspect",
    "assess": "assess:assess",
    "clean": "clean:clean",
    "recheck": "recheck:app",
    "ab": "ab:app",
    "audit": "audit:app",
    "noise": "noise:app",
    "annotators": "annotators:app",
    "lifelong": "lifelong:app",
    "llm-judge": "llm_judge:llm_judge",
    "plan": "plan:app",
    "dossier": "dossier:app",
    "serve": "serve:serve",
    "demo": "demo:demo",
    "--install-completion": "completion:install_completion",
}

app = App(
    name="justesse",
    help="How right a classifier is, how sure you can be, and whether it should replace the one you have.",
    version=__version__,
    help_format="plaintext",
    help_formatter=Help(),
    suppress_keyboard_interrupt=False,  # `main` answers it
    default_parameter=Parameter(negative="", converter=read_value),
)
for position, (name, place) in enumerate(COMMANDS.items()):
    app.command(f"justesse.cli.{place}", name=name, sort_key=position)


CRASHED, STOPPED_CODE = 70, 130
STOPPED = threading.Event()  # Ctrl-C was pressed, whatever the library under way made of it


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    0: fine. 1: the answer is no, or a check failed. 2: bad usage or input. 70: an unexpected error. 130: Ctrl-C.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without Unicode shows ? instead of failing
    words: list[str] = []
    try:
        words = with_negative_rates(today(sys.argv[1:] if arguments is None else arguments))
        if words[:1] in ([], ["--help"], ["-h"]):
            for name in COMMANDS:
                app[name]  # loads it, so that its first line of help is known
        returned = app(words, exit_on_error=False, print_error=False, result_action="return_value")
        code = returned if isinstance(returned, int) else 0
        try:
            if sys.stdout:
                sys.stdout.flush()
        except BrokenPipeError:
            to_nobody()
        return code
    except JustesseError as error:
        complain(error)
        return 2
    except CycloptsError as error:
        complain(usage_error(error, words, app))
        return 2
    except BrokenPipeError:
        to_nobody()
        return 0
    except KeyboardInterrupt:
        return _stopped()
    except MemoryError:
        say("justesse: Not enough memory for this input. Use a smaller file or a larger machine.", to_errors=True)
        return 2
    except Exception as error:
        if STOPPED.is_set():  # a library turned Ctrl-C into an error of its own
            return _stopped()
        if isinstance(error, OSError):
            return _not_written(error)
        return _crashed(error)


def _stopped() -> int:
    say("justesse: stopped", to_errors=True)
    return STOPPED_CODE


def _not_written(error: OSError) -> int:
    place = f" to {error.filename}" if isinstance(error.filename, str) else ""
    say(
        f"justesse: The result cannot be written{place}: {error.strerror or error}. Choose another place.",
        to_errors=True,
    )
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 2


def _crashed(error: Exception) -> int:
    """Say in one line that justesse itself is at fault; exit code 1 would be read as an answer."""
    if os.environ.get("JUSTESSE_TRACEBACK"):
        traceback.print_exception(error)
    (what,) = f"{type(error).__name__}: {error}".splitlines()[:1]
    say(
        f"justesse: unexpected error ({what[:200]}). This is a bug in justesse {__version__}. "
        "Please report it with the command and the traceback (set JUSTESSE_TRACEBACK=1 to see it).",
        to_errors=True,
    )
    return CRASHED
