"""The tournament as a function: the same decisions and counts as a loop over pairs, versions of labels, what it shows."""

import json
import sys
from collections import Counter
from dataclasses import replace

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pytest

import justesse
from justesse import Tally, noise_inject, tournament
from justesse import judges as judge_room
from justesse.charts.decision_matrix import decision_cells
from justesse.core.case import Case
from justesse.core.errors import ClassError, InputError, OptionError
from justesse.judges import judge_named
from justesse.verbs.schemas import schema
from justesse.verbs.tournament import result as tournament_result

SCHEMA = schema("tournament")
OFF = ~np.eye(6, dtype=bool)


@pytest.fixture(scope="module")
def data():
    """Six classifiers of different skill that repeat some of the label noise, three classes, 12 % wrong labels."""
    rng = np.random.default_rng(7)
    n = 1500
    true = rng.choice(["ant", "bee", "cow"], n, p=[0.5, 0.3, 0.2])
    wrong = rng.random(n) < 0.12
    label = np.where(wrong, rng.permutation(true), true)
    columns = {"id": np.arange(n), "label": label, "true": true}
    for at, skill in enumerate((0.62, 0.66, 0.7, 0.73, 0.74, 0.8)):
        told = np.where(rng.random(n) < 0.3 + 0.1 * (at % 3), label, true)
        columns[f"net {at}"] = np.where(rng.random(n) < skill, told, rng.permutation(true))
    return columns


@pytest.fixture(scope="module")
def found(data):
    return tournament(data, judges=["classical", "paired"])


def pair(data, one, other, **more):
    rows = pd.DataFrame(
        {"label": data["label"], "true": data["true"], "incumbent": data[one], "candidate": data[other], **more}
    )
    counted = rows.value_counts().reset_index()
    return Case(Tally.of(tuple(rows.columns), [tuple(row) for row in counted.itertuples(index=False)]))


@pytest.mark.parametrize("measure", ["accuracy", "recall:bee", "precision:cow"])
@pytest.mark.parametrize("judge", ["classical", "paired", "prudent_v1", "sharp"])
def test_it_decides_as_a_loop_over_pairs_does(judge, measure, data):
    found = tournament(data, judges=judge, measure=measure, level=0.8).rounds[0]
    names = [name for name in data if name.startswith("net")]
    for i, j in ((0, 1), (1, 0), (0, 3), (2, 3), (3, 4), (4, 2), (5, 4)):
        case = pair(data, names[i], names[j])
        assert found.judged[0].replaces[i, j] == judge_named(judge).decide(case, measure=measure, level=0.8).replaces
        for form in ("overlap", "paired"):
            right = judge_named("reference").decide(case, measure=measure, form=form, level=0.8)
            assert found.references[form][i, j] == right.replaces
        assert found.values[j] - found.values[i] == pytest.approx(right.difference.value)


def hard_rows(data, how, pc):
    names = [name for name in data if name.startswith("net")]
    if how == "difficulty":
        hardness = data["id"]
    else:
        said = np.array([data[name] for name in names])
        hardness = [-max(Counter(row).values()) for row in said.T.tolist()]
    return pd.Series(hardness).rank(ascending=False, method="first") <= pc * len(hardness)


@pytest.mark.parametrize("how", ["disagreement", "difficulty"])
def test_prudent_v2_doubts_the_hardest_rows(how, data):
    chosen = {"judges": "prudent_v2", "hard_by": how, "pc": 0.06, "level": 0.6}
    found = tournament(data, **chosen, **({"difficulty": "id"} if how == "difficulty" else {})).rounds[0]
    assert found.judged[0].name == f"prudent_v2 ({how})"
    names = [name for name in data if name.startswith("net")]
    answers = []
    for i, j in ((0, 3), (1, 5), (2, 5), (3, 5), (0, 5), (4, 2)):
        case = pair(data, names[i], names[j], hard=hard_rows(data, how, 0.06))
        answers.append(judge_named("prudent_v2").decide(case, pc=0.06, level=0.6).replaces)
        assert found.judged[0].replaces[i, j] == answers[-1]
    assert set(answers) == {True, False}


def test_prudent_v2_shows_its_rankings_side_by_side_and_doubting_nothing_is_classical(data):
    assert tournament(data, judges="prudent_v2").judges == ["prudent_v2 (disagreement)", "prudent_v2 (random)"]
    ranked = tournament(data, judges="prudent_v2", difficulty="id").judges
    assert ranked[-1] == "prudent_v2 (difficulty)"
    followed = tournament(
        data, judges="prudent_v2", noise_rates=[0.1], answers={"x": data["label"]}, hard_by="difficulty"
    )
    assert followed.rounds[0].judged[0].settings == {"pc": 0.1, "hard_by": "difficulty"}
    both = tournament(data, judges=["classical", "prudent_v2"], hard_by="random", pc=0).rounds[0].judged
    assert np.array_equal(both[0].replaces, both[1].replaces)
    with pytest.raises(OptionError, match="--difficulty COL"):
        tournament(data, judges="prudent_v2", hard_by="difficulty")


def test_a_rate_told_to_the_prudent_is_used(data):
    calm, wary = (tournament(data, judges=["prudent_v1", "sharp"], rate=rate).rounds[0].judged for rate in (0.0, 0.2))
    assert np.array_equal(calm[1].replaces, tournament(data, judges="paired").rounds[0].judged[0].replaces)
    assert calm[0].replaces.any()
    assert not wary[0].replaces.any()
    assert wary[0].settings == {"rate": 0.2}


def test_cleaning_that_mends_everything_or_nothing_is_the_reference_or_classical(data):
    steps = [(1, 0, 1), (0, 0), (0.6, 0.1), (0.6, 0.1, 0.5)]
    found = tournament(data, judges=["classical", "cleaned"], cleaning=steps).rounds[0]
    classical, mended, left, removed, corrected = found.judged
    assert np.array_equal(mended.replaces, found.references["overlap"])
    assert np.array_equal(left.replaces, classical.replaces)
    assert [one.name for one in (removed, corrected)] == ["cleaned (0.6, 0.1)", "cleaned (0.6, 0.1, 0.5)"]
    assert corrected.settings == {"s": 0.6, "e": 0.1, "c": 0.5}
    with pytest.raises(InputError, match="removed all 1,500 rows"):
        tournament(data, judges="cleaned", cleaning=[(1, 1)])


@pytest.mark.parametrize("measure", ["accuracy", "precision:bee"])
def test_cleaning_by_removal_judges_the_rows_that_are_left(measure, data):
    found = tournament(data, judges="cleaned", cleaning=[(1, 0)], measure=measure, level=0.8).rounds[0]
    right = data["label"] == data["true"]
    few = {name: column[right] for name, column in data.items()}
    kept = tournament(few, judges="classical", measure=measure, level=0.8)
    assert np.array_equal(found.judged[0].replaces, kept.rounds[0].judged[0].replaces)


def test_an_audit_that_may_ask_everything_finds_who_is_better(data):
    few = {name: column[:300] for name, column in data.items() if name not in ("net 1", "net 3", "net 4")}
    found = tournament(few, judges="audited", budget=300, level=0.999).rounds[0]
    test_set, population = found.judged
    better = found.values[None, :] > found.values[:, None]
    assert np.array_equal(test_set.replaces, better)
    assert not np.any(population.replaces & ~better)
    assert 0 < population.asked["mean"] < population.asked["most"] <= 300
    assert test_set.settings == {"budget": 300, "expert_error": 0.0, "question": "test set"}


def test_audits_of_models_that_differ_in_one_row_take_any_margin():
    true = np.arange(40) % 2
    answers = {"a": true, "b": np.where(np.arange(40) == 7, 1 - true, true), "c": np.where(np.arange(40) < 9, 0, true)}
    columns = {"true": true, "label": true, **answers}
    for margin in (0.01, 0.05, 0.5):
        found = justesse.tournament(columns, judges="audited", margin=margin)
        assert [one.name for one in found.rounds[0].judged] == ["audited (test set)", "audited (population)"]


def test_audits_are_about_accuracy_and_not_for_every_pair_of_a_crowd(data, monkeypatch):
    with pytest.raises(OptionError, match="accuracy only"):
        tournament(data, judges=["audited"], measure="recall:ant")
    found = tournament(data, measure="recall:ant", budget=5)
    assert not any("audited" in name for name in found.judges)
    assert "audited decides on accuracy only and was left out" in found.warnings[0]
    few = tuple(replace(judge, most_pairs=10 if judge.most_pairs else None) for judge in judge_room.ALL)
    monkeypatch.setattr(judge_room, "ALL", few)
    assert "audited was left out: 30 pairs would take long" in tournament(data, budget=5).warnings[0]
    monkeypatch.setattr(sys.modules["justesse.judges.audited"], "AT_ONCE", 7)  # and in parts
    asked = tournament(data, judges=["audited"], budget=5)
    assert asked.judges == ["audited (test set)", "audited (population)"]
    assert asked.rounds[0].judged[0].asked["most"] <= 5


def test_the_rates_are_counts_of_pairs(found, data):
    held = found.rounds[0]
    better = np.array([np.mean(data[name] == data["true"]) for name in found.names])
    for one in held.judged:
        for form, right in held.references.items():
            for name, hits, among in (
                ("type_one", one.replaces & ~right & OFF, ~right & OFF),
                ("type_two", ~one.replaces & right & OFF, right & OFF),
                ("agreement", (one.replaces == right) & OFF, OFF),
            ):
                told = one.to_dict()["against"][form][name]
                assert (told["count"], told["n"]) == (hits.sum(), among.sum())
                assert told["interval"]["low"] <= told["value"] <= told["interval"]["high"]
        worse = better[None, :] < better[:, None]
        told = one.to_dict()["worse_accepted"]
        assert (told["count"], told["n"]) == ((one.replaces & worse).sum(), worse.sum())


def test_json_is_what_the_schema_says(data):
    found = tournament(data, measure=["accuracy", "recall"], judges="all")
    assert len(found.judges) > 5
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    jsonschema.validate(told, SCHEMA)
    assert [one["class"] for one in told["rounds"]] == [None, "ant", "bee", "cow"]


def test_decisions_are_written_worst_first(found):
    told = found.to_dict()["rounds"][0]
    places = [found.names.index(one["name"]) for one in told["models"]]
    values = [one["true"] for one in told["models"]]
    assert values == sorted(values)
    word = told["decisions"]["judges"]["classical"][2]
    expected = found.rounds[0].judged[0].replaces[places[2], places]
    assert [letter == "1" for letter in word] == expected.tolist()
    assert word[2] == "-"


def test_millions_of_decisions_are_left_out(found, monkeypatch):
    monkeypatch.setattr(tournament_result, "MOST_DECISIONS", 100)
    told = found.to_dict()
    assert told["rounds"][0]["decisions"] is None
    jsonschema.validate(told, SCHEMA)


def test_labels_that_are_right_leave_judges_the_references(data):
    found = tournament({**data, "label": data["true"]}, judges=["classical", "paired"])
    classical, paired = found.rounds[0].judged
    assert classical.against["overlap"]["agreement"].value == 1
    assert paired.against["paired"]["agreement"].value == 1
    assert any("No label is wrong" in warning for warning in found.warnings)


def test_several_columns_of_labels_are_versions(data):
    found = tournament({**data, "label_0": data["true"]}, label=["label", "label_0"], judges="paired")
    assert [one.version.name for one in found.rounds] == ["label", "label_0"]
    assert found.rounds[0].version.realised == np.mean(data["label"] != data["true"])
    assert found.rounds[1].version.realised == 0
    assert "label, 7.1 % wrong" in repr(found)


def test_noise_is_that_of_noise_inject(data):
    found = tournament(data, noise_rates=[0.05, 0.1], judges="paired", seed=3)
    made = noise_inject({"label": data["true"]}, noise="uniform", noise_rates=[0.05, 0.1], seed=3)
    for held, version in zip(found.rounds, made.versions, strict=True):
        assert held.version.realised == version.noisy.realised
        names = np.array(found.classes)[held.version.labels]
        assert np.array_equal(names, version.noisy.label)
    one, other = (held.version.labels != found.rounds[0].version.labels for held in found.rounds)
    assert not one.any()
    assert other.any()


def test_noise_follows_votes_answers_and_saved_rankings(data, tmp_path):
    rng = np.random.default_rng(1)
    classes = ["ant", "bee", "cow"]
    votes = {name: rng.integers(0, 5, len(data["id"])) + 5 * (data["true"] == name) for name in classes}
    shuffled = rng.permutation(len(data["id"]))
    mixed = {"id": data["id"][shuffled], **{name: column[shuffled] for name, column in votes.items()}}
    made = noise_inject(
        {"label": data["true"]}, noise="features", votes=votes, noise_rate=0.1, ranking=tmp_path / "r.parquet"
    )
    by_votes = tournament(data, noise_rates=[0.1], votes=mixed, on="id", judges="paired")
    saved = tournament(data, noise_rates=[0.1], ranking=tmp_path / "r.parquet", judges="paired")
    for found in (by_votes, saved):
        names = np.array(found.classes)[found.rounds[0].version.labels]
        assert np.array_equal(names, made.versions[0].noisy.label)
    assert "read from" in saved.warnings[0]
    answers = {f"person {at}": rng.choice(classes, len(data["id"])) for at in range(3)}
    found = tournament(data, noise_rates=[0.2], answers=answers, judges="paired")
    assert found.rounds[0].version.realised == pytest.approx(0.2)


def test_rates_come_in_the_callers_kind_of_frame(data, found):
    frame = tournament(pl.DataFrame(data), judges=["classical", "paired"]).to_frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame.height == 2 * 2
    first = frame.row(0, named=True)
    assert (first["judge"], first["reference"]) == ("classical", "overlap")
    assert first["type_one"] == found.rounds[0].judged[0].against["overlap"]["type_one"].value


def test_it_is_saved_drawn_and_reported(found, tmp_path):
    assert pd.read_csv(found.save(tmp_path / "rates.csv")).shape[0] == 4
    drawn = {path.name for path in found.charts(tmp_path / "charts")}
    names = ("decisions_overlap", "decisions_paired", "ranks")
    assert drawn == {f"{name}.{kind}" for name in names for kind in ("svg", "png")}
    page = found.report(tmp_path / "page.html").read_text().replace("\N{NO-BREAK SPACE}", " ")
    for said in (
        found.headline,
        "Worse candidates accepted",
        "Decisions, pair by pair",
        "net 5",
        "Type I errors (red)",
    ):
        assert said in page
    assert page.count("<script") == 1  # the one that sorts tables


def test_the_picture_shows_the_decisions_in_the_order_of_the_truth(found):
    held = found.rounds[0]
    (panel, _) = (one for one in found.chart("decisions", reference="paired").to_dict()["concat"])
    assert panel["title"]["text"] == ["classical"]
    said = found.chart("decisions", reference="paired").to_dict()["description"]
    errors = [int(np.sum(decision_cells(judge.replaces, held.references["paired"]) == 3)) for judge in held.judged]
    assert errors == [0, 1]
    assert said.endswith("Type I errors (red): paired 1; none in the others.")


def test_charts_that_there_are_not_are_named(found):
    with pytest.raises(OptionError, match="no chart 'rates'. Charts: decisions"):
        found.chart("rates")
    with pytest.raises(OptionError, match="one of overlap, paired; got 'x'"):
        found.chart(reference="x")
    with pytest.raises(OptionError, match="'mcc' was not judged here. Measures: 'accuracy'"):
        found.chart(measure="mcc")


def test_several_measures_and_rates_have_charts_of_their_own(data, tmp_path):
    found = tournament(data, noise_rates=[0.02, 0.1], measure=["accuracy", "recall:ant"], judges="paired")
    names = set(found.drawings())
    assert {"rates_paired_recall_of_ant", "decisions_overlap_accuracy"} <= names
    assert len(names) == 2 * 2 * 2 + 1
    assert "ranks" in names
    page = found.report(tmp_path / "page.html").read_text()
    ids = [part.split('"')[0] for part in page.split(' id="')[1:]]
    assert len(ids) == len(set(ids))


def test_it_shows_itself(found):
    assert found.headline in " ".join(repr(found).split())
    assert "type II" in repr(found)
    assert "<table>" in found._repr_html_()
    assert justesse.tournament is tournament


def test_hostile_names_do_no_harm(data, tmp_path):
    nasty = "<script>alert('x')</script> {{7*7}} \x07"
    named = {nasty if name == "net 0" else name: column for name, column in data.items()}
    page = tournament(named, judges="paired").report(tmp_path / "page.html").read_text()
    assert "<script>alert" not in page
    assert page.count("<script>") == 1  # the one that sorts tables
    assert "49" not in page.split("<title>")[0]


def test_the_same_seed_gives_the_same_bytes(data, tmp_path):
    pages = [
        tournament(data, noise_rates=[0.1], seed=5).report(tmp_path / f"{at}.html").read_bytes() for at in range(2)
    ]
    assert pages[0] == pages[1]


def test_what_to_be_careful_about_is_said(data):
    found = tournament({**data, "net 0": data["net 1"], "net 2": ["ant"] * 1500, "note": ["x"] * 1500}, judges="paired")
    said = " ".join(found.warnings)
    for words in (
        "'net 0' and 'net 1' predict the same class",
        "Always the same prediction: 'net 2'",
        "'id', 'note'",
        "Only 6 classifiers",
    ):
        assert words in said


def test_a_measure_that_is_undefined_is_said_and_replaces_nothing(data):
    found = tournament({**data, "net 2": ["ant"] * 1500}, measure="precision:bee", judges=["classical", "paired"])
    assert "precision of 'bee' is undefined for 'net 2'" in " ".join(found.warnings)
    for one in found.rounds[0].judged:
        assert not one.replaces[2].any()
        assert not one.replaces[:, 2].any()
    told = found.to_dict()
    jsonschema.validate(told, SCHEMA)
    assert told["rounds"][0]["models"][0] == {"name": "net 2", "true": None, "label": None}


def test_rates_without_pairs_are_undefined_with_the_reason(data):
    alike = {name: column for name, column in data.items() if not name.startswith("net")}
    found = tournament({**alike, "a": data["net 1"], "b": data["net 1"]}, judges="paired")
    told = found.to_dict()["rounds"][0]["judges"][0]
    assert told["against"]["paired"]["type_two"]["value"] is None
    assert told["against"]["paired"]["type_two"]["undefined"] == "the reference replaces in no pair"
    assert told["worse_accepted"]["undefined"] == "no candidate is truly worse than an incumbent"
    assert "undefined" in repr(found)
    assert "No judge accepted a worse candidate." in found.headline


def test_progress_is_told(data):
    steps = []
    tournament(
        data,
        judges=["classical", "paired"],
        noise_rates=[0.1, 0.2],
        progress=lambda done, whole: steps.append((done, whole)),
    )
    assert steps == [(at, 6) for at in range(1, 7)]


REFUSED = {
    "an unknown judge": ({"judges": "classic"}, OptionError, "Unknown judge 'classic'. Did you mean 'classical'"),
    "no judge": ({"judges": []}, OptionError, "No judge was named"),
    "the reference": ({"judges": "reference"}, OptionError, "cannot take part in a tournament"),
    "a measure of no share": ({"measure": "macro-f1"}, OptionError, "accuracy, recall:CLASS or precision:CLASS; got 'macro f1'"),
    "an unknown measure": ({"measure": "acuracy"}, OptionError, "Did you mean 'accuracy'"),
    "no measure": ({"measure": []}, OptionError, "At least one measure"),
    "an unknown class": ({"measure": "recall:be"}, OptionError, "Class 'be' not found. Did you mean 'bee'"),
    "labels and rates": ({"label": "label", "noise_rates": [0.1]}, OptionError, "not both"),
    "votes without rates": ({"votes": {"ant": [1]}}, OptionError, "Give noise_rates too"),
    "no rates": ({"noise_rates": []}, OptionError, "at least one rate"),
    "a rate in percent": ({"noise_rates": [5]}, OptionError, "must be at least 0 and below 1"),
    "an unknown noise": ({"noise_rates": [0.1], "noise": "white"}, OptionError, "noise must be one of uniform"),
    "features without votes": ({"noise_rates": [0.1], "noise": "features"}, OptionError, "needs the difficulty of the rows"),
    "votes for uniform noise": ({"noise_rates": [0.1], "noise": "uniform", "votes": {"ant": [1]}}, OptionError, "for noise by features"),
    "a level in percent": ({"level": 95}, OptionError, "between 0 and 1"),
    "a negative seed": ({"seed": -1}, OptionError, "0 or more"),
    "a way to be hard": ({"hard_by": "luck"}, OptionError, "hard_by must be one of disagreement, random, difficulty; got 'luck'"),
    "a cleaning of one chance": ({"cleaning": [(0.5,)]}, OptionError, r"chances \(s, e\) or \(s, e, c\)"),
    "no cleaning step": ({"judges": "cleaned", "cleaning": []}, OptionError, "The judge cleaned cannot take part: it needs"),
    "a chance in percent": ({"cleaning": [(60, 10)]}, OptionError, "a probability from 0 to 1; got 60"),
    "pc in percent": ({"pc": 10}, OptionError, "between 0 and 1; got 10"),
    "a negative budget": ({"judges": "audited", "budget": -1}, OptionError, "budget"),
    "an expert always wrong": ({"judges": "audited", "expert_error": 2}, OptionError, "expert"),
    "a rate for judges in percent": ({"rate": 5}, OptionError, "at least 0 and below 1"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_done_is_refused_in_words(name, data):
    options, error, said = REFUSED[name]
    with pytest.raises(error, match=said):
        tournament(data, **options)


def test_one_class_cannot_be_made_wrong():
    same = {"true": ["a"] * 5, "m": ["a"] * 5, "n": ["a"] * 5}
    with pytest.raises(ClassError, match="no label can be wrong"):
        tournament(same, noise_rates=[0.1])


def test_a_ranking_needs_every_row(data):
    gap = {**data, "net 0": [None, *data["net 0"][1:]]}
    with pytest.raises(InputError, match="one file without gaps"):
        tournament(gap, noise_rates=[0.1], answers={"x": data["true"]}, drop_missing=True)


def test_files_are_named_as_short_as_tells_them_apart(tmp_path):
    for folder, answers in (("one", "xxyy"), ("two", "xyyy")):
        (tmp_path / folder).mkdir()
        rows = "".join(
            f"{at},{true},{true},{said}\n" for at, (true, said) in enumerate(zip("xyxy", answers, strict=True))
        )
        (tmp_path / folder / "m.csv").write_text("id,label,true,prediction\n" + rows)
    paths = [tmp_path / folder / "m.csv" for folder in ("one", "two")]
    assert tournament(*paths, on="id", judges="paired").names == tuple(map(str, paths))
    with pytest.raises(InputError, match="The same file is named twice"):
        tournament(paths[0], paths[0], on="id")


def test_every_judge_has_its_place_in_the_tournament(data):
    names = tournament(data, judges="all", budget=5).judges
    assert {name.partition(" ")[0] for name in names} == {
        judge.name for judge in judge_room.ALL if judge.in_tournaments
    }
