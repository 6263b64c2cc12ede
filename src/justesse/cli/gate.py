"""The exit code of a command: when a pipeline may go on."""

from justesse.cli.delivery import Printing
from justesse.core.choices import Gate
from justesse.core.option_group import option_group
from justesse.report.writing import message


@option_group
class GateOptions:
    """When to exit with 0.

    Parameters
    ----------
    gate
        When to exit with 0. better: the verdict is replace. not-worse: a loss as large as --margin is excluded. none:
        always. Default: better; --no-gate is --gate none.
    """

    gate: Gate = "better"


@option_group
class RobustGateOptions(GateOptions):
    """When to exit with 0, also counting wrong labels.

    Parameters
    ----------
    robust
        Gate better also fails if fewer wrong labels than --plausible-noise could overturn the verdict, or if that is
        not known. It is known for accuracy and error, and for cost with the judge paired.
    """

    robust: bool = False


def say_gate(printing: Printing, gates: GateOptions, passed: bool) -> None:
    """Print whether the gate is passed, if there is one, and the exit code."""
    if gates.gate != "none":
        robust = isinstance(gates, RobustGateOptions) and gates.robust
        say_exit_code(printing, f"Gate {gates.gate}, robust" if robust else f"Gate {gates.gate}", passed)


def say_exit_code(printing: Printing, name: str, passed: bool) -> None:
    """Print whether a check is passed, and the exit code."""
    template = "{name}: passed, exit code 0." if passed else "{name}: not passed, exit code 1."
    printing.add(message(template, name=name))
