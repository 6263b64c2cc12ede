"""The results of `justesse audit` keep the protocol of all results, in every medium."""

import pytest

import justesse
from justesse.report.html import as_page
from justesse.report.markdown import as_markdown
from justesse.report.notebook import as_card
from justesse.report.result import Result
from justesse.report.text import as_text

ROWS = {
    "id": [f"<i>{at}" for at in range(80)],
    "label": ["spam"] * 80,
    "old": ["ham"] * 40 + ["spam"] * 40,
    "new": ["spam"] * 80,
    "text": ["one line\nanother"] * 80,
}
MEDIA = {
    "page": lambda document: as_page(document).replace("\N{NO-BREAK SPACE}", " "),
    "markdown": lambda document: as_markdown(document, "full"),
    "notebook": lambda document: as_card(document).replace("\N{NO-BREAK SPACE}", " "),
    "text": lambda document: as_text(document, "full"),
}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("audits")
    path = folder / "my.audit"
    start = {"incumbent": "old", "candidate": "new", "on": "id", "show": "text", "level": 0.9999}
    made = {"start": justesse.audit_start(ROWS, **start, to=path)}
    made["next"] = justesse.audit_next(path, 3, reveal=True)
    due = [question.id for question in made["next"].questions]
    made["answer"] = justesse.audit_answer(path, answers={"id": due, "class": ["spam", "both", "?"]}, by="Ann")
    justesse.audit_answer(path, due[0], "ham", by="Ann", correct=True)
    made["status"] = justesse.audit_status(path)
    made["export"] = justesse.audit_export(path, folder / "copy.audit")
    made["extend"] = justesse.audit_extend(path, futility=False, by="Ann")
    made["report"] = justesse.audit_report(path, folder / "page.html")
    return made


PARTS = ("start", "next", "answer", "status", "export", "extend", "report")


@pytest.mark.parametrize("part", PARTS)
def test_every_part_returns_a_result(results, part, tmp_path):
    result = results[part]
    assert isinstance(result, Result)
    assert result.to_dict()["audit"] == part
    columns = result.to_frame().to_pydict()
    assert columns == result.to_columns()
    assert result.save(tmp_path / "table.csv").exists()
    assert "<h1" in result.report(tmp_path / "page.html").read_text()
    assert repr(result) == as_text(result.document())
    charts = {path.stem for path in result.charts(tmp_path / "charts")}
    assert charts == ({"test_set", "population"} if part in ("start", "status", "extend", "report") else set())


@pytest.mark.parametrize("medium", MEDIA)
@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_shown_in_every_medium(results, part, medium):
    shown = MEDIA[medium](results[part].document())
    words = {
        "next": ["3 questions to answer, of at most 40.", "incumbent: ham, candidate: spam, label: spam", "another"],
        "answer": ["3 answers saved. Answers that count so far: 3.", "both right"],
        "export": ["with 4 answers."],
    }
    for expected in words.get(part, ["Accuracy difference on this test set", "the two disagree on 40 of them"]):
        assert expected in shown
    if part in ("status", "extend", "report"):
        for expected in ("spam → ham", "both right", "1 question could not be answered"):
            assert expected in shown
    assert "<i>" not in shown.replace("\\<i\\>", "") or medium == "text"


def test_a_chart_is_found_by_either_spelling(results):
    status = results["status"]
    assert status.chart("test set").to_dict() == status.chart("test_set").to_dict() == status.chart().to_dict()
    assert status.chart("population").to_dict() != status.chart().to_dict()
    with pytest.raises(justesse.core.errors.OptionError, match="Charts: test_set, population"):
        status.chart("roc")


def test_one_sided_bounds_read_alike_everywhere(tmp_path):
    path = tmp_path / "my.audit"
    start = {"incumbent": "old", "candidate": "new", "on": "id", "alternative": "greater"}
    status = justesse.audit_start({**ROWS, "true": ROWS["label"]}, **start, true="true", to=path)
    assert status.decision == "replace"
    for show in MEDIA.values():
        shown = show(status.document())
        assert "95 % lower bound ≥ +" in shown
        assert "to +100" not in shown


def test_lists_on_a_phone_keep_the_headings_of_their_columns(results, tmp_path):
    """Narrow pages hide the head of a table of words, so each cell carries its heading."""
    page = results["status"].report(tmp_path / "page.html").read_text()
    assert '<td class="left" data-head="candidate">' in page
    assert 'table.facts td[data-head]::before { content: attr(data-head) ": "' in page
