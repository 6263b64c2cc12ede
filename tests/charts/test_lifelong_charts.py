"""Charts of systems that keep learning: names and lines that must not be cut off."""

from justesse.charts.policy_map import policy_map_chart
from justesse.charts.version_scores import version_score_chart
from justesse.core.results import Estimate
from justesse.lifelong.policy import WORDS
from justesse.report.document import Document, Figure, Section
from justesse.report.html import as_page


def test_pairs_of_systems_are_written_in_full():
    names = ["el_static", "el_cumulative", "el_active"]
    cells = [(a, b, "recent", 0.01, False) for at, a in enumerate(names) for b in names[at + 1 :]]
    axis = policy_map_chart(cells).to_dict()["layer"][0]["encoding"]["x"]["axis"]
    assert axis["labelLimit"] >= 6.5 * len("el_cumulative / el_static")  # wide letters of a label, in pixels


def test_the_sentence_of_a_policy_fits_on_a_phone():
    chart = version_score_chart([("v1", Estimate("policy_score", 0.2, 50))], WORDS["recent"])
    lines = chart.to_dict()["title"]["subtitle"]
    assert " ".join(lines[:-1]) == WORDS["recent"]
    assert max(map(len, lines)) <= 48


def test_a_phone_is_asked_to_swipe_only_where_a_chart_is_wider():
    few, many = (
        page_with_versions([f"v{at}" for at in range(versions)]).count("Swipe to see the whole chart")
        for versions in (3, 20)
    )
    assert (few, many) == (0, 1)


def page_with_versions(names):
    scores = [(name, Estimate("policy_score", 0.2, 50)) for name in names]
    section = Section("scores", "Scores", [Figure(lambda: version_score_chart(scores, "All alike."))])
    return as_page(Document("Page", "Scores.", [section], {}, name="page"))
