"""Options of a run that exclude each other or would have no effect."""

from pathlib import Path
from typing import Any

from justesse.core.choices import AdaptationMode, Learning, PenaltyScore
from justesse.core.errors import OptionError
from justesse.verbs.lifelong.people import is_list
from justesse.verbs.lifelong.run_options import AdaptationOptions, RunExpertOptions


def check_score(
    score: PenaltyScore, reference: Any, collar: float, skip_overlap: bool, stretch: float | None, label: str | None
) -> None:
    """Refuse options of recordings where there are none, and recordings without a reference.

    Parameters
    ----------
    score
        Name of the score.
    reference, collar, skip_overlap, stretch
        Options of recordings.
    label
        Column of labels, which recordings do not have.
    """
    if score != "der":
        if reference is not None or collar or skip_overlap or stretch is not None:
            raise OptionError(
                "reference, collar, skip_overlap and stretch (--reference, --collar, --skip-overlap, --stretch) are for "
                "recordings: choose score=… (--score) der."
            )
        return
    if reference is None:
        raise OptionError("A diarization error rate needs an RTTM file of who speaks when: reference=… (--reference).")
    if label is not None:
        raise OptionError(
            "For a diarization error rate the right answers are in reference=… (--reference). Leave out label=… (--label)."
        )


def check_modes(
    mode: AdaptationMode, learning: Learning, restarts: bool, restart_budget: float | None, round_cost: float
) -> None:
    """Refuse ways to adapt that do not go together."""
    if mode == "off-line" and learning == "interactive":
        raise OptionError(
            "Off-line, there is no hypothesis that an expert could correct. Choose learning=… (--learning) active or "
            "unsupervised, or mode=… (--mode) on-line."
        )
    if mode == "off-line" and restarts:
        raise OptionError("restarts (--restarts) are for mode=… (--mode) on-line: off-line help has no penalty.")
    if restart_budget is not None and not restarts:
        raise OptionError("restart_budget (--restart-budget) needs restarts (--restarts).")
    if not 0 <= round_cost < float("inf"):
        raise OptionError(f"round_cost (--round-cost) must be a number, 0 or more; got {round_cost!r}.")
    if round_cost and mode == "on-line":
        raise OptionError(
            "round_cost (--round-cost) is the cost of an off-line round: choose mode=… (--mode) off-line."
        )


def check_help(learning: Learning, checkpoint: Path | None, restarts: bool, options: RunExpertOptions) -> None:
    """Refuse settings of an expert whom nobody asks, and people who cannot be asked."""
    if learning == "unsupervised":
        ignored = {
            "expert": options.expert != RunExpertOptions.expert,
            "cost": options.cost != RunExpertOptions.cost,
            "answer_seconds": options.answer_seconds != RunExpertOptions.answer_seconds,
            "budget": options.budget is not None and not options.round_cost,
        }
        name = next((name for name, is_set in ignored.items() if is_set), None)
        if name is not None:
            raise OptionError(
                f"{name} (--{name.replace('_', '-')}) has no effect: unsupervised learning asks nobody. Leave it out, or "
                "choose learning=… (--learning) active or interactive."
            )
    if not is_list(options.expert):
        return
    if checkpoint is None:
        raise OptionError(
            "With people, the run waits for their answers. Name a file that keeps it with checkpoint=… "
            "(--checkpoint), such as my.run."
        )
    if restarts:
        raise OptionError(
            "Restarts ask about the same items again and again, which people should not be. Leave out restarts "
            "(--restarts), or choose a simulated expert, such as expert=… (--expert) perfect."
        )


def check_tests(test_share: float, restarts: bool, to: Any, curve_to: Any, penalised_to: Any) -> None:
    """Refuse files of test items and restarts on them where there are none."""
    if penalised_to is not None and not restarts:
        raise OptionError("penalised_to (--penalised-to) needs restarts (--restarts).")
    needs = {"to": to is not None, "curve_to": curve_to is not None, "restarts": restarts}
    name = next((name for name, is_set in needs.items() if is_set), None)
    if not test_share and name is not None:
        raise OptionError(
            f"{name} (--{name.replace('_', '-')}) needs test items, and test_share (--test-share) is 0. Keep some, such as "
            "0.25."
        )


def check_timeout(system: Any, timeout: float) -> None:
    """Refuse a time-out of an object, which cannot be interrupted."""
    if not isinstance(system, str) and timeout != AdaptationOptions.timeout:
        raise OptionError("timeout is for a system that is a command. Leave it out.")
