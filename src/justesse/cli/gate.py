"""The exit code of a comparison: when a pipeline may go on."""

from dataclasses import dataclass

from justesse.core.choices import Gate


@dataclass(frozen=True)
class GateOptions:
    """When to exit with 0.

    Parameters
    ----------
    gate
        When to exit with 0. better: the verdict is replace. not-worse: a loss as large as --margin is excluded. none:
        always. Default: better; --no-gate is --gate none.
    """

    gate: Gate = "better"


@dataclass(frozen=True)
class RobustGateOptions(GateOptions):
    """When to exit with 0, also counting wrong labels.

    Parameters
    ----------
    robust
        Gate better also fails if fewer wrong labels than --plausible-noise could overturn the verdict, or if that is
        not known. It is known for accuracy and error, and for cost with the judge paired.
    """

    robust: bool = False
