"""Every result of `justesse noise` in every medium: the same words, nothing cropped, nothing repeated."""

import io
import json

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

import justesse
from justesse.core.tally import Tally
from justesse.report.document import Table
from justesse.report.html import as_page
from justesse.report.markdown import as_markdown
from justesse.report.notebook import as_card
from justesse.report.result import Result
from justesse.report.terminal import show
from justesse.report.text import as_text
from justesse.verbs.noise.transition_section import transition_section

RNG = np.random.default_rng(0)
TRUE = RNG.integers(4, size=600)
LABEL = np.where(RNG.random(600) < 0.06, (TRUE + 1) % 4, TRUE)
PREDICTION = np.where(RNG.random(600) < 0.85, TRUE, RNG.integers(4, size=600))
NAMES = np.array(["cat", "a class with a rather long name", "<i>dog</i>", "fox"])
FRAME = pd.DataFrame(
    {"x": TRUE + RNG.normal(size=600), "label": NAMES[LABEL], "true": NAMES[TRUE], "prediction": NAMES[PREDICTION]}
)
CLAIMS = ["accuracy>=0.7", "recall:fox>=0.6", "macro-f1>=0.99"]
PARTS = {
    "estimate": lambda: justesse.noise_estimate(FRAME),
    "profile": lambda: justesse.noise_profile(FRAME, alternative="greater"),
    "bias": lambda: justesse.noise_bias(FRAME, cost=1 - np.eye(4)),
    "bounds": lambda: justesse.noise_bounds(FRAME, noise_rate="0.02:0.08"),
    "breakdown": lambda: justesse.noise_breakdown(FRAME, claim=CLAIMS),
    "inject": lambda: justesse.noise_inject(
        FRAME[["x", "true"]].rename(columns={"true": "label"}), noise="uniform", noise_rates=[0.05, 0.1], true="truth"
    ),
    "resist": lambda: justesse.noise_resist(
        FRAME[["x", "label"]][:200], model=["tree", "bayes"], noise_rates=[0, 0.2], repeats=2, realism=True
    ),
}
CHARTED = ("estimate", "profile", "bounds", "breakdown", "resist")


@pytest.fixture(scope="module", params=sorted(PARTS))
def part(request):
    return request.param, PARTS[request.param]()


def on_terminal(document, width, detail="full"):
    out = io.StringIO()
    show(document, Console(file=out, width=width, highlight=False, markup=False), detail)
    return out.getvalue()


def test_it_keeps_the_protocol_of_results(part, tmp_path):
    name, result = part
    assert isinstance(result, Result)
    json.dumps(result.to_dict(), allow_nan=False)
    columns = result.to_columns()
    assert len({len(column) for column in columns.values()}) == 1
    assert bool(result.drawings()) == (name in CHARTED)
    for chart in result.drawings():
        assert "layer" in result.chart(chart).to_dict()
    assert len(result.charts(tmp_path)) == 2 * len(result.drawings())


@pytest.mark.parametrize("medium", [as_page, as_card, as_text, lambda document: as_markdown(document, "full")])
def test_the_answer_and_every_table_show_in_every_medium(part, medium):
    _, result = part
    document = result.document()
    shown = " ".join(medium(document).split())
    words = " ".join(str(document.headline).split()[:4])
    assert words in shown.replace("\\", "").replace("&gt;", ">")
    assert "nan" not in shown.lower().split()
    if medium is not as_text:
        for section in document.sections:
            assert section.title in shown
    assert "<i>dog" not in shown.replace("\\<i\\>", "") or medium is as_text


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_number_is_cropped_on_a_terminal(part, width):
    _, result = part
    document = result.document()
    shown = on_terminal(document, width)
    assert max(map(len, shown.splitlines())) <= width
    assert "…" not in shown
    whole = " ".join(shown.split())
    for section in document.sections:
        for table in (one for one in section.parts if hasattr(one, "rows")):
            for cell in (row[1] for row in table.cells()):
                assert cell in whole


def test_an_assumption_is_said_once(part):
    _, result = part
    document = result.document()
    shown = " ".join(on_terminal(document, 100).split())
    for assumption in document.assumptions:
        assert shown.count(str(assumption)) <= (2 if str(assumption) in str(document.headline) else 1)


def test_names_of_measures_are_those_of_other_commands():
    titles = [row[0] for row in PARTS["bounds"]().document().sections[0].parts[-1].rows]
    evaluated = justesse.evaluate(FRAME.drop(columns="true"), bootstrap="none").document()
    main = next(section for section in evaluated.sections if section.id == "measures")
    table = next(part for part in main.parts if isinstance(part, Table))
    others = [row[0] for row in table.rows]
    assert {"Accuracy", "Error rate", "Macro F1"} <= set(titles) & set(others)
    assert not any("_" in title for title in titles)


def test_a_breakdown_rate_is_written_one_way_everywhere():
    result = PARTS["breakdown"]()
    broken = result.figures[0]
    words = f"survives up to {100 * (broken.count - 1) / broken.n:.0f} % wrong labels ({broken.count - 1} of 600)"
    evaluated = justesse.evaluate(FRAME.drop(columns="true"), claim=CLAIMS[0], bootstrap="none")
    for shown in (
        result.answer,
        as_text(evaluated.document(), "summary"),
        as_page(evaluated.document()),
        as_markdown(evaluated.document()),
        str(result.chart("claim_1").to_dict()),
        str(evaluated.chart("noise").to_dict()),
    ):
        assert words in " ".join(shown.split())
        assert "breaks at" not in shown


def test_tables_of_frequent_errors_say_how_many_there_are():
    cells = [(true, label, 90 if true == label else 1 + (true < label)) for true in range(6) for label in range(6)]
    shown = str(transition_section(Tally.of(["true", "label"], cells)).parts[-1].note)
    assert shown == "The 20 most frequent of 30."
    few = Tally.of(["true", "label"], [cell for cell in cells if cell[0] < 3 and cell[1] < 3])
    assert str(transition_section(few).parts[-1].note) == ""
