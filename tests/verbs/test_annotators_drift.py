"""What is said about annotators whose accuracy changes over time."""

import numpy as np

import justesse


def answers(rates):
    """Each annotator answers 200 items in their order; the share of right answers goes from the first rate to the second."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 200)
    rows = [
        (item, name, int(truth[item] if rng.random() < first + (last - first) * item / 200 else 1 - truth[item]), item)
        for name, (first, last) in rates.items()
        for item in range(200)
    ]
    return dict(zip(("item", "annotator", "answer", "time"), zip(*rows, strict=True), strict=True))


def test_the_table_says_what_its_columns_are_in_all_media(tmp_path):
    result = justesse.annotators_infer(answers(dict.fromkeys("abcde", (0.85, 0.85))), draws=0)
    page = result.report(tmp_path / "page.html").read_text()
    for medium in (result.markdown("full"), page):
        words = medium.replace("\u00a0", " ")
        assert "First and last fifth: expected share of right answers" in words
        assert "None of 5 annotators clearly gets better or worse over time" in words


def test_annotators_who_change_are_named():
    rates = {"tired": (0.98, 0.55), "keen": (0.55, 0.98), "a": (0.9, 0.9), "b": (0.9, 0.9), "c": (0.9, 0.9)}
    words = justesse.annotators_infer(answers(rates), draws=0).markdown("full").replace("\u00a0", " ")
    assert "1 of 5 annotators gets worse over time (1 %, Holm): 'tired'." in words
    assert "1 of 5 annotators gets better over time (1 %, Holm): 'keen'." in words


def test_annotators_who_change_are_warned_of_without_full():
    steady = dict.fromkeys("abcdefg", (0.9, 0.9))
    alone = justesse.annotators_infer(answers({"tired": (0.98, 0.45), **steady}), draws=0)
    (words,) = (text for text in alone.to_dict()["warnings"] if "over time" in text)
    assert words.startswith("tired changes over time: ")
    assert "of the first fifth of the answers are right" in words
    both = justesse.annotators_infer(
        answers({"tired": (0.98, 0.45), "keen": (0.6, 0.98), **steady}), method="majority", draws=0
    )
    (words,) = (text for text in both.to_dict()["warnings"] if "over time" in text)
    assert words.startswith("tired and 1 other seem to change over time; ")
    assert "tired changes most: others agree with " in words
    none = justesse.annotators_infer(answers(dict.fromkeys("abcde", (0.85, 0.85))), draws=0)
    assert not any("over time" in text for text in none.to_dict()["warnings"])


def test_items_that_get_harder_are_not_blamed_on_one_annotator():
    for rates, words in (
        ((0.97, 0.6), ("falls", "the items may have become harder over time rather than the annotators worse.")),
        ((0.6, 0.97), ("rises", "the items may have become easier over time rather than the annotators better.")),
    ):
        result = justesse.annotators_infer(answers({f"p{at}": rates for at in range(12)}), draws=0)
        (warning,) = (text for text in result.to_dict()["warnings"] if "over time" in text)
        assert warning.startswith("The accuracy of 12 of 12 annotators " + words[0])
        assert words[1] in warning
        assert "changes most: " in warning


def test_the_page_draws_who_changes_most_with_a_band():
    rows = answers({"a": (0.9, 0.9), "b": (0.85, 0.85), "c": (0.8, 0.8), "tired": (0.98, 0.45)})
    result = justesse.annotators_infer(rows, time="time", draws=0)
    spec = result.chart("drift").to_dict()
    assert "tired" in spec["description"]
    points = spec["data"]["values"]
    mine = [point for point in points if point["annotator"] == "tired"]
    assert [point["block"] for point in mine] == [1, 2, 3, 4, 5]
    assert all(point["low"] < point["accuracy"] < point["high"] for point in mine)
    assert mine[0]["accuracy"] > mine[-1]["accuracy"] + 0.2
    assert len({point["annotator"] for point in points}) == 3
    untimed = {name: values for name, values in rows.items() if name != "time"}
    assert "drift" not in justesse.annotators_infer(untimed, draws=0).drawings()
