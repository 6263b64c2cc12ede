"""The versions of a run under the user's policy, as a reader meets them."""

from typing import TYPE_CHECKING, Any

from justesse.core.results import Estimate, level_name
from justesse.report.document import Column, Figure, Part, Section, Table, Text
from justesse.report.writing import message

if TYPE_CHECKING:
    from justesse.verbs.lifelong.run_result import LifelongRun

PLAIN = "{words} Each version answers the test items on its own (Prokopalo et al. 2020, equation 2)."
HELPED = (
    "{words} Each version meets the test items of each period with the expert's help, from its own state, and pays for it "
    "(Prokopalo et al. 2020, equation 3)."
)


def policy_sections(result: "LifelongRun") -> list[Section]:
    """Describe the weights of the last version beside its weighted scores, and the score of every version."""
    under = result.under_policy
    if under is None or not any(score.periods for score in under.scores):
        return []
    kind, ends = ("share", "share_interval") if result.is_share else ("value", "interval")
    head: list[str | Column] = [
        "version", Column("score", kind), Column(level_name(result.level), ends, 1), Column("periods", "count", 3),
        Column("n", "count", 2),
    ]  # fmt: skip
    rows: list[list[Any]] = []
    for score in under.scores:
        estimate = Estimate(
            "policy_score", score.value, score.n, score.interval, score.undefined, is_share=result.is_share
        )  # fmt: skip
        rows.append([score.version, estimate, estimate, len(score.periods), score.n])
    note: Text = message(HELPED if under.is_penalised else PLAIN, words=result.weighing.policy.words)
    title = (
        "Penalised score of each version under the policy"
        if under.is_penalised
        else "Score of each version under the policy"
    )
    parts: list[Part] = [Figure(result.drawings()["policy"]), Table(title, head, rows, note)]
    return [Section("policy", "Under your policy", parts)]
