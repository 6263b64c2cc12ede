"""`ab`: events in, a verdict out."""

import itertools
import json
import math

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pytest

import justesse
from justesse.core.errors import ColumnError, InputError, MissingValueError, OptionError, ScoreError
from justesse.core.event_blocks import BlockCounter, look_edges
from justesse.verbs.ab.answer import title
from justesse.verbs.schemas import schema

SCHEMA = schema("ab")


def stream(n, seed=0, **means):
    rng = np.random.default_rng(seed)
    names = list(means)
    at = rng.integers(0, len(names), n)
    right = rng.random(n) < np.array(list(means.values()))[at]
    return {"variant": [names[code] for code in at], "outcome": right.astype(int).tolist()}


def valid(result):
    written = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    jsonschema.validate(written, SCHEMA)
    return written


def test_a_clear_difference_replaces():
    data = stream(3000, old=0.3, new=0.45)
    written = valid(justesse.ab(data))
    means = {
        name: np.mean([x for v, x in zip(data["variant"], data["outcome"], strict=True) if v == name])
        for name in ("old", "new")
    }
    assert written["verdict"] == "replace"
    assert written["difference"] == pytest.approx(means["new"] - means["old"])
    assert written["interval"]["low"] < written["difference"] < written["interval"]["high"]
    assert written["incumbent"]["mean"] == pytest.approx(means["old"])
    assert 0 < written["decided_after"] < 3000
    assert written["more_events"] == 0
    assert 0 < written["breakdown_rate"] < 0.15
    assert written["gates"]["better"]


def test_the_same_variants_cannot_be_told_apart_and_a_margin_makes_them_equivalent():
    data = stream(20_000, old=0.3, new=0.3)
    written = valid(justesse.ab(data))
    assert (written["verdict"], written["decided_after"], written["breakdown_rate"]) == ("cannot_tell", None, None)
    assert valid(justesse.ab(data, margin=0.05))["verdict"] == "equivalent"
    assert valid(justesse.ab(data, margin=0.3))["verdict"] == "equivalent"


def test_a_worse_candidate_is_not_taken():
    assert valid(justesse.ab(stream(3000, old=0.45, new=0.3)))["verdict"] == "keep"
    lower = valid(justesse.ab(stream(3000, old=0.45, new=0.3), lower_is_better=True))
    assert lower["verdict"] == "replace"
    assert lower["difference"] > 0
    assert lower["candidate"]["mean"] == pytest.approx(0.3, abs=0.05)


def test_later_events_never_undo_a_decision():
    """A candidate that is better at first and far worse later stays decided; the caution says that it changed."""
    early, late = stream(3000, old=0.3, new=0.5), stream(20_000, seed=1, old=0.6, new=0.3)
    before = justesse.ab(early)
    both = {key: early[key] + late[key] for key in early}
    after = justesse.ab(both)
    assert before.verdict.decision == after.verdict.decision == "replace"
    assert before.verdict.decided_after == after.verdict.decided_after
    assert after.verdict.difference.value < 0
    assert after.verdict.changed
    assert any("changed over time" in words for words in after.warnings)
    written = valid(after)
    assert written["contradicted"]
    assert not valid(before)["contradicted"]
    assert "the opposite" in written["warnings"][0]
    assert str(after).startswith("Decided early: replace. But all events so far say the opposite")
    assert (written["gates"]["better"], written["breakdown_rate"]) == (False, None)
    assert after.passes("none")


def test_a_decision_to_keep_is_contradicted_too():
    early, late = stream(3000, old=0.5, new=0.3), stream(20_000, seed=1, old=0.3, new=0.6)
    after = justesse.ab({key: early[key] + late[key] for key in early})
    assert (after.verdict.decision, after.verdict.contradicted) == ("keep", True)
    assert str(after).startswith("Decided early: do not replace. But all events so far say the opposite")


@pytest.mark.parametrize("options", [{"outcome_range": "-1e308,1e308"}, {"guardrail": "outcome<1 in -1e308..1e308"}])
def test_a_range_whose_width_is_not_finite_is_refused(options):
    with pytest.raises(OptionError, match="1e308"):
        justesse.ab(stream(100, old=0.5, new=0.5), **options)


@pytest.mark.parametrize("seed", range(4))
def test_more_events_keep_decisions_and_steady_intervals_only_shrink(seed):
    data = stream(1500, seed=seed, old=0.3, new=0.42)
    decided = None
    for n in (200, 500, 900, 1500):
        result = justesse.ab({key: values[:n] for key, values in data.items()}, steady=True)
        looks = list(result.verdict.looks)
        assert all(later[2] >= before[2] and later[3] <= before[3] for before, later in itertools.pairwise(looks))
        if decided is not None:
            assert result.verdict.decision == decided
        elif result.verdict.decision != "cannot_tell":
            decided = result.verdict.decision


def test_the_forecast_comes_true():
    result = justesse.ab(stream(1000, seed=3, old=0.40, new=0.43))
    assert result.verdict.decision == "cannot_tell"
    more = result.verdict.more_events
    rows = stream(1000, seed=3, old=0.40, new=0.43)
    times = math.ceil(1 + more / 1000)
    repeated = justesse.ab({key: values * (times + 1) for key, values in rows.items()})
    assert repeated.verdict.decision != "cannot_tell"
    assert repeated.verdict.decided_after <= 1.3 * (1000 + more)


def test_several_candidates_share_the_risk():
    data = stream(6000, old=0.3, same=0.3, new=0.45)
    written = valid(justesse.ab(data))
    assert written["candidate"]["name"] == "new"
    assert written["interval"]["level"] == pytest.approx(0.975)
    assert written["family_level"] == 0.95
    assert [one["candidate"]["name"] for one in written["comparisons"]] != []
    assert {one["verdict"] for one in written["comparisons"]} == {"replace", "cannot_tell"}


def test_traffic_is_checked_against_the_plan():
    data = stream(4000, old=0.3, new=0.3)
    data = {key: [v for v, name in zip(values, data["variant"], strict=True)] for key, values in data.items()}
    keep = [at for at, name in enumerate(data["variant"]) if name == "old" or at % 3]
    lost = {key: [values[at] for at in keep] for key, values in data.items()}
    written = valid(justesse.ab(lost))
    assert written["sample_ratio"]["mismatch"]
    assert written["warnings"][0].startswith("Traffic was not split equally")
    assert not valid(justesse.ab(lost, ratio="3:2"))["sample_ratio"]["mismatch"]
    assert not valid(justesse.ab(data))["sample_ratio"]["mismatch"]


def test_shares_of_traffic_add_up_to_100():
    data = {"variant": ["old", "new"] * 979 + ["old"] * 42, "outcome": [0, 1] * 1000}
    traffic = next(section for section in justesse.ab(data).document().sections if section.id == "traffic")
    assert [row[2] for row in traffic.parts[0].cells()] == ["51.1 %", "48.9 %"]


def lossy(**rates: float) -> dict:
    """Events of which every third of the candidate is lost."""
    data = stream(6000, **rates)
    keep = [at for at, name in enumerate(data["variant"]) if name == "old" or at % 3]
    return {key: [values[at] for at in keep] for key, values in data.items()}


def test_no_gate_passes_if_traffic_was_not_split_as_planned():
    data = lossy(old=0.3, new=0.5)
    result = justesse.ab(data, margin=0.01)
    written = valid(result)
    assert written["verdict"] == "cannot_tell"
    assert (written["decided_after"], written["more_events"], written["breakdown_rate"]) == (None, None, None)
    assert written["interval"]["low"] > 0.01  # what would decide it is still shown
    assert written["gates"] == {"better": False, "not_worse": False}
    assert result.passes("none")
    assert str(title(result)).startswith("Cannot tell: traffic was not split as planned.")
    assert "--accept-mismatch" in written["warnings"][0]
    assert "go on" not in str(title(result))


def test_a_user_who_knows_the_cause_of_the_mismatch_may_decide():
    data = lossy(old=0.3, new=0.5)
    written = valid(justesse.ab(data, margin=0.01, accept_mismatch=True))
    assert written["verdict"] == "replace"
    assert written["gates"] == {"better": True, "not_worse": True}
    assert written["sample_ratio"]["mismatch"]
    assert "only if the cause has nothing to do with the outcomes" in written["warnings"][0]
    assert any("disturbed the planned traffic" in line for line in written["assumptions"])
    sound = stream(2000, old=0.3, new=0.5)
    assert valid(justesse.ab(sound, accept_mismatch=True)) == valid(justesse.ab(sound))


def test_a_harmful_candidate_stays_stopped_if_traffic_was_not_split_as_planned():
    data = lossy(old=0.5, new=0.2)
    result = justesse.ab(data, guardrail="outcome>-0.05")
    written = valid(result)
    assert (written["verdict"], written["stopped_by"]) == ("keep", "outcome>-0.05")
    assert str(title(result)) == "Keep the incumbent: the candidate breaks a guardrail."
    assert valid(justesse.ab(data))["verdict"] == "cannot_tell"


def test_open_outcomes_have_two_intervals():
    data = stream(4000, old=0.3, new=0.5)
    full = valid(justesse.ab(data))
    # bad outcomes of the candidate stay open: at random it looks better than it is
    hidden = [
        None if v == "new" and not x and at % 3 == 0 else x
        for at, (v, x) in enumerate(zip(*data.values(), strict=True))
    ]
    late = {"variant": data["variant"], "outcome": hidden}
    random, worst = (valid(justesse.ab(late, missing=how)) for how in ("random", "worst-case"))
    assert random["difference"] > full["difference"] + 0.03
    for end in ("low", "high"):  # the looks differ: at random, events whose outcome is open come last
        assert random["worst_case"][end] == pytest.approx(worst["worst_case"][end], abs=1e-3)
    assert random["worst_case"]["low"] < random["missing_at_random"]["low"]
    assert worst["interval"] == worst["worst_case"]
    assert worst["interval"]["low"] <= full["interval"]["low"] + 1e-3
    assert worst["interval"]["high"] >= full["interval"]["high"] - 1e-3
    assert worst["interval"]["low"] <= full["difference"] <= worst["interval"]["high"]


def test_worst_case_bounds_hold_for_every_way_to_fill_in():
    """Brute force: all 2^5 ways in which five open outcomes may turn out."""
    rng = np.random.default_rng(5)
    variants = ["old", "new"] * 30
    outcomes = [int(x) for x in rng.random(60) < 0.5]
    gaps = [3, 10, 21, 40, 57]
    open_ = {"variant": variants, "outcome": [None if at in gaps else x for at, x in enumerate(outcomes)]}
    worst = justesse.ab(open_, missing="worst-case").verdict.worst
    for code in range(32):
        filled = [code >> gaps.index(at) & 1 if at in gaps else x for at, x in enumerate(outcomes)]
        means = {
            name: np.mean([x for v, x in zip(variants, filled, strict=True) if v == name]) for name in ("old", "new")
        }
        assert worst.low <= means["new"] - means["old"] <= worst.high


def test_wrong_outcomes_widen_the_interval_and_break_the_verdict_at_the_breakdown_rate():
    data = stream(3000, old=0.3, new=0.5)
    plain = justesse.ab(data)
    rate = plain.verdict.breakdown
    wider = justesse.ab(data, noise_rate=0.02)
    assert wider.verdict.difference.interval.low == pytest.approx(plain.verdict.difference.interval.low - 0.04)
    assert justesse.ab(data, noise_rate=0.99 * rate).replaces
    assert not justesse.ab(data, noise_rate=1.01 * rate + 1e-6).replaces


def test_outcomes_of_another_range_give_the_same_answer_in_their_unit():
    data = stream(2000, old=0.3, new=0.45)
    times = {"variant": data["variant"], "outcome": [20 * x - 5 for x in data["outcome"]]}
    one, twenty = justesse.ab(data), justesse.ab(times, outcome_range=(-5, 15))
    assert twenty.verdict.difference.value == pytest.approx(20 * one.verdict.difference.value)
    assert twenty.verdict.difference.interval.low == pytest.approx(20 * one.verdict.difference.interval.low)
    assert twenty.verdict.decided_after == one.verdict.decided_after
    assert twenty.verdict.candidate.value == pytest.approx(20 * one.verdict.candidate.value - 5)


def test_the_asymptotic_sequence_is_an_option():
    data = stream(4000, old=0.3, new=0.3)
    written = valid(justesse.ab(data, method="asymptotic"))
    assert written["interval"]["method"] == "asymptotic-two-arms"
    plain = valid(justesse.ab(data))
    width = {key: one["interval"]["high"] - one["interval"]["low"] for key, one in (("a", written), ("b", plain))}
    assert 0.5 < width["a"] / width["b"] < 1.1


def test_repeated_and_disordered_events_are_recognised():
    data = stream(500, old=0.3, new=0.5)
    data |= {"event": [f"e{at}" for at in range(500)], "at": list(range(500))}
    plain = valid(justesse.ab(data, id="event", time="at"))
    assert (plain["repeated_events"], plain["out_of_order"]) == (0, 0)
    order = [*range(100), 300, *range(100, 500), 42]
    mixed = {key: [values[at] for at in order] for key, values in data.items()}
    found = valid(justesse.ab(mixed, id="event", time="at"))
    assert (found["repeated_events"], found["events"]) == (2, 500)
    assert found["out_of_order"] > 0
    same = ("verdict", "difference", "interval", "looks", "decided_after")
    assert {key: found[key] for key in same} == {key: plain[key] for key in same}


def test_a_late_outcome_completes_its_event():
    rows = {"variant": ["a", "b", "a", "b", "a"], "outcome": [None, 1, 0, None, 1], "id": ["1", "2", "3", "4", "1"]}
    written = valid(justesse.ab(rows, id="id", missing="random"))
    assert (written["events"], written["repeated_events"]) == (4, 0)
    assert [one["open"] for one in written["variants"]] == [0, 1]


@pytest.mark.parametrize(
    ("rows", "options", "error", "words"),
    [
        ({"variant": ["a", "b"], "outcome": [1, "x"]}, {}, ScoreError, "row 2: 'x' in column 'outcome' is not a finite"),
        ({"variant": ["a", "b"], "outcome": ["1", "nan"]}, {}, ScoreError, "row 2: 'nan'"),
        ({"variant": ["a", "b"], "outcome": [1, 2]}, {}, ScoreError, "row 2: outcome 2 is not between 0 and 1"),
        ({"variant": ["a", "b"], "outcome": [1.0, float("inf")]}, {}, ScoreError, "not a finite number"),
        ({"variant": ["a", "b"], "outcome": [1, None]}, {}, MissingValueError, "row 2: no outcome .* --missing"),
        ({"variant": ["a", None], "outcome": [1, 1]}, {}, MissingValueError, "row 2: no variant"),
        ({"variant": ["a", "a"], "outcome": [1, 1]}, {}, InputError, "one variant only, 'a'"),
        ({"variant": [], "outcome": []}, {}, InputError, "No rows"),
        ({"variant": ["a", "b"], "outcome": [1, 1]}, {"incumbent": "c"}, InputError, "No event of variant 'c'"),
        ({"variant": ["a", "b", "c"], "outcome": [1, 1, 1]}, {"candidate": ["b"]}, InputError, "'c' .* is neither"),
        ({"variant": ["a", "b"], "outcome": [1, 1]}, {"candidate": ["a"]}, OptionError, "each variant once"),
        ({"variant": ["a", "b"], "outcome": [1, 1]}, {"variant": "v"}, ColumnError, "Column 'v' not found"),
        ({"variant": ["a", "b"], "outcome": [1, 1]}, {"outcome": "variant"}, OptionError, "cannot be both"),
        ({"variant": ["a", "b"], "x": [1, 1]}, {}, ColumnError, "No outcome column found"),
        ({"variant": ["a", "b"], "outcome": [1, 1]}, {"outcome_range": "1,0"}, OptionError, "smallest and the largest"),
        ({"variant": ["a", "b"], "outcome": [1, 1]}, {"ratio": "1:2:3"}, OptionError, "each of the 2 variants"),
        ({"variant": ["a", "b"], "outcome": [1, 1]}, {"ratio": "1:x"}, OptionError, "planned traffic"),
        ({"variant": ["a", "b"], "outcome": [1, 1]}, {"noise_rate": 1.5}, OptionError, "share of wrong outcomes"),
        ({"variant": ["a", "b"], "outcome": [1, 1]}, {"level": 95}, OptionError, "level must lie"),
        ({"variant": ["a", "b"], "outcome": [1, 1]}, {"missing": "guess"}, OptionError, "missing must be"),
        ({"variant": ["a", "b"], "outcome": [1, 1]}, {"method": "guess"}, OptionError, "method must be"),
        ({"variant": ["a", "b"], "outcome": [1, 1]}, {"margin": -1}, OptionError, "margin"),
        ({"variant": ["a", "b", "a"], "outcome": [1, 1, 0], "id": [1, 2, 1]}, {"id": "id"}, InputError, "row 3: event '1' .* two different outcomes"),
        ({"variant": ["a", "b", "b"], "outcome": [1, 1, 1], "id": [1, 2, 1]}, {"id": "id"}, InputError, "two different variants"),
        ({"variant": ["a", "b"], "outcome": [1, 1], "id": ["1", None]}, {"id": "id"}, MissingValueError, "row 2: no id"),
        ({"variant": ["a", "b"], "outcome": [1, 1], "t": ["now", "2"]}, {"time": "t"}, InputError, "row 1: 'now' is no time"),
        ({"variant": ["a", "b"], "outcome": [1, 1], "t": ["1", ""]}, {"time": "t"}, InputError, "row 2: no time"),
        ({"variant": [f"v{at}" for at in range(60)], "outcome": [1] * 60}, {}, InputError, "more than 50 variants"),
    ],
)  # fmt: skip
def test_bad_input_is_explained(rows, options, error, words):
    rows = {
        key: [
            str(one) if isinstance(one, str) or (any(isinstance(x, str) for x in values) and one is not None) else one
            for one in values
        ]
        for key, values in rows.items()
    }
    with pytest.raises(error, match=words):
        justesse.ab(rows, **options)


def test_data_frames_files_and_booleans_agree(tmp_path):
    data = stream(400, old=0.3, new=0.5)
    expected = valid(justesse.ab(data))
    pd.DataFrame(data).to_csv(tmp_path / "events.csv", index=False)
    pd.DataFrame(data).to_parquet(tmp_path / "events.parquet")
    booleans = {"variant": data["variant"], "outcome": [bool(x) for x in data["outcome"]]}
    pd.DataFrame(booleans).to_csv(tmp_path / "booleans.csv", index=False)
    (tmp_path / "events.jsonl").write_text(
        "".join(json.dumps({"variant": v, "outcome": x}) + "\n" for v, x in zip(*data.values(), strict=True))
    )
    sources = [pd.DataFrame(data), pl.DataFrame(data), pl.LazyFrame(data), booleans]
    sources += [tmp_path / name for name in ("events.csv", "events.parquet", "booleans.csv", "events.jsonl")]
    for source in sources:
        assert valid(justesse.ab(source)) == expected


def test_batches_are_counted_as_if_they_came_at_once():
    rng = np.random.default_rng(0)
    codes, outcomes = rng.integers(0, 2, 1000), rng.integers(0, 2, 1000).astype(float)
    whole, parts = BlockCounter(), BlockCounter()
    whole.add(("a", "b"), codes, outcomes)
    for start in range(0, 1000, 37):
        parts.add(("a", "b"), codes[start : start + 37], outcomes[start : start + 37])
    for name in ("n", "total", "squares", "open"):
        np.testing.assert_allclose(getattr(whole.blocks(), name), getattr(parts.blocks(), name))
    assert whole.blocks().events.tolist() == look_edges(1000).tolist()


def test_it_shows_itself_in_every_medium(tmp_path):
    result = justesse.ab(stream(1500, old=0.3, new=0.5))
    assert "Replace the incumbent" in repr(result)
    assert "Replace the incumbent" in result._repr_html_()
    assert result.chart().to_dict()["description"].startswith("Difference in mean outcome")
    page = result.report(tmp_path / "page.html").read_text()
    assert "event by event" in page
    assert result.to_frame()["verdict"].to_pylist() == ["replace"]


def test_one_outcome_is_enough_to_say_that_nothing_is_known():
    written = valid(justesse.ab({"variant": ["old", "new"], "outcome": [1, None]}, missing="random"))
    assert (written["verdict"], written["difference"], written["more_events"]) == ("cannot_tell", None, None)
    assert "not known yet" in repr(justesse.ab({"variant": ["old", "new"], "outcome": [1, None]}, missing="random"))


def side_by_side(n, seed=0, better=0.15):
    rng = np.random.default_rng(seed)
    old = rng.random(n) < 0.6
    luck = rng.random(n)
    new = np.where(luck < better, True, np.where(luck > 0.98, False, old))
    return {"old": old.astype(int).tolist(), "new": new.astype(int).tolist()}


def test_shadow_mode_compares_the_same_events():
    data = side_by_side(2000)
    written = valid(justesse.ab(data, shadow=True, incumbent="old", candidate="new"))
    assert written["verdict"] == "replace"
    assert written["difference"] == pytest.approx(np.mean(data["new"]) - np.mean(data["old"]))
    assert written["interval"]["low"] < written["difference"] < written["interval"]["high"]
    assert (written["shadow"], written["sample_ratio"], written["events"], written["n"]) == (True, None, 2000, 2000)
    split = {
        "variant": ["old", "new"] * 1000,
        "outcome": [data["old" if at % 2 == 0 else "new"][at] for at in range(2000)],
    }
    apart = valid(justesse.ab(split))
    width = [one["interval"]["high"] - one["interval"]["low"] for one in (written, apart)]
    assert width[0] < 0.6 * width[1]


def test_shadow_mode_in_the_other_direction_and_with_open_outcomes():
    data = side_by_side(2000)
    back = valid(justesse.ab(data, shadow=True, incumbent="old", candidate="new", lower_is_better=True))
    forth = valid(justesse.ab(data, shadow=True, incumbent="old", candidate="new"))
    assert back["verdict"] == "keep"
    assert back["difference"] == pytest.approx(-forth["difference"])
    assert back["interval"]["high"] == pytest.approx(-forth["interval"]["low"], abs=1e-3)
    data["new"][::100] = [None] * 20
    late = valid(justesse.ab(data, shadow=True, incumbent="old", candidate="new", missing="worst-case"))
    assert late["worst_case"]["low"] < late["missing_at_random"]["low"]
    assert late["variants"][1]["open"] == 20


@pytest.mark.parametrize(
    ("rows", "options", "error", "words"),
    [
        ({"old": [1, 0], "new": [1, 1]}, {}, OptionError, "Shadow mode needs the columns"),
        ({"old": [1, 0], "new": [1, 1]}, {"incumbent": "old", "candidate": "old"}, InputError, "both the incumbent"),
        ({"old": [1, 0], "new": [1, 1]}, {"incumbent": "old", "candidate": "nwe"}, ColumnError, "'nwe' not found"),
        ({"old": [1, 0], "new": [1, 3]}, {"incumbent": "old", "candidate": "new"}, ScoreError, "row 2: outcome 3"),
        ({"old": [1, 0], "new": [1, None]}, {"incumbent": "old", "candidate": "new"}, MissingValueError, "row 2: no outcome"),
        ({"old": ["1", "0"], "new": ["1", "x"]}, {"incumbent": "old", "candidate": "new"}, ScoreError, "row 2: 'x'"),
        ({"old": [], "new": []}, {"incumbent": "old", "candidate": "new"}, InputError, "No rows"),
        ({"old": [1], "new": [1]}, {"incumbent": "old", "candidate": "new", "ratio": "1:1"}, OptionError, "Leave out ratio"),
        ({"old": [1], "new": [1]}, {"incumbent": "old", "candidate": "new", "method": "asymptotic"}, OptionError, "betting"),
    ],
)  # fmt: skip
def test_bad_input_of_shadow_mode_is_explained(rows, options, error, words):
    with pytest.raises(error, match=words):
        justesse.ab(rows, shadow=True, **options)


LATENESS = "how late an outcome comes does not depend on what it is, or depends on it alike in all variants"
EQUALLY_LATE = "if means change over time, outcomes come equally late in all variants, whatever they are"


def test_late_failures_of_one_variant_decide_too_early_and_the_assumption_is_said(tmp_path):
    right = stream(600, seed=3, old=0.5, new=0.5)
    late = [v == "new" and x == 0 for v, x in zip(right["variant"], right["outcome"], strict=True)]
    known = [None if open_ else x for open_, x in zip(late, right["outcome"], strict=True)]
    path, ids = tmp_path / "my.ab", list(range(600))
    justesse.ab_start(path, {"id": ids, **right, "outcome": known}, missing="random")
    assert justesse.ab_status(path).verdict.decision == "replace"
    justesse.ab_add(path, {"id": ids, **right})
    after = justesse.ab_status(path)
    assert not any(after.open.values())
    assert after.verdict.decision == "replace"  # a decision stays, though nothing is open and the variants are alike
    assert LATENESS in after.assumptions
    assert LATENESS not in justesse.ab(right).assumptions
    open_now = {**right, "outcome": known}
    assert EQUALLY_LATE in after.assumptions
    assert EQUALLY_LATE not in justesse.ab(open_now, missing="random", steady=True).assumptions
    hidden = justesse.ab(open_now, missing="worst-case")
    assert LATENESS not in hidden.assumptions
    assert hidden.verdict.decision == "cannot_tell"


def test_a_proxy_states_that_its_bias_is_steady():
    data = stream(400, old=0.4, new=0.5)
    known = [x if at % 4 == 0 else None for at, x in enumerate(data["outcome"])]
    result = justesse.ab({**data, "outcome": known, "grade": data["outcome"]}, proxy="grade")
    assert "the proxy's bias in each variant does not change over time" in result.assumptions
