import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import justesse
from justesse.cleaning import ALL
from justesse.cleaning.pool_filter import PoolFilter
from justesse.cleaning.written_filter import written_filter
from justesse.core.case import Case
from justesse.core.errors import InputError, OptionError
from justesse.core.tally import Tally
from justesse.judges import classical, cleaned
from justesse.judges.cleaned import FlaggedRows

POOLED = [item.name for item in ALL if not {"history", "answers"} & set(item.needs)]


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(7)
    true = rng.integers(3, size=1500)
    columns = {"id": np.arange(1500), "true": true, "label": np.where(rng.random(1500) < 0.08, (true + 1) % 3, true)}
    for skill in (0.7, 0.75, 0.8, 0.85, 0.9):
        columns[f"net {skill}"] = np.where(rng.random(1500) < skill, true, rng.integers(3, size=1500))
    return pd.DataFrame(columns).assign(flagged=(np.arange(1500) % 9 == 0).astype(int))


def test_flagged_rows_are_left_out(run, table, tmp_path):
    for name in ("net 0.7", "net 0.9"):
        columns = table[["id", "label", "flagged", name]].rename(columns={name: "prediction"})
        columns.to_csv(tmp_path / f"{name}.csv", index=False)
    found = run("compare", tmp_path / "net 0.7.csv", tmp_path / "net 0.9.csv", "--on", "id", "--judge", "cleaned",
                "--flagged", "flagged", "--json")  # fmt: skip
    assert found.code == 0, found.err
    whole = justesse.compare(table, incumbent="net 0.7", candidate="net 0.9", judge="cleaned", flagged="flagged")
    left = table[table["flagged"] == 0]
    by_hand = justesse.compare(left, incumbent="net 0.7", candidate="net 0.9", judge="classical")
    assert whole.verdict.difference == by_hand.verdict.difference
    assert found.json["interval"] == whole.to_dict()["interval"]
    assert f"{1500 - len(left):,} of 1,500 rows removed" in whole.verdict.assumptions[0]
    boolean = table.assign(flagged=table["flagged"] == 1)
    same = justesse.compare(boolean, incumbent="net 0.7", candidate="net 0.9", judge="cleaned", flagged="flagged")
    assert same.verdict.difference == whole.verdict.difference


def test_too_few_rows_left_decide_nothing():
    """Nineteen rows that only the candidate gets right would be enough for an overlap of intervals."""
    axes = ("label", "incumbent", "candidate", "flagged")
    decided = {}
    for left in (2, 19, 20):
        cells = [(1, 0, 1, 0, left), (1, 1, 0, 1, 500)]
        verdict = cleaned(Case(Tally.of(axes, cells)), cleaner=FlaggedRows())
        decided[left] = verdict.decision
        if left < 20:
            assert verdict.reason == f"Cleaning leaves {left} of {500 + left} rows, and fewer than 20 decide nothing."
    assert decided == {2: "cannot_tell", 19: "cannot_tell", 20: "replace"}


def test_a_tournament_does_not_decide_by_too_few_rows(table):
    """The filter that knows all removes every wrong label: 15 rows are left, on which one network is always wrong."""
    few = table.drop(columns="flagged").head(60).assign(true=0, label=1)
    few.loc[few.index[:15], "label"] = 0
    names = [name for name in few if name.startswith("net")]
    few[names] = 0
    few.loc[few.index[::2], names[0]] = 1
    many = pd.concat([few, few], ignore_index=True).assign(id=np.arange(120))
    for rows, replaced in ((few, 0), (many, 4)):
        judged = justesse.tournament(rows, judges=["cleaned"], cleaning=[(1.0, 0.0)]).rounds[0].judged[0]
        assert judged.replaces.sum() == replaced


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ("nope", "Column 'nope' not found in .* Name the flagged-row column with --flagged"),
        ("label", "Column 'label' holds the classes and cannot mark rows. Name another column with --flagged"),
    ],
)
@pytest.mark.parametrize("files", [1, 2])
def test_messages_name_the_option_of_flagged_rows(run, table, tmp_path, column, words, files):
    table.to_csv(tmp_path / "all.csv", index=False)
    words_of = ["--incumbent", "net 0.7", "--candidate", "net 0.9"]
    names = [tmp_path / "all.csv"]
    if files == 2:
        words_of = ["--on", "id"]
        names = []
        for name in ("net 0.7", "net 0.9"):
            table[["id", "label", name]].rename(columns={name: "prediction"}).to_csv(
                tmp_path / f"{name}.csv", index=False
            )
            names.append(tmp_path / f"{name}.csv")
    result = run("compare", *names, *words_of, "--judge", "cleaned", "--flagged", column)
    assert result.code == 2
    assert re.search(words, " ".join(result.err.split()))


def test_an_axis_says_which_rows_are_flagged():
    cells = [(1, 1, 1, 0, 700), (1, 1, 0, 0, 20), (1, 0, 1, 0, 80), (0, 0, 1, 1, 200)]
    axes = ("label", "incumbent", "candidate", "flagged")
    left = Tally.of(axes[:3], [cell[:3] + cell[4:] for cell in cells[:3]])
    verdict = cleaned(Case(Tally.of(axes, cells)), cleaner=FlaggedRows())
    assert verdict.difference == classical(Case(left)).difference
    with pytest.raises(OptionError, match=r"Name a column with flagged"):
        cleaned(Case(left), cleaner=FlaggedRows())
    with pytest.raises(OptionError, match="must hold 1 or true .* got 'often'"):
        cleaned(Case(Tally.of(axes, [(1, 1, 1, "often", 3)])), cleaner=FlaggedRows())
    with pytest.raises(OptionError, match="got an empty cell"):
        cleaned(Case(Tally.of(axes, [(1, 1, 1, "", 3)])), cleaner=FlaggedRows())
    with pytest.raises(InputError, match="^Leaving out the flagged rows removed all 3 rows"):
        cleaned(Case(Tally.of(axes, [(1, 1, 1, 1, 3)])), cleaner=FlaggedRows())


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"flagged": "flagged", "hard": "flagged", "judge": "cleaned"}, "belong to different judges"),
        ({"flagged": "flagged", "judge": "paired"}, "flagged is for the judge cleaned, not for paired"),
        ({"flagged": "flagged", "judge": "cleaned", "cleaning": (0.6, 0.1)}, "not both"),
        ({"flagged": "flagged", "judge": "cleaned", "by": "flagged"}, "cannot be a slice too"),
        ({"flagged": "id", "judge": "cleaned"}, "must hold 1 or true for flagged rows"),
    ],
)
def test_flags_that_cannot_be_used(table, options, reason):
    with pytest.raises(OptionError, match=reason):
        justesse.compare(table, incumbent="net 0.7", candidate="net 0.9", **options)


def test_filters_take_part_in_a_tournament(run, table, tmp_path):
    table.drop(columns=["id", "flagged"]).to_csv(tmp_path / "pool.csv", index=False)
    words = ["--judges", "classical,cleaned", "--cleaning", "0.6:0.1"]
    filters = ["--filter", "consensus-vote,edited-neighbours(neighbours=5,vote=mode)"]
    found = run("tournament", tmp_path / "pool.csv", *words, *filters, "--json")
    assert found.code == 0, found.err
    names = [judged["judge"] for judged in found.json["rounds"][0]["judges"]]
    assert names == [
        "classical",
        "cleaned (0.6, 0.1)",
        "cleaned (consensus-vote, remove)",
        "cleaned (consensus-vote, correct)",
        "cleaned (edited-neighbours(neighbours=5, vote=mode), remove)",
        "cleaned (edited-neighbours(neighbours=5, vote=mode), correct)",
    ]
    bad = run("tournament", tmp_path / "pool.csv", "--judges", "cleaned", "--filter", "forgetting")
    assert (bad.code, bad.out) == (2, "")
    assert "needs history, which classifiers do not give" in " ".join(bad.err.split())


def test_decisions_after_a_filter_are_those_on_the_rows_it_leaves(table):
    models = [name for name in table.columns if name.startswith("net")]
    result = justesse.tournament(
        table[["true", "label", *models]], judges="cleaned", cleaning=[], filter="majority-vote"
    )
    replaces = result.rounds[0].judged[0].replaces
    votes = table[models].to_numpy()
    left = table[(votes == table[["label"]].to_numpy()).mean(axis=1) >= 0.5]
    for i, first in enumerate(models):
        for j, second in enumerate(models):
            if i != j:
                own = justesse.compare(left, incumbent=first, candidate=second, judge="classical")
                assert replaces[i, j] == (own.verdict.decision == "replace")


@pytest.mark.parametrize("name", POOLED)
def test_a_filter_never_sees_the_truth_and_keeps_most_labels(table, name):
    answers = table[[column for column in table if column.startswith("net")]].to_numpy().T
    labels = table["label"].to_numpy()
    removed = PoolFilter(written_filter(name)).clean_rows(labels, answers, classes=3)
    corrected = PoolFilter(written_filter(name), "correct").clean_rows(labels, answers, classes=3)
    least = -1 if name == "complexity" else 0  # rows with equal answers share a leaf, so that none is alone in it
    assert least < (removed == -1).mean() < 0.5
    assert ((removed == -1) == (corrected != labels)).all()
    assert (removed[removed >= 0] == labels[removed >= 0]).all()


def test_answers_that_no_label_has_are_no_votes():
    labels, answers = np.array([0, 1]), np.array([[7, 1], [1, -1], [1, 1]])
    assert PoolFilter(written_filter("majority-vote")).clean_rows(labels, answers, classes=2).tolist() == [-1, 1]


@pytest.mark.parametrize(
    "option", [{"judge": "cleaned", "flagged": "flagged"}, {"judge": "prudent_v2", "hard": "flagged"}]
)
@pytest.mark.parametrize("make", [pd.DataFrame, lambda frame: pl.from_pandas(frame).lazy()])
def test_two_tables_that_mark_different_rows_are_refused(option, make, table):
    sides = [table.rename(columns={f"net {skill}": "prediction"}) for skill in (0.7, 0.9)]
    sides = [side[["id", "label", "prediction", "flagged"]] for side in sides]
    same = justesse.compare(*map(make, sides), on="id", **option)
    alone = justesse.compare(make(sides[0]), make(sides[1].drop(columns="flagged")), on="id", **option)
    assert same.verdict.difference == alone.verdict.difference
    sides[1] = sides[1].assign(flagged=np.where(sides[1]["id"] < 3, 1, sides[1]["flagged"]))
    with pytest.raises(InputError, match=r"Column 'flagged' of .* differs in 2 rows"):
        justesse.compare(*map(make, sides), on="id", **option)


def test_marks_that_differ_are_shown_with_their_ids_and_spellings_are_not_differences(run, write):
    first = write("a.csv", "id,label,prediction,flagged\n1,x,x,0\n2,y,x,1\n3,x,y,0\n")
    same = write("b.csv", "id,label,prediction,flagged\n1,x,x,False\n2,y,y,true\n3,x,x,0.0\n")
    other = write("c.csv", "id,label,prediction,flagged\n1,x,x,0\n2,y,y,0\n3,x,x,1\n")
    options = ("--on", "id", "--judge", "cleaned", "--flagged", "flagged")
    assert "differs" not in run("compare", first, same, *options).err
    in_order = run("compare", first, other, *options[2:])
    assert in_order.code == 2
    assert "differs in 2 rows (row 2: '1' and '0', row 3: '0' and '1')" in in_order.err
    found = run("compare", first, other, *options)
    assert found.code == 2
    assert "differs in 2 rows (id 2: '1' and '0', id 3: '0' and '1')" in found.err


def test_intervals_that_do_not_overlap_on_two_rows_are_no_proof():
    rows = {"label": list("abc"), "old": list("aca"), "new": list("abc"), "flagged": [1, 0, 0]}
    result = justesse.compare(rows, incumbent="old", candidate="new", judge="cleaned", flagged="flagged")
    text = " ".join(str(result).split())
    assert "McNemar's mid-p test finds no difference at 95 % (p = 0.2500)" in text
    assert "makes 100.0 fewer errors per 100 cases (95 % CI 2.0 to 100.0)" in text
    many = {name: values * 20 for name, values in rows.items()}
    result = justesse.compare(many, incumbent="old", candidate="new", judge="cleaned", flagged="flagged")
    assert result.verdict.decision == "replace"
    assert not any("finds no difference" in words for words in result.warnings)


def test_the_table_says_that_it_is_of_all_rows(table):
    result = justesse.compare(
        table.drop(columns="true"), incumbent="net 0.7", candidate="net 0.9", judge="cleaned", flagged="flagged"
    )
    text = " ".join(str(result).split())
    tables = [part for section in result.document().sections for part in section.parts if hasattr(part, "caption")]
    assert "Measures of both, before cleaning" in [part.caption for part in tables]
    assert "This table is of all 1,500 rows with the labels as they are." in text
    assert "is of the 1,333 rows that cleaning leaves" in text
    assert "take the labels as right" not in text


def test_a_filter_is_for_the_judge_cleaned(table):
    with pytest.raises(OptionError, match="for the judge cleaned, which does not take part"):
        justesse.tournament(table, judges=["classical"], filter="majority-vote")
