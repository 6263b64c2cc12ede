"""The inspection of a test, from rows to JSON, table and page."""

import html
import inspect as standard
import json
from importlib import resources

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pytest

import justesse
from justesse.core.errors import ColumnError, InputError, OptionError
from justesse.procedures.conditions import TITLES
from justesse.store.datasheet import QUESTIONS
from justesse.verbs.schemas import schema

SCHEMA = schema("inspect")
WORDS = [
    "pain",
    "fever",
    "cough",
    "head",
    "back",
    "knee",
    "since",
    "monday",
    "sharp",
    "dull",
    "left",
    "right",
    "arm",
    "leg",
    "severe",
    "mild",
    "night",
    "morning",
]


def rows(seed, n, first=0, people=("ann", "bob", "cy"), sites=(0.5, 0.3, 0.2)):
    rng = np.random.default_rng(seed)
    text = [" ".join(rng.choice(WORDS, 14)) for _ in range(n)]
    return pd.DataFrame(
        {
            "case": np.arange(first, first + n),
            "message": text,
            "who": rng.choice(people, n),
            "patient": rng.integers(first, first + n, n),
            "site": rng.choice(["north", "south", "east"], n, p=sites),
            "age": rng.normal(50, 15, n).round(),
            "day": (
                pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 50, n) + first // 100, unit="D")
            ).astype(str),
            "label": ["urgent" if "severe" in one else "routine" for one in text],
        }
    )


@pytest.fixture(scope="module")
def clean():
    test, train = rows(0, 500, 10_000, ("dee", "eve", "fay")), rows(1, 800)
    options = {"text": "message", "id": "case", "group": "patient", "time": "day", "by": ["site", "age"]}
    return test, train, rows(2, 2000, 50_000), options


def states(found):
    return {code: found[code].state for code in TITLES}


def valid(found):
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    jsonschema.validate(written, SCHEMA)
    return written


def test_a_clean_test_passes_every_check(clean):
    test, train, population, options = clean
    found = justesse.inspect(test, train=train, population=population, **options)
    assert found.passed, found
    made = {code: state for code, state in states(found).items() if state == "passed"}
    wanted = {code for code in TITLES if code[:3] != "JU3"} - {"JU007", "JU008", "JU009", "JU010"}
    assert set(made) == wanted
    assert valid(found)["passed"] is True


PLANTED = {
    "JU001": lambda test, train: test.assign(message=[*train["message"][:5], *test["message"][5:]]),
    "JU002": lambda test, train: test.assign(message=[*(train["message"][:5].str.upper() + "!"), *test["message"][5:]]),
    "JU003": lambda test, train: test.assign(message=[*(train["message"][:5] + " since may"), *test["message"][5:]]),
    "JU004": lambda test, train: test.assign(message=[*test["message"][5:10], *test["message"][5:]]),
    "JU005": lambda test, train: test.assign(case=[*train["case"][:5], *test["case"][5:]]),
    "JU006": lambda test, train: test.assign(patient=[*train["patient"][:5], *test["patient"][5:]]),
    "JU202": lambda test, train: test.assign(site="north"),
    "JU203": lambda test, train: test.assign(label=["new", *test["label"][1:]]),
    "JU204": lambda test, train: test.assign(site=test["site"].replace("south", "north")),
    "JU205": lambda test, train: test.assign(day="2024-01-10"),
}


@pytest.mark.parametrize("code", PLANTED)
def test_each_fault_planted_is_found(clean, code):
    test, train, population, options = clean
    found = justesse.inspect(PLANTED[code](test, train), train=train, population=population, **options)
    assert found[code].state == "failed"
    assert found[code].remedy
    assert not found.passed
    valid(found)


def test_copied_rows_are_one_finding_of_the_strictest_check(clean):
    test, train, _, options = clean
    exact = justesse.inspect(PLANTED["JU001"](test, train), train=train, **options)
    assert [exact[code].state for code in ("JU001", "JU002", "JU003")] == ["failed", "not applicable", "not applicable"]
    assert (
        exact["JU002"].sentence
        == "Covered by JU001: apart from its rows, no test row is in the training rows after normalising."
    )
    upper = justesse.inspect(PLANTED["JU002"](test, train), train=train, **options)
    assert [upper[code].state for code in ("JU001", "JU002", "JU003")] == ["passed", "failed", "not applicable"]
    longer = justesse.inspect(PLANTED["JU003"](test, train), train=train, **options)
    assert [longer[code].state for code in ("JU001", "JU002", "JU003")] == ["passed", "passed", "failed"]


def test_copies_with_their_ids_are_one_finding(clean):
    test, train, _, options = clean
    both = ["case", "message"]
    copied = test.copy()
    copied.loc[:4, both] = train.loc[:4, both]
    found = justesse.inspect(copied, train=train, **options)
    assert [check.code for check in found.of("failed")] == ["JU001"]
    assert found["JU005"].state == "not applicable"
    assert found["JU005"].sentence == (
        "5 test rows have a value of 'case' that is also in training, already reported by JU001."
    )
    copied.loc[2, "message"] = copied.loc[2, "message"].upper() + "!"
    copied.loc[5:6, "case"] = train.loc[5:6, "case"]
    found = justesse.inspect(copied, train=train, **options)
    assert [check.code for check in found.of("failed")] == ["JU001", "JU002", "JU005"]
    assert found["JU005"].sentence == (
        "2 more of 500 values of 'case' in the test set are also in training ('5', '6'), with 2 more of 500 test rows (0.4 %), "
        "in addition to the 5 reported by JU001 and JU002."
    )
    assert sum(found[code].figures["rows"] for code in ("JU001", "JU002", "JU003", "JU005")) == 7
    valid(found)


def test_equal_coarse_rows_leave_the_finding_to_their_ids():
    """Where equal rows may be other cases, the check of ids reports its rows itself."""
    rng = np.random.default_rng(0)
    test, train = (
        {"id": np.arange(n) + first, "x": rng.integers(0, 4, n), "z": rng.integers(0, 4, n), "label": np.arange(n) % 2}
        for n, first in ((200, 0), (800, 195))
    )
    found = justesse.inspect(test, train=train, id="id")
    assert found["JU001"].state == "not applicable"
    assert (found["JU005"].state, found["JU005"].figures["rows"]) == ("failed", 5)


def test_records_of_another_time_are_other_records():
    """Few values of few columns: without the times equal rows look like copies, with them they are not."""
    rng = np.random.default_rng(0)
    shop = {"shop": rng.integers(0, 9, 400), "size": rng.integers(0, 30, 400), "label": rng.integers(0, 2, 400)}
    sold = pd.DataFrame(shop).drop_duplicates(["shop", "size"])
    test, train = (
        sold.assign(day=[f"2024-{month}-{at % 28 + 1:02d}" for at in range(len(sold))]) for month in ("05", "04")
    )
    options = {"train": train, "label": "label"}
    assert (
        justesse.inspect(test.drop(columns="day"), **{**options, "train": train.drop(columns="day")})["JU001"].state
        == "failed"
    )
    found = justesse.inspect(test, **options, time="day")
    assert [found[code].state for code in ("JU001", "JU002", "JU004")] == ["passed"] * 3
    assert justesse.inspect(pd.concat([test, train[:9]]), **options, time="day")["JU001"].figures["rows"] == 9


def test_annotators_on_both_sides_and_geva_s_measurements(clean):
    test, train, _, _ = clean
    test = test.assign(who=[*train["who"][:400], *test["who"][400:]])
    test["message"] += np.where(test["who"] == "bob", " thank you kindly indeed", "")
    found = justesse.inspect(
        test,
        train=train.assign(message=train["message"] + np.where(train["who"] == "bob", " thank you kindly indeed", "")),
        text="message",
        annotator="who",
    )
    assert found["JU007"].state == "failed"
    assert found["JU009"].state == "failed"
    interval = found["JU009"].figures["difference"]["interval"]
    assert interval["low"] > 0.1
    assert found["JU008"].state in ("passed", "failed")
    assert found.practices[-1] == {
        "practice": "use different annotators for the test and training rows",
        "state": "failed",
        "checks": ["JU007"],
    }
    valid(found)


def test_what_is_not_given_is_not_checked_and_says_what_it_needs():
    found = justesse.inspect({"x": np.arange(500) * 0.1, "y": [0, 1] * 250})
    assert found.passed
    assert {code for code, state in states(found).items() if state == "passed"} == {"JU004", "JU101", "JU102", "JU103"}
    assert "--train" in found["JU001"].remedy
    assert "--datasheet" in found["JU301"].remedy


def test_without_labels_only_classes_are_not_checked():
    found = justesse.inspect({"x": np.arange(500) * 0.1})
    assert found["JU102"].state == found["JU201"].state == "not checked"


def test_a_population_of_shares(write):
    shares = write("p.csv", "column,value,share\nlabel,1,0.5\nlabel,0,0.5\nsite,north,1\n")
    rows = {"x": np.arange(400) * 0.1, "label": [1] * 300 + [0] * 100, "site": ["north"] * 400, "other": ["a"] * 400}
    found = justesse.inspect(rows, population=shares, by=["site", "other"])
    assert found["JU201"].state == "failed"
    assert found["JU201"].figures["cells"] == [[0, 0.25, 0.5], [1, 0.75, 0.5]]
    by = {check.about: check.state for check in found.checks if check.code == "JU202"}
    assert by == {"site": "passed", None: "not checked"}


def test_an_identifier_does_not_hide_copies():
    test = {"nr": [11, 12, 13], "x": ["a b", "c d", "e f"]}
    train = {"nr": [1, 2, 3], "x": ["c d", "g h", "i j"]}
    found = justesse.inspect(test, train=train)
    assert found["JU001"].figures["examples"] == [[2, 1]]
    assert "'nr' (a different whole number in every row)" in found.warnings[0]


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_every_kind_of_frame_gives_the_same(kind, clean):
    test, train, _, _ = clean
    whole = [{name: list(values) for name, values in one[["message", "label", "age"]].items()} for one in (test, train)]
    found = justesse.inspect(kind(whole[0]), train=kind(whole[1]))
    plain = justesse.inspect(whole[0], train=whole[1])
    assert found.to_dict() == plain.to_dict()


def test_the_checks_as_a_table(clean, tmp_path):
    test, train, _, _ = clean
    found = justesse.inspect(pl.DataFrame(test), train=train)
    assert isinstance(found.to_frame(), pl.DataFrame)
    assert pd.read_csv(found.save(tmp_path / "checks.csv"))["code"].tolist() == [check.code for check in found.checks]
    assert "JU101" in repr(found)
    assert "<table" in found._repr_html_()
    with pytest.raises(KeyError, match="There is no check 'JU999'"):
        found["JU999"]


def sheet(path, **answers):
    lines = []
    for section, (_, _, questions) in QUESTIONS.items():
        lines += [f"{section}:", *(f'  {key}: "{answers.get(key, "an answer <b>")}"' for key in questions)]
    path.write_text("\n".join(lines))
    return path


def test_a_data_sheet_is_checked_against_the_rows(tmp_path):
    data = {"x": np.arange(500) * 0.1, "who": ["ann", "bob"] * 250, "label": [0, 1, 1, 0] * 125}
    good = justesse.inspect(data, annotator="who", datasheet=sheet(tmp_path / "a.yaml", number=2))
    assert all(good[code].state == "passed" for code, *_ in QUESTIONS.values())
    other = justesse.inspect(data, annotator="who", datasheet=sheet(tmp_path / "b.yaml", number=5))
    assert other["JU304"].sentence == "The data sheet names 5 annotators; the test rows have 2."
    gap = justesse.inspect(data, datasheet=sheet(tmp_path / "c.yaml", task="?"))
    assert gap["JU305"].figures["missing"] == ["task"]
    valid(gap)


def test_the_page_holds_it_all_and_the_same_twice(clean, tmp_path):
    test, train, population, options = clean
    found = justesse.inspect(
        PLANTED["JU003"](test, train),
        train=train,
        population=population,
        datasheet=sheet(tmp_path / "a.yaml"),
        **options,
    )
    text = found.report(tmp_path / "page.html").read_text()
    assert text == found.report(tmp_path / "again.html").read_text()
    for check in found.checks:
        assert f"{check.code} {html.escape(check.title).replace('&#x27;', '&#39;')}" in text
    assert "an answer &lt;b&gt;" in text
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "Copied rows" in text
    assert "This test set cannot be trusted as it is." in text


def test_the_share_of_pieces_is_shown_only_where_near_duplicates_were_found():
    case = "the quick brown fox jumps over the lazy dog near the river bank at dawn"
    exact, near = {"text": [case, "b" * 9]}, {"text": [case.replace("dawn", "noon"), "c" * 9]}
    for train, shown in ((exact, False), (near, True)):
        document = justesse.inspect({"text": [case, "another text"]}, train=train, text="text").document()
        (table,) = next(section for section in document.sections if section.id == "copies").parts
        assert ("pieces shared" in [column.title for column in table.columns]) == shown
        assert table.cells()[0][1] == "training row 1"


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"text": "mesage"}, ColumnError, "Did you mean 'message'"),
        ({"by": ["nowhere"]}, ColumnError, "slice column with by"),
        ({"id": "case", "group": "case"}, OptionError, "cannot have two roles"),
        ({"features": ["nothing"]}, ColumnError, "feature column with features"),
        ({"half_width": 5}, OptionError, "half-width"),
        ({"level": 95}, OptionError, "level"),
        ({"near": 0.1}, OptionError, "between 0.5 and 1"),
        ({"disagreement": 0.01}, OptionError, "disagreement"),
        ({"seed": -1}, OptionError, "seed"),
        ({"time": "who"}, ColumnError, "must contain times"),
    ],
)
def test_what_cannot_be_used_is_refused(clean, options, error, said):
    test, train, _, _ = clean
    with pytest.raises(error, match=said):
        justesse.inspect(test, train=train, **{"text": "message", **options})


def test_nothing_at_all(tmp_path):
    with pytest.raises(InputError, match="Give the test rows"):
        justesse.inspect()
    with pytest.raises(InputError, match="need test rows to compare with"):
        justesse.inspect(train={"x": [1]}, datasheet=tmp_path / "a.yaml")
    assert not list(tmp_path.iterdir())


def test_python_s_own_inspect_stays_what_it_is():
    assert callable(justesse.inspect)
    assert standard.signature(justesse.inspect).parameters["train"].default is None
    assert not (resources.files("justesse.verbs") / "inspect.py").is_file()
