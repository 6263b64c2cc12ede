"""`ab_start`, `ab_add`, `ab_status` and `ab_watch`: a comparison that lives in a file."""

import itertools
import json
import threading
import time

import jsonschema
import numpy as np
import pytest

import justesse
from justesse.core.errors import ColumnError, FileError, InputError, MissingValueError, OptionError, ScoreError
from justesse.verbs.schemas import schema

AB = schema("ab")


def events(n, seed=0, open_share=0.0, **means):
    rng = np.random.default_rng(seed)
    at = rng.integers(0, len(means), n)
    outcomes = (rng.random(n) < np.array(list(means.values()))[at]).astype(float).tolist()
    return {
        "id": [f"e{number}" for number in range(n)],
        "variant": [list(means)[code] for code in at],
        "outcome": [None if rng.random() < open_share else x for x in outcomes],
        "cost": rng.random(n).round(3).tolist(),
    }


def part(rows, at):
    return {key: [values[place] for place in at] for key, values in rows.items()}


def same(state, file):
    state, file = (json.loads(json.dumps(result.to_dict(), allow_nan=False)) for result in (state, file))
    jsonschema.validate(state, AB)
    again = " came more than once with the same id"  # no reason to warn in a file that expects it
    assert not any(again in warning for warning in state["warnings"])
    file["warnings"] = [warning for warning in file["warnings"] if again not in warning]
    return state == file


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("missing", ["random", "worst-case"])
def test_any_batching_equals_one_pass(tmp_path, seed, missing):
    """With repetitions and late outcomes: the state is that of one file with all rows, to the last bit."""
    rng = np.random.default_rng(seed)
    rows = events(900, seed, 0.1, old=0.4, new=0.5)
    full = events(900, seed, 0.0, old=0.4, new=0.5)
    late = [at for at in range(900) if rows["outcome"][at] is None][:40]
    order = [(at, rows) for at in range(900)] + [(at, full) for at in late] + [(at, full) for at in late[:7]]
    order[700:700] = [(at, rows) for at in range(100, 150)]
    everything = {key: [source[key][at] for at, source in order] for key in rows}
    options = {"missing": missing, "guardrail": ["cost<0.2", "outcome>-0.3"], "margin": 0.05, "incumbent": "old"}
    whole = justesse.ab(everything, id="id", **options)
    cuts = [0, *sorted(rng.choice(np.arange(1, len(order)), 6, replace=False).tolist()), len(order)]
    path = tmp_path / "my.ab"
    for at, (first, last) in enumerate(itertools.pairwise(cuts)):
        batch = part(everything, range(first, last))
        added = justesse.ab_start(path, batch, **options) if at == 0 else justesse.ab_add(path, batch)
        assert added.addition.rows == added.events + added.completed + added.repeated
    assert same(justesse.ab_status(path), whole)
    assert whole.repeated >= 50


def test_a_proxy_and_a_range_survive_the_file(tmp_path):
    rows = events(600, 1, 0.5, old=0.4, new=0.5)
    rows["grade"] = [10 * x for x in rows.pop("cost")]
    rows["outcome"] = [None if x is None else 10 * x for x in rows["outcome"]]
    options = {"proxy": "grade", "outcome_range": (0, 10), "lower_is_better": True, "level": 0.9, "ratio": "1:1"}
    path = tmp_path / "my.ab"
    justesse.ab_start(path, part(rows, range(200)), **options)
    justesse.ab_add(path, part(rows, range(100, 600)))
    whole = justesse.ab(rows, id="id", **options).to_dict()
    state = justesse.ab_status(path).to_dict()
    assert {**state, "repeated_events": 0, "warnings": None} == {**whole, "warnings": None}


def test_a_decision_is_never_undone_by_late_outcomes(tmp_path):
    """Open outcomes that come late, and all against the candidate, do not change what was decided before."""
    path = tmp_path / "my.ab"
    first = events(1500, 2, 0.0, old=0.3, new=0.5)
    hidden = {
        **first,
        "outcome": [
            None if at % 4 == 0 and v == "new" else x
            for at, (v, x) in enumerate(zip(first["variant"], first["outcome"], strict=True))
        ],
    }
    justesse.ab_start(path, hidden, missing="random")
    before = justesse.ab_status(path).verdict
    assert before.decision == "replace"
    at = [place for place, x in enumerate(hidden["outcome"]) if x is None]
    justesse.ab_add(path, {**part(first, at), "outcome": [0] * len(at)})
    after = justesse.ab_status(path).verdict
    assert (after.decision, after.decided_after) == ("replace", before.decided_after)
    assert after.difference.value < before.difference.value


GOOD = {"id": [1, 2], "variant": ["old", "new"], "outcome": [0, 1]}


@pytest.mark.parametrize(
    ("rows", "error", "words"),
    [
        ({"id": [3, 4], "variant": ["old", "other"], "outcome": [0, 1]}, InputError, "row 2: 'other' is not a variant"),
        ({"id": [3, 3], "variant": ["old", "new"], "outcome": [0, 0]}, InputError, "row 2: event '3' .* another variant"),
        ({"id": [3, 1], "variant": ["old", "old"], "outcome": [0, 1]}, InputError, "row 2: event '1' .* another outcome"),
        ({"id": [3, 4], "variant": ["old", "new"], "outcome": [0, None]}, MissingValueError, "row 2: no outcome"),
        ({"id": [3, 4], "variant": ["old", "new"], "outcome": [0, float("nan")]}, MissingValueError, "row 2: no outcome"),
        ({"id": [3, 4], "variant": ["old", "new"], "outcome": [0, 7]}, ScoreError, "row 2: outcome 7"),
        ({"id": [3, 4], "variant": ["old", None], "outcome": [0, 1]}, MissingValueError, "row 2: no variant"),
        ({"id": ["3", None], "variant": ["old", "new"], "outcome": [0, 1]}, MissingValueError, "row 2: no id"),
        ({"id": [], "variant": [], "outcome": []}, InputError, "No rows"),
        ({"event": [3], "variant": ["old"], "outcome": [0]}, ColumnError, "Column 'id' not found"),
    ],
)  # fmt: skip
def test_wrong_events_add_nothing(tmp_path, rows, error, words):
    path = tmp_path / "my.ab"
    justesse.ab_start(path, GOOD)
    before = path.read_bytes()
    with pytest.raises(error, match=words):
        justesse.ab_add(path, rows)
    assert path.read_bytes() == before
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["my.ab"]


@pytest.mark.parametrize(
    ("rows", "options", "error", "words"),
    [
        (None, {}, OptionError, "name the variants"),
        (None, {"incumbent": "a", "candidate": "a"}, OptionError, "each variant once"),
        ({"variant": ["a", "b"], "outcome": [0, 1]}, {}, ColumnError, "No id column found"),
        ({"id": [1], "variant": ["a"], "outcome": [0]}, {}, InputError, "one variant only"),
        (GOOD, {"level": 2}, OptionError, "level must lie"),
        (GOOD, {"guardrail": "outcome"}, OptionError, "A guardrail says"),
        (GOOD, {"guardrail": "cost<0.1"}, ColumnError, "'cost' not found"),
    ],
)
def test_a_wrong_start_makes_no_file(tmp_path, rows, options, error, words):
    with pytest.raises(error, match=words):
        justesse.ab_start(tmp_path / "my.ab", rows, **options)
    assert list(tmp_path.iterdir()) == []


def test_a_file_without_events_has_no_status_yet(tmp_path):
    justesse.ab_start(tmp_path / "my.ab", incumbent="old", candidate="new")
    with pytest.raises(InputError, match="no events yet"):
        justesse.ab_status(tmp_path / "my.ab")
    justesse.ab_add(tmp_path / "my.ab", {"id": [1], "variant": ["old"], "outcome": [1]})
    written = justesse.ab_status(tmp_path / "my.ab").to_dict()
    assert (written["verdict"], written["difference"], written["n"]) == ("cannot_tell", None, 1)
    with pytest.raises(FileError, match="never overwritten"):
        justesse.ab_start(tmp_path / "my.ab", incumbent="old", candidate="new")


def test_watching_follows_a_file_that_grows_until_it_is_decided(tmp_path):
    path, rows = tmp_path / "events.csv", events(1200, 3, old=0.3, new=0.6)
    lines = [f"{v},{x:g}\n" for v, x in zip(rows["variant"], rows["outcome"], strict=True)]
    path.write_text("variant,outcome\n")

    def append():
        with open(path, "a") as file:
            for start in range(0, len(lines), 60):
                file.writelines(lines[start : start + 60])
                file.flush()
                time.sleep(0.02)

    thread = threading.Thread(target=append)
    thread.start()
    seen = list(justesse.ab_watch(path, every=0.01, until_decided=True, seconds=60))
    thread.join()
    assert seen[-1].replaces
    assert [result for result in seen[:-1] if result is not None and result.replaces] == []
    counts = [result.events for result in seen if result is not None]
    assert counts == sorted(counts)


def test_watching_ends_in_time_and_explains_wrong_events(tmp_path):
    path = tmp_path / "my.ab"
    justesse.ab_start(path, incumbent="old", candidate="new")
    assert list(justesse.ab_watch(path, every=0.01, seconds=0.05)) == [None]
    with pytest.raises(OptionError, match="fixed when it was started. Leave out level"):
        justesse.ab_watch(path, level=0.9)
    with pytest.raises(OptionError, match="above 0"):
        justesse.ab_watch(path, every=0)
    with pytest.raises(FileError, match="not found"):
        justesse.ab_watch(tmp_path / "none.csv")
    (tmp_path / "wrong.csv").write_text("variant,outcome\na,1\nb,x\n")
    with pytest.raises(ScoreError, match="row 2: 'x'"):
        list(justesse.ab_watch(tmp_path / "wrong.csv", every=0.01, seconds=20))


@pytest.mark.parametrize("name", ["event", "event_id", "id"])
def test_the_first_events_settle_the_id_column(tmp_path, name):
    path = tmp_path / "my.ab"
    justesse.ab_start(path, incumbent="old", candidate="new")
    rows = {name: [1, 2], "variant": ["old", "new"], "outcome": [0, 1]}
    with pytest.raises(ColumnError, match="No id column found"):
        justesse.ab_add(path, {"key": [1], "variant": ["old"], "outcome": [0]})
    assert justesse.ab_add(path, rows).events == 2
    assert justesse.ab_add(path, rows).repeated == 2
    assert justesse.ab_status(path).events == 2
    with pytest.raises(ColumnError, match=f"Column '{name}' not found"):
        justesse.ab_add(path, {"key": [3], "variant": ["old"], "outcome": [0]})


def test_watching_uses_the_complete_rows_of_a_file_whose_last_line_is_cut(tmp_path):
    path = tmp_path / "events.csv"
    whole = "variant,outcome\n" + "old,0\nnew,1\n" * 30
    path.write_text(whole + "ol")
    (result,) = justesse.ab_watch(path, every=0.01, seconds=0)
    assert (result.events, str(result.source)) == (60, str(path))
    path.write_text(whole + "old,")
    assert [result.events for result in justesse.ab_watch(path, every=0.01, seconds=0)] == [60]
    path.write_text("variant,outcome\nold,0\nne")
    assert list(justesse.ab_watch(path, every=0.01, seconds=0)) == [None]
    path.write_text("variant,outcome\nold,x\nnew,1\nne")
    with pytest.raises(ScoreError, match="events.csv, row 1: 'x'"):
        list(justesse.ab_watch(path, every=0.01))


@pytest.mark.parametrize("missing", ["random", "worst-case"])
def test_values_of_guardrails_that_come_late_count_as_in_one_file(tmp_path, missing):
    rows = events(600, 4, 0.1, old=0.4, new=0.5)
    early = {**rows, "cost": [None if at % 3 == 0 else x for at, x in enumerate(rows["cost"])]}
    outcomes_first = {**rows, "cost": [None] * 600}
    options = {"missing": missing, "guardrail": "cost<0.2", "incumbent": "old"}
    path = tmp_path / "my.ab"
    justesse.ab_start(path, part(early, range(400)), **options)
    justesse.ab_add(path, part(outcomes_first, range(400, 600)))
    added = justesse.ab_add(path, part(rows, range(600)))
    assert added.events == 0
    assert added.completed == 134 + 200  # every third of the first 400, and all of the rest
    assert justesse.ab_add(path, rows).repeated == 600
    parts = [part(early, range(400)), part(outcomes_first, range(400, 600)), rows, rows]
    everything = {key: [value for own in parts for value in own[key]] for key in rows}
    state = justesse.ab_status(path)
    assert same(state, justesse.ab(everything, id="id", **options))
    guard = state.to_dict()["guardrails"][0]
    assert (guard["missing"], guard["n"]) == (0, 600)


def test_another_value_of_a_guardrail_is_refused_like_another_outcome(tmp_path):
    rows = events(50, 4, old=0.4, new=0.5)
    other = {**part(rows, [7]), "cost": [rows["cost"][7] / 2]}
    path = tmp_path / "my.ab"
    justesse.ab_start(path, rows, guardrail="cost<0.2", incumbent="old")
    with pytest.raises(InputError, match="row 1: event 'e7' came before with another 'cost'. Nothing was added"):
        justesse.ab_add(path, other)
    both = {key: [*rows[key], *other[key]] for key in rows}
    with pytest.raises(InputError, match="row 51: event 'e7' occurs with two different values of 'cost'. Keep"):
        justesse.ab(both, id="id", guardrail="cost<0.2", incumbent="old")


def test_a_later_row_without_the_outcome_is_a_repetition_in_both_forms(tmp_path):
    rows = {"id": [1, 2, 1], "variant": ["old", "new", "old"], "outcome": [1, 0, None]}
    whole = justesse.ab(rows, id="id", missing="random")
    path = tmp_path / "my.ab"
    assert justesse.ab_start(path, rows, missing="random").repeated == whole.repeated == 1


def test_more_guardrails_than_an_event_file_holds_are_refused(tmp_path):
    rows = {"id": [1, 2], "variant": ["old", "new"], "outcome": [1, 0], **{f"c{at}": [0, 0] for at in range(21)}}
    path, guards = tmp_path / "my.ab", [f"c{at}<0.1" for at in range(21)]
    with pytest.raises(OptionError, match="at most 20 columns of guardrails and proxies"):
        justesse.ab_start(path, rows, guardrail=guards)
    justesse.ab_start(path, rows, guardrail=guards[:20])
    assert len(justesse.ab_status(path).to_dict()["guardrails"]) == 20
