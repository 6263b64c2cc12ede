"""A short, seeded run of every case: it must agree with the recorded figure, and bear the recorded method."""

import math

import pytest
from scipy.stats import fisher_exact
from studies.validity import record
from studies.validity.__main__ import main, simulate
from studies.validity.case import Case, Hits, Setting, covered, exactly, merged, rejected
from studies.validity.cases import ALL, by_hand
from studies.validity.overview import _cells, monte_carlo, verdict
from studies.validity.picture import JUSTESSE, OTHERS, all_points, chart, points, scatter
from studies.validity.record import Measured
from studies.validity.timing import estimates, timed

from justesse.core.results import Interval

ROWS = record.read()
FEW = 12  # repetitions; a broken interval or test is far off
UNLIKELY = 1e-7  # with a thousand cases, chance alone is below it once in ten thousand runs
SHORT = [setting for setting in ALL if not setting.models and setting.possible and record.is_complete(setting, ROWS)]


@pytest.mark.parametrize("setting", SHORT, ids=lambda setting: f"{setting.part}, {setting.name}, n = {setting.n}")
def test_a_short_run_agrees_with_the_recorded_figures(setting):
    found = setting.run(FEW, 12345)
    assert {case.what for case in setting.cases} == set(found)
    for case in setting.cases:
        new, old = found[case.what], record.hits_of(ROWS[setting.key(case)])
        assert set(new.methods) <= set(old.methods), case.what
        if new.exact:
            assert new.share == pytest.approx(old.share, abs=1e-9), case.what
        elif new.present and old.present:
            table = [[new.hits, new.present - new.hits], [old.hits, old.present - old.hits]]
            assert fisher_exact(table)[1] > UNLIKELY, f"{case.what}: {new.share:.2f} instead of {old.share:.3f}"


def measured(kind, hits, total, nominal=None):
    case = Case("x", kind, nominal=nominal)
    return Measured(Setting("part", "name", 10, (case,), lambda many, seed: {}), case, Hits(hits, total))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (measured("coverage", 1850, 2000), "falls short"),
        (measured("coverage", 1862, 2000), "holds"),
        (measured("coverage", 1900, 2000), "holds"),
        (measured("coverage", 1945, 2000), "conservative"),
        (measured("coverage", 0.939, 0), "falls short"),
        (measured("coverage", 0.94, 0), "holds"),
        (measured("size", 160, 2000), "falls short"),
        (measured("size", 130, 2000), "holds"),
        (measured("size", 40, 2000), "conservative"),
        (measured("size", 60, 2000, 0.025), "holds"),
        (measured("size", 100, 2000, 0.025), "falls short"),
    ],
)
def test_verdicts_allow_for_chance_and_a_fifth(row, expected):
    assert verdict(row) == expected


def test_monte_carlo_intervals_are_exact_binomial_ones():
    low, high = monte_carlo(measured("coverage", 1900, 2000))
    assert (low, high) == (pytest.approx(0.93951, abs=1e-4), pytest.approx(0.95914, abs=1e-4))
    assert monte_carlo(measured("coverage", 0.97, 0)) == (0.97, 0.97)


def test_missing_intervals_are_neither_hits_nor_misses():
    ends = Interval(0.0, 1.0, 0.95, "wald")
    assert covered([ends, None, ends], 0.5) == Hits(2, 3, 1, ("wald",))
    assert covered([ends, ends], [0.5, 2.0]).share == 0.5
    assert rejected([0.05, math.nan, 0.2], "t") == Hits(1, 3, 1, ("t",))
    assert math.isnan(covered([None], 0.5).share)


def test_chunks_add_up():
    assert merged([Hits(1, 2, 0, ("a",)), Hits(2, 3, 1, ("b",))]) == Hits(3, 5, 1, ("a", "b"))
    assert merged([exactly(0.9, "a")]) == exactly(0.9, "a")


def test_the_record_is_kept_in_order_and_read_back(tmp_path):
    settings = [
        Setting("p", name, 5, (Case("w"),), lambda many, seed: {"w": Hits(1, many)}, repetitions=3) for name in "ab"
    ]
    path = tmp_path / "record.csv"
    record.add(settings[1], {"w": Hits(2, 3, 1, ("m", "n"))}, settings, path)
    record.add(settings[0], {"w": exactly(0.5, "m")}, settings, path)
    rows = record.read(path)
    assert list(rows) == ["p: w, a, n = 5", "p: w, b, n = 5"]
    assert record.hits_of(rows["p: w, b, n = 5"]) == Hits(2, 3, 1, ("m", "n"))
    assert record.is_complete(settings[1], rows)
    assert not record.is_complete(settings[0], rows)  # none of its three repetitions
    assert not record.is_complete(settings[1], {})


def test_a_run_goes_on_where_it_was_stopped(tmp_path, capsys):
    seeds = []

    def run(repetitions, seed):
        seeds.append(seed)
        return {"w": Hits(repetitions - 1, repetitions)}

    settings = [Setting("p", name, 5, (Case("w"),), run, repetitions=6, chunk=3) for name in "ab"]
    path = tmp_path / "record.csv"
    simulate(settings[:1], jobs=1, path=path)
    assert seeds == [0, 1]
    assert record.hits_of(record.read(path)["p: w, a, n = 5"]) == Hits(4, 6)
    simulate(settings, jobs=1, path=path)
    assert seeds == [0, 1, 0, 1]
    assert "1 of 2 settings are kept." in capsys.readouterr().out
    simulate(settings, jobs=1, path=path, again=True)
    assert len(seeds) == 8


def test_the_time_of_a_run_is_estimated_from_few_repetitions():
    now = [0.0]

    def run(repetitions, seed):
        start = 3.0 if not now[0] else 0.0
        now[0] += start + 0.5 + 0.01 * repetitions  # at first, for each chunk, for each repetition
        return {"w": Hits(0, repetitions)}

    measured_time = timed(Setting("p", "s", 5, (Case("w"),), run, repetitions=2000, chunk=500), clock=lambda: now[0])
    assert measured_time.start == pytest.approx(3)
    assert measured_time.chunk == pytest.approx(0.5)
    assert measured_time.each == pytest.approx(0.01)
    assert measured_time.seconds == pytest.approx(3 + 4 * 0.5 + 20)


def test_repetitions_that_are_simulated_together_are_not_counted_one_by_one():
    now = [0.0]

    def run(repetitions, seed):
        now[0] += 0.1 * min(5, repetitions) + 0.0001 * repetitions  # five data sets, many audits of each
        return {"w": Hits(0, repetitions)}

    measured_time = timed(Setting("p", "s", 5, (Case("w"),), run, repetitions=2000, chunk=500), clock=lambda: now[0])
    assert measured_time.seconds == pytest.approx(4 * 0.5 + 0.2, rel=0.1)


def test_estimates_name_settings_that_cannot_run():
    def run(repetitions, seed):
        raise AssertionError("a package is missing")

    lines = list(estimates([Setting("p", "s", 5, (Case("w"),), run, needs="no_such_package")]))
    assert lines[0].strip() == "p: s, n = 5: needs no_such_package"
    assert lines[-1] == "all: 0.0 min on 2 cores"


def test_resampling_with_fewer_draws_is_named():
    case = Case("w")
    setting = Setting("p", "s", 5, (case,), lambda many, seed: {}, draws=600)
    cells = _cells(Measured(setting, case, Hits(95, 100, 0, ("bootstrap-bca", "wilson"))))
    assert cells[1] == "bootstrap-bca (600 draws), wilson"


def test_an_unknown_part_is_named_with_those_that_exist(capsys):
    with pytest.raises(SystemExit):
        main(["score"])
    assert "Unknown part 'score'. Parts: by-hand, shares" in capsys.readouterr().err


def test_the_picture_shows_ours_beside_what_is_done_by_hand(tmp_path):
    rows = list(record.measured(by_hand.SETTINGS, ROWS))
    shown = points(rows)
    for measure in by_hand.WORDS:
        sizes = {point["n"] for point in shown if point["measure"] == measure}
        assert sizes <= set(by_hand.NS)
        assert len(sizes) >= 3
        assert len([point for point in shown if point["measure"] == measure]) == 3 * len(sizes)
    at_20 = {
        point["method"]: point["coverage"] for point in shown if (point["measure"], point["n"]) == ("accuracy", 20)
    }
    assert at_20["Wald, by hand"] < 0.7 < 0.9 < at_20["default of justesse"]
    chart(rows).save(tmp_path / "validity.png")
    assert (tmp_path / "validity.png").stat().st_size > 10_000


def test_the_picture_of_all_has_every_95_percent_interval_once():
    rows = list(record.measured(ALL, ROWS))
    shown = all_points(rows)
    wanted = [row for row in rows if row.case.kind == "coverage" and row.case.wanted == 0.95 and row.hits.present]
    exact = [row for row in rows if row.case.kind == "coverage" and row.case.wanted == 0.95 and row.hits.exact]
    assert len(shown) == len(wanted) + len(exact)
    assert {point["whose"] for point in shown} == {JUSTESSE, OTHERS}
    assert all(0 <= point["coverage"] <= 1 for point in shown)
    drawn = scatter(rows).to_dict()["layer"][1]["encoding"]["x"]["scale"]["domain"]
    assert all(drawn[0] < point["n"] < drawn[1] for point in shown)  # none lies outside the axes
