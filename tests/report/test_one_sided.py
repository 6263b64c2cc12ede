"""One-sided bounds: with a one-sided alternative, no medium of any command writes an interval with two ends."""

import io
import re

import pytest
from rich.console import Console

import justesse
from justesse.report.html import as_page
from justesse.report.markdown import as_markdown
from justesse.report.notebook import as_card
from justesse.report.terminal import show
from justesse.report.text import as_text

N = 60
ROWS = {
    "id": list(range(N)),
    "label": ["a", "b", "c"] * (N // 3),
    "old": [name if at % 4 else "a" for at, name in enumerate(["a", "b", "c"] * (N // 3))],
    "new": [name if at % 9 else "b" for at, name in enumerate(["a", "b", "c"] * (N // 3))],
    "site": ["x", "y"] * (N // 2),
}
NUMBERS = {
    "label": [float(at % 17) for at in range(N)],
    "old": [at % 17 + (at % 5 - 2.0) for at in range(N)],
    "new": [at % 17 + (at % 3 - 1.0) / 2 for at in range(N)],
    "site": ROWS["site"],
}
SCORES = {"old": [0.80, 0.84, 0.79, 0.83, 0.82], "new": [0.84, 0.85, 0.85, 0.86, 0.83]}


def compared(judge, measure="accuracy", **options):
    def run(alternative, path):
        return justesse.compare(
            ROWS, incumbent="old", candidate="new", judge=judge, measure=measure, alternative=alternative, **options
        )

    return run


RUNS = {
    "evaluate": lambda side, path: justesse.evaluate(ROWS, prediction="new", by=["site"], alternative=side),
    "compare": compared("paired", by=["site"]),
    "compare-delta": compared("paired", "macro f1", bootstrap="none"),
    "compare-bootstrap": compared("paired", "macro f1"),
    "compare-classical": compared("classical"),
    "compare-sharp": compared("sharp", noise_rate=0.05),
    "compare-regression": lambda side, path: justesse.compare_regression(
        NUMBERS, incumbent="old", candidate="new", by=["site"], alternative=side
    ),
    "compare-folds": lambda side, path: justesse.compare_folds(
        SCORES, incumbent="old", measure="accuracy", alternative=side
    ),
    "noise-estimate": lambda side, path: justesse.noise_estimate(
        {**ROWS, "true": ROWS["new"]}, true="true", alternative=side
    ),
    "audit": lambda side, path: justesse.audit_start(
        {**ROWS, "true": ROWS["label"]},
        incumbent="old",
        candidate="new",
        on="id",
        true="true",
        alternative=side,
        to=path / "x.audit",
    ),
}
TWO_ENDS = re.compile(r"[-+]?\d[\d.,]* to [-+]?\d|\d to …|… to ")
# comparisons give both classifiers, and measures beside the verdict, an interval of two sides, and say so
TWO_SIDED = ("compare", "compare-delta", "compare-bootstrap", "compare-classical", "compare-sharp", "compare-folds")


def shown_in(document):
    out = io.StringIO()
    show(document, Console(file=out, width=160, highlight=False, markup=False), "full")
    return {
        "terminal": out.getvalue(),
        "page": as_page(document),
        "markdown": as_markdown(document, "full"),
        "notebook": as_card(document),
        "text": as_text(document, "full"),
    }


@pytest.mark.parametrize("side", ["greater", "less"])
@pytest.mark.parametrize("name", RUNS)
def test_no_medium_writes_a_bound_with_two_ends(name, side, tmp_path):
    document = RUNS[name](side, tmp_path).document()
    bound = {"greater": "lower bound", "less": "upper bound"}[side]
    for medium, shown in shown_in(document).items():
        assert bound in shown, medium
        assert not re.search(r"CI(</\w+>|\s)*[≥≤]", shown), medium
        if name not in TWO_SIDED:
            assert " CI" not in re.sub(r"<style.*?</style>", "", shown, flags=re.S), medium
            assert not TWO_ENDS.search(str(document.headline)), medium
    figure = document.figures[-1 if name == "compare-regression" else 0]
    assert figure.level == f"95 % {bound} "
    assert figure.interval[0] in "≥≤"


@pytest.mark.parametrize("name", [name for name in TWO_SIDED if name != "compare-folds"])
def test_a_comparison_says_that_its_measures_are_two_sided(name, tmp_path):
    result = RUNS[name]("greater", tmp_path)
    assert re.search(r"95 % lower bound [-+]\d\.\d{4},", repr(result.verdict))
    assert "These intervals are two-sided." in result.markdown()
    assert "These intervals are two-sided." not in RUNS[name]("two-sided", tmp_path).markdown()


def test_a_two_sided_interval_up_to_the_bound_keeps_both_ends():
    from justesse.core.results import Interval
    from justesse.report.writing import written

    assert written("difference_interval", Interval(0.5, 1.2, 0.95, "tango", (-1.0, 1.0))) == "+0.5000 to +1.0000"
