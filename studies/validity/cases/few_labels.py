"""Means from pseudo-labels of all rows and the truth of a few of them."""

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.case import Case as Rows
from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.intervals.planning.active import ActiveDesign, active_design
from justesse.intervals.prediction_powered import Stratum, prediction_powered
from justesse.measures import accuracy
from justesse.noise.drawn_sequence import drawn_sequence
from justesse.noise.leaderboard import CheckedPair, leaderboard
from justesse.noise.recheck import recheck
from justesse.noise.recheck_difference import recheck_difference
from justesse.noise.sample_design import SampleDesign
from studies.validity.case import Case, Hits, Setting, covered

Run = Callable[[int, int], Mapping[str, Hits]]
RIGHT = [(1, 1), (0, 1), (0, 0), (1, 0)]
COSTS = [(0, 0), (1, 0), (20, 0), (0, 1), (1, 1), (20, 20), (1, 20)]
AHEAD = [(0, 0), (1, 1), (-1, -1), (1, -1), (-1, 1), (0, 1), (0, -1), (1, 0), (-1, 0)]
# name, (value, proxy) of a row, their chances, least and greatest value
LAWS: dict[str, tuple[list[tuple[int, int]], list[float], tuple[float, float]]] = {
    "good pseudo-labels": (RIGHT, [0.89, 0.01, 0.08, 0.02], (0.0, 1.0)),
    "hardly a wrong pseudo-label": (RIGHT, [0.946, 0.004, 0.048, 0.002], (0.0, 1.0)),
    "useless pseudo-labels": (RIGHT, [0.45, 0.05, 0.05, 0.45], (0.0, 1.0)),
    "rare high costs": (COSTS, [0.86, 0.03, 0.004, 0.02, 0.06, 0.02, 0.006], (0.0, 20.0)),
    "differences of two classifiers": (AHEAD, [0.86, 0.05, 0.03, 0.005, 0.005, 0.015, 0.01, 0.015, 0.01], (-1.0, 1.0)),
}
NORMAL = "ends='mover', the default"


def _means(name: str, rows: int, checked: int) -> Run:
    cells, chances, bounds = LAWS[name]
    values, proxies = np.array(cells, dtype=float).T
    truth = float(values @ np.array(chances))

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "prediction-powered", name, str(rows), str(checked))
        pairs: dict[str, list[tuple[Interval, float]]] = {what: [] for what in WHAT}
        for _ in range(repetitions):
            whole = rng.multinomial(rows, chances)
            part = rng.multivariate_hypergeometric(whole, checked, method="marginals")
            one = [Stratum(proxies, whole, values, proxies, part)]
            kinds = [
                Stratum([proxy], [whole[at].sum()], values[at], proxies[at], part[at])
                for proxy in np.unique(proxies)
                if whole[at := proxies == proxy].sum()
            ]
            options: dict[str, Any] = {"bounds": bounds}
            plain = prediction_powered(one, tuning="plain", **options)
            tuned = prediction_powered(one, **options)
            here = float(values @ whole) / rows
            rows_only = prediction_powered(kinds, about="rows", **options)
            normal = prediction_powered(one, ends="normal", **options)
            pairs["mean, plain"].append((plain.interval, truth))
            pairs["mean, power-tuned"].append((tuned.interval, truth))
            pairs["mean, strata"].append((prediction_powered(kinds, **options).interval, truth))
            pairs["mean of these rows, strata"].append((rows_only.interval, here))
            pairs["bias of the pseudo-labels"].append((plain.bias_interval, float(proxies @ whole) / rows - here))
            pairs["mean, labelled rows alone"].append((plain.alone, truth))
            pairs["mean, power-tuned, normal"].append((normal.interval, truth))
        return {what: covered([ends for ends, _ in seen], [true for _, true in seen]) for what, seen in pairs.items()}

    return run


DRAWN = ("accuracy, rows drawn actively", "difference, rows drawn actively", "accuracy of these rows, always valid")


def _strata(design: ActiveDesign) -> SampleDesign:
    sizes, chances = tuple(design.sizes.tolist()), tuple(design.chances.tolist())
    return SampleDesign(tuple(range(len(sizes))), sizes, chances, design.fixed)


def _drawn(helpful: bool, rows: int, checked: int, disputed: int | None = None) -> Run:
    """Draw rows with unequal probabilities, by scores that tell where labels are wrong, or that tell nothing.

    With `disputed`, labels copy the predictions but for so few rows: a stratum that random draws would miss.
    """

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(
            seed, "rows drawn actively", str(helpful), str(rows), str(checked), *([str(disputed)] * bool(disputed))
        )
        pairs: dict[str, list[tuple[Interval | None, float]]] = {what: [] for what in DRAWN}
        for at in range(repetitions):
            hard, true, label, old, new = _rows(rng, rows)
            if disputed is not None:
                label = np.where(np.arange(rows) < disputed, (new + 1) % 3, new)
            scores = np.clip(0.4 * hard, 0, 1) if helpful else rng.random(rows)
            design = active_design(scores, checked, kinds=label == new, seed=at)
            picked, many = design.drawn, len(design.sizes)
            strata = _strata(design)
            names: Any = range(3)
            coded = {"true": true, "label": label, "incumbent": old, "candidate": new}
            axes = [(coded[axis][picked], names) for axis in coded]
            axes += [(design.stratum[picked], range(many)), (np.arange(checked), range(checked))]
            sample = Tally.from_codes([*coded, "stratum", "order"], axes, np.ones(checked, dtype=int))
            whole = Tally.from_codes(
                ["label", "incumbent", "candidate"],
                [(coded[axis], names) for axis in list(coded)[1:]],
                np.ones(rows, int),
            )
            case = Rows(whole)
            both = recheck_difference(case, sample, design=strata).figures[0]
            rung = recheck(
                whole.marginal("label", "candidate").renamed(candidate="prediction"),
                sample.marginal("true", "label", "candidate", "stratum", "order").renamed(candidate="prediction"),
                [accuracy],
                design=strata,
            )
            assert rung.powered is not None
            pairs[DRAWN[0]].append((rung.figures[0].interval, 1 - 0.5 / 5))
            pairs[DRAWN[1]].append((both.interval, 0.1 / 5))
            pairs[DRAWN[2]].append((rung.powered.always_valid, float(np.mean(new == true))))
        return {what: covered([ends for ends, _ in seen], [true for _, true in seen]) for what, seen in pairs.items()}

    return run


LOOKS = 5  # the bounds of a look lie within those of the looks before, so that the last one settles all
AT_ALL_LOOKS = ("accuracy of these rows at all looks", "difference on these rows at all looks")


def _looks(helpful: bool, rows: int, checked: int) -> Run:
    """Label the rows of an active list one after another, and look several times; hit if all looks cover."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "looks at an active list", str(helpful), str(rows), str(checked))
        held = dict.fromkeys(AT_ALL_LOOKS, 0)
        for at in range(repetitions):
            hard, true, label, old, new = _rows(rng, rows)
            scores = np.clip(0.4 * hard, 0, 1) if helpful else rng.random(rows)
            design = active_design(scores, checked, kinds=label == new, seed=at)
            strata = _strata(design)
            values, proxies = ((new == by).astype(int) for by in (true, label))
            behind, behind_by_label = ((old == by).astype(int) for by in (true, label))
            for what, truth, proxy, least, reach in (
                (AT_ALL_LOOKS[0], values, proxies, 0.0, 1),
                (AT_ALL_LOOKS[1], values - behind, proxies - behind_by_label, -1.0, 2),
            ):
                looks = (
                    drawn_sequence(
                        (truth - proxy)[design.drawn[:look]],
                        design.stratum[design.drawn[:look]],
                        strata,
                        float(proxy.mean()),
                        bounds=(least, 1.0),
                        reach=reach,
                    )
                    for look in range(checked // LOOKS, checked + 1, checked // LOOKS)
                )
                held[what] += all(covers(ends, float(truth.mean())) for ends in looks)
        return {what: Hits(count, repetitions, methods=("betting",)) for what, count in held.items()}

    return run


def _rows(rng: np.random.Generator, rows: int) -> tuple[Array, ...]:
    """Draw how hard each row is, its true class, its label and two answers."""
    hard = rng.random(rows) ** 4  # chance that a row is difficult, for the labels and for both classifiers
    true = rng.integers(3, size=rows)
    answers = (np.where(rng.random(rows) < share * hard, (true + 1) % 3, true) for share in (0.4, 0.6, 0.5))
    return hard, true, *answers


BOARD = ("all accuracies of a leaderboard", "all differences of a leaderboard", "all ranks of a leaderboard")


def _board(skills: tuple[float, ...], rows: int, checked: int, drawn: bool) -> Run:
    """Rank classifiers that repeat half of the wrong labels; hit if every interval of a kind holds at once."""
    # a wrong label is the next class, a wrong answer the one after: a classifier is right if it follows the truth
    chances = np.array([skill * (1 - 0.08 / 2) for skill in skills])
    names: Any = range(3)

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "leaderboard", str(skills), str(rows), str(checked), str(drawn))
        hits = dict.fromkeys(BOARD, 0)
        for at in range(repetitions):
            true = rng.integers(3, size=rows)
            label = np.where(rng.random(rows) < 0.08, (true + 1) % 3, true)
            answers = [
                np.where(rng.random(rows) < skill, np.where(rng.random(rows) < 0.5, label, true), (true + 2) % 3)
                for skill in skills
            ]
            picked, strata = rng.choice(rows, checked, replace=False), None
            beside: list[tuple[Any, Any]] = []
            if drawn:
                design = active_design(rng.random(rows), checked, kinds=label == answers[0], seed=at)
                picked, many = design.drawn, len(design.sizes)
                strata = _strata(design)
                beside = [(design.stratum[picked], range(many)), (np.arange(checked), range(checked))]
            pairs = {}
            for i, j in combinations(range(len(skills)), 2):
                columns = {"label": label, "incumbent": answers[i], "candidate": answers[j]}
                whole = Tally.from_codes(
                    list(columns), [(column, names) for column in columns.values()], np.ones(rows, int)
                )
                axes = [(column[picked], names) for column in (true, *columns.values())]
                part = Tally.from_codes(
                    ["true", *columns, *(["stratum", "order"] if drawn else [])],
                    [*axes, *beside],
                    np.ones(checked, int),
                )
                pairs[i, j] = CheckedPair(Rows(whole), part)
            board = leaderboard([str(at) for at in range(len(skills))], pairs, design=strata)
            hits[BOARD[0]] += all(covers(row.accuracy.interval, chances[int(row.name)]) for row in board.standings)
            hits[BOARD[1]] += all(
                covers(lead.difference.interval, chances[int(lead.first)] - chances[int(lead.second)])
                for lead in board.leads
            )
            hits[BOARD[2]] += all(
                row.best_rank <= 1 + (chances > chances[int(row.name)] + 1e-9).sum()
                and row.worst_rank >= len(chances) - (chances < chances[int(row.name)] - 1e-9).sum()
                for row in board.standings
            )
        return {what: Hits(count, repetitions) for what, count in hits.items()}

    return run


def covers(interval: Interval | None, value: float) -> bool:
    """Tell whether an interval holds a value; without one, every value is possible."""
    return interval is None or bool(interval.low <= value <= interval.high)


WHAT = (
    "mean, plain",
    "mean, power-tuned",
    "mean, strata",
    "mean of these rows, strata",
    "bias of the pseudo-labels",
    "mean, labelled rows alone",
    "mean, power-tuned, normal",
)
SETTINGS = (
    *(
        Setting(
            "few-labels",
            f"{kind}, {checked} rows {'drawn actively' if drawn else 're-checked'}",
            rows,
            tuple(Case(what) for what in BOARD),
            _board(skills, rows, checked, drawn),
        )
        for kind, skills, rows, checked, drawn in (
            ("five classifiers, three alike", (0.9, 0.9, 0.85, 0.9, 0.7), 1500, 150, False),
            ("ten classifiers, all alike", (0.9,) * 10, 1000, 80, False),
            ("adversarial: three nearly perfect classifiers", (0.999, 0.999, 0.99), 2000, 60, False),
            ("three classifiers", (0.9, 0.9, 0.8), 1000, 60, True),
        )
    ),
    *(
        Setting(
            "few-labels",
            f"{'helpful' if helpful else 'useless'} scores, {checked} rows drawn",
            rows,
            tuple(Case(what) for what in DRAWN),
            _drawn(helpful, rows, checked),
        )
        for helpful in (True, False)
        for rows, checked in ((1000, 60),)
    ),
    Setting(
        "few-labels",
        "adversarial: labels copy the predictions but for 3 rows, 60 rows drawn",
        1000,
        tuple(Case(what) for what in DRAWN),
        _drawn(True, 1000, 60, disputed=3),
    ),
    *(
        Setting(
            "few-labels",
            f"{'helpful' if helpful else 'useless'} scores, {LOOKS} looks at {checked} rows drawn",
            rows,
            tuple(Case(what) for what in AT_ALL_LOOKS),
            _looks(helpful, rows, checked),
        )
        for helpful in (True, False)
        for rows, checked in ((1000, 60), (400, 120))
    ),
    *(
        Setting(
            "few-labels",
            f"{name}, {checked} rows labelled",
            rows,
            tuple(Case(what, instead=NORMAL if what.endswith("normal") else "") for what in WHAT),
            _means(name, rows, checked),
        )
        for name in LAWS
        for rows, checked in ((1000, 50), (10_000, 300))
    ),
)
