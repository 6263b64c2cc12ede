"""`compare --cluster`: rows of one cluster may be alike, so whole clusters are compared."""

import json

import numpy as np
import pandas as pd
import pytest

from justesse import compare, count
from justesse.core.errors import ColumnError, InputError, OptionError
from justesse.core.tally import Tally
from justesse.significance.clustered_difference import clustered_difference
from justesse.significance.clustered_mcnemar import clustered_mcnemar
from justesse.significance.clustered_two_areas import clustered_two_areas


def visits(patients=60, seed=3, gain=0.7):
    """Draw visits of patients who differ in how hard they are for two classifiers."""
    rng = np.random.default_rng(seed)
    rows = []
    for patient in range(patients):
        own = rng.normal(0, 1.2, 3)
        for _ in range(rng.integers(1, 12)):
            label = rng.choice(["well", "ill"], p=[0.6, 0.4])
            wrong = "ill" if label == "well" else "well"
            chances = [1 / (1 + np.exp(-(base + hard))) for base, hard in zip((1.2, 1.2 + gain, 1.2), own, strict=True)]
            answers = [label if rng.random() < chance else wrong for chance in chances]
            rows.append((len(rows), f"p{patient}", "AB"[patient % 2], label, *answers))
    return pd.DataFrame(rows, columns=["id", "patient", "site", "label", "old", "new", "other"])


def sides(frame):
    return [frame.rename(columns={name: "prediction"})[["id", "patient", "site", "label", "prediction"]] for name in ("old", "new", "other")]  # fmt: skip


def by_patient(frame):
    old, new = frame.old == frame.label, frame.new == frame.label
    parts = pd.DataFrame({"b": old & ~new, "c": new & ~old, "n": 1}).groupby(frame.patient).sum()
    return parts.b, parts.c, parts.n


def test_the_verdict_rests_on_whole_clusters():
    frame = visits()
    plain = compare(frame, incumbent="old", candidate="new")
    robust = compare(frame, incumbent="old", candidate="new", cluster="patient")
    expected = clustered_difference(*by_patient(frame)).intervals(bounds=(-1, 1))[0]
    assert robust.verdict.difference.value == plain.verdict.difference.value
    assert robust.verdict.difference.interval.low == pytest.approx(expected.low, abs=1e-12)
    assert robust.verdict.difference.interval.method == "tango-cr2"
    assert robust.verdict.outcome.test == "mcnemar-cr2"
    assert robust.verdict.outcome.pvalue == pytest.approx(clustered_mcnemar(*by_patient(frame)).pvalue)
    for first, other in zip(plain.judged[0].measures, robust.judged[0].measures, strict=True):
        assert other.difference.interval.method in ("tango-cr2", "delta-cr2")
        assert other.difference.interval.half_width > first.difference.interval.half_width
    assert any("clusters of rows are independent" in words for words in robust.verdict.assumptions)
    assert robust.verdict.incumbent.interval.method == "wilson-cr2"
    summary = robust.to_dict()["clusters"]
    assert (summary["column"], summary["clusters"]) == ("patient", 60)
    assert "clusters" not in plain.to_dict()


def test_files_arrays_tallies_and_one_table_give_the_same(tmp_path):
    frame = visits()
    old, new, _ = sides(frame)
    old.to_csv(tmp_path / "old.csv", index=False)
    new.sample(frac=1, random_state=1).to_csv(tmp_path / "new.csv", index=False)
    expected = compare(frame, incumbent="old", candidate="new", cluster="patient").verdict.difference.interval
    arrays = {name: frame[name].to_numpy() for name in ("old", "new", "label", "patient")}
    cells = frame.groupby(["label", "old", "new", "patient"]).size().reset_index().itertuples(index=False)
    tally = Tally.of(("label", "incumbent", "candidate", "cluster"), [tuple(cell) for cell in cells])
    for result in (
        compare(str(tmp_path / "old.csv"), str(tmp_path / "new.csv"), on="id", cluster="patient"),
        compare(old, new.drop(columns="patient"), on="id", cluster="patient"),
        compare(old.drop(columns="patient"), new, on="id", cluster="patient"),
        compare(y_true=arrays["label"], incumbent=arrays["old"], candidate=arrays["new"], cluster=arrays["patient"]),
        compare(tally),
    ):
        assert result.verdict.difference.interval.low == pytest.approx(expected.low, abs=1e-12)


def test_every_measure_and_the_cluster_bootstrap():
    frame = visits()
    costs = pd.DataFrame({"": ["well", "ill"], "well": [0, 5], "ill": [1, 0]})
    for measure, method in (("mcc", "delta-cr2"), ("cost", "delta-cr2"), ("recall:ill", "tango-cr2"), ("precision:ill", "delta-cr2")):  # fmt: skip
        extra = {"cost": costs} if measure == "cost" else {}
        verdict = compare(frame, incumbent="old", candidate="new", cluster="patient", measure=measure, **extra).verdict
        assert verdict.difference.interval.method == method
        assert verdict.outcome.test == ("mcnemar-cr2" if method == "tango-cr2" else "clustered-t")
    drawn = compare(frame, incumbent="old", candidate="new", cluster="patient", measure="mcc", bootstrap="bca")
    assert drawn.verdict.difference.interval.method == "cluster-bootstrap-bca"


def test_several_candidates_slices_and_true_classes():
    frame = visits().assign(true=lambda rows: rows.label)
    result = compare(frame, incumbent="old", candidate=["new", "other"], cluster="patient", by="site", true="true")
    assert all(item.verdict.difference.interval.level == pytest.approx(0.975) for item in result.judged)
    assert all(item.truth.outcome.test == "mcnemar-cr2" for item in result.judged)
    assert {part.difference.interval.method for part in result.judged[0].slices} == {"tango-cr2"}
    assert {part.difference.interval.method for part in result.judged[0].classes if part.name == "recall"} == {"tango-cr2"}  # fmt: skip


def test_a_slice_of_one_cluster_has_no_interval():
    frame = visits()
    frame.loc[frame.patient == "p0", "site"] = "C"
    part = next(item for item in compare(frame, incumbent="old", candidate="new", cluster="patient", by="site").judged[0].slices if item.value == "C")  # fmt: skip
    assert part.difference.interval is None
    assert "one cluster" in part.difference.undefined


def test_so_many_wrong_labels_can_change_the_verdict():
    """Change as many labels as the breakdown rate says, in the worst clusters: the verdict must change."""
    frame = visits(gain=1.5)
    result = compare(frame, incumbent="old", candidate="new", cluster="patient")
    assert result.replaces
    rows = round(result.verdict.breakdown.verdict * len(frame))
    assert 0 < rows <= round(result.verdict.breakdown.sign * len(frame))
    # not every way to spread wrong labels was tried, so nothing survives them for sure
    assert "The verdict survives" not in repr(result)
    assert f"{rows} wrong labels" in " ".join(repr(result).split())
    assert "fewer may be enough" in " ".join(repr(result).split())
    only_new = frame[(frame.new == frame.label) & (frame.old != frame.label)]
    gains = dict(iter(only_new.groupby("patient")))
    apart = ((frame.new == frame.label).astype(int) - (frame.old == frame.label)).groupby(frame.patient).mean()
    seen = []
    for order in (apart.sort_values(), -apart.sort_values(ascending=False), -only_new.groupby("patient").size().sort_values(ascending=False)):  # fmt: skip
        picked = [at for patient in order.index if patient in gains for at in gains[patient].index][:rows]
        changed = frame.assign(label=frame.label.where(~frame.index.isin(picked), frame.old))
        seen.append(compare(changed, incumbent="old", candidate="new", cluster="patient").replaces)
    assert not all(seen)
    kept = visits(gain=0.0)
    keeps = compare(kept, incumbent="old", candidate="new", cluster="patient")
    assert not keeps.replaces
    assert keeps.verdict.breakdown.verdict is not None
    equal = compare(frame, incumbent="old", candidate="new", cluster="patient", measure="mcc").verdict.breakdown
    assert "clusters" in equal.unknown


def test_margins_and_equivalence_use_the_clustered_interval():
    frame = visits(patients=400)
    result = compare(frame, incumbent="old", candidate="old", cluster="patient", margin=0.05)
    assert result.verdict.decision == "equivalent"
    assert result.verdict.difference.interval.method == "tango-cr2"
    assert result.passes("not-worse")


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"judge": "classical"}, OptionError, "judge classical takes rows as independent"),
        ({"judge": "sharp", "noise_rate": "3%"}, OptionError, "judge sharp takes rows as independent"),
        ({"noise_rate": "3%"}, OptionError, "noise_rate .* takes rows as independent"),
        ({"cluster": "label"}, ColumnError, "cannot name the clusters"),
        ({"cluster": "patients"}, ColumnError, "Did you mean 'patient'"),
    ],
)
def test_what_cannot_respect_clusters_is_refused(options, error, words):
    with pytest.raises(error, match=words):
        compare(visits(), incumbent="old", candidate="new", **{"cluster": "patient", **options})


def test_clusters_that_differ_lack_or_are_one_are_refused():
    frame = visits()
    old, new, _ = sides(frame)
    with pytest.raises(InputError, match="Column 'patient' .* differs in 1 row"):
        compare(
            old, new.assign(patient=lambda rows: rows.patient.where(rows.id != 5, "p99")), on="id", cluster="patient"
        )
    with pytest.raises(InputError, match="All rows have the same value"):
        compare(frame.assign(patient="p"), incumbent="old", candidate="new", cluster="patient")
    frame.loc[3, "patient"] = None
    with pytest.raises(InputError, match="have no value in the column of clusters"):
        compare(frame, incumbent="old", candidate="new", cluster="patient")
    with pytest.raises(OptionError, match="a Tally has none"):
        compare(count(sides(visits())[0], cluster="patient").renamed(prediction="incumbent"), cluster="patient")


def test_the_command_prints_the_same(run, tmp_path):
    frame = visits()
    paths = []
    for name, side in zip(("old.csv", "new.csv"), sides(frame), strict=False):
        paths.append(tmp_path / name)
        side.to_csv(paths[-1], index=False)
    ran = run("compare", *paths, "--on", "id", "--cluster", "patient", "--json", "--gate", "none")
    assert ran.code == 0
    assert json.loads(ran.out)["clusters"]["clusters"] == 60
    assert json.loads(ran.out)["test"] == "mcnemar-cr2"
    ran = run("compare", *paths, "--on", "id", "--cluster", "patient", "--gate", "none")
    assert "clusters (column 'patient') are worth" in " ".join(ran.out.split())


def test_areas_are_compared_over_whole_clusters(tmp_path):
    frame = visits(gain=0.5)
    rng = np.random.default_rng(1)
    ill = (frame.label == "ill").to_numpy()
    codes = frame.patient.astype("category").cat.codes.to_numpy()
    level = rng.normal(0, 1, 60)[codes]
    frame["s1"], frame["s2"] = (gain * ill + level + rng.normal(size=len(frame)) for gain in (0.6, 1.6))
    named = {"incumbent": "old", "candidate": "new", "score": "s1", "candidate_score": "s2", "positive": "ill"}
    result = compare(frame, **named, measure="auc", cluster="patient")
    expected = clustered_two_areas(ill, frame.s1, frame.s2, codes)
    assert result.verdict.outcome.test == "obuchowski"
    assert result.verdict.outcome.pvalue == pytest.approx(expected.pvalue)
    assert result.verdict.difference.interval.low == pytest.approx(expected.difference.interval.low)
    assert result.verdict.incumbent.interval.method == "area-score-cr2"
    beside = compare(frame, **named, cluster="patient").judged[0].measures[-1]
    assert beside.difference.interval.method == "obuchowski-t"
    paths = []
    for score, answer in (("s1", "old"), ("s2", "new")):
        paths.append(str(tmp_path / f"{answer}.csv"))
        columns = {score: "score", answer: "prediction"}
        frame[["id", "patient", "label", answer, score]].rename(columns=columns).to_csv(paths[-1], index=False)
    files = compare(*paths, on="id", score="score", positive="ill", measure="auc", cluster="patient")
    assert files.verdict.difference.interval.low == pytest.approx(expected.difference.interval.low)
