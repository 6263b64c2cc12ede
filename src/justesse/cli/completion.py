"""`justesse --install-completion`: the Tab key completes commands and options."""

import os
from pathlib import Path
from typing import Literal

from justesse.cli.output import say
from justesse.core.errors import FileError, OptionError
from justesse.report.writing import message


def install_completion(
    *, shell: Literal["bash", "zsh", "fish", "powershell"] | None = None, output: Path | None = None
) -> None:
    """Install shell completion, so that Tab completes commands, options and their choices.

    For example:

      justesse --install-completion

      justesse --install-completion --shell fish

    Parameters
    ----------
    shell
        Shell to install for. Default: the shell that runs this command.
    output
        File to write the script to, such as ~/justesse.bash. Your shell's startup file is then left alone. Default:
        where the shell looks for completions.
    """
    from cyclopts.completion.detect import ShellDetectionError

    from justesse.cli.main import app

    home = os.environ.get("HOME")
    if output is None and home is not None and not (Path(home).is_absolute() and Path(home).is_dir()):
        raise OptionError(
            f"HOME is {home!r}, not a directory, so there is no place to install completion. Set HOME to your home "
            "directory, or choose a file with --output."
        )
    if output is not None and output.exists():
        raise FileError(f"{output} exists already. Choose another file with --output, or remove it first.")
    try:
        path = app.install_completion(shell=shell, output=output, add_to_startup=output is None)
    except ShellDetectionError as error:
        raise OptionError(
            "Your shell was not recognised. Name it, such as justesse --install-completion --shell bash."
        ) from error
    except OSError as error:
        place = error.filename or output
        raise FileError(
            f"Completion cannot be written to {place}: {error.strerror}. Choose a file with --output."
        ) from error
    say(message("Completion installed: {path}. Open a new terminal to use it.", path=path))
