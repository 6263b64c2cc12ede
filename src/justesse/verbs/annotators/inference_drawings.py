"""The charts of `annotators infer`: annotators, certainty, who agrees with whom, who errs together, over time."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from justesse.annotators.calibration import Calibration
from justesse.annotators.drift import judged_by_others
from justesse.annotators.pairs import PairTables, pair_tables
from justesse.verbs.annotators.inference_json import bins_json, drift_json

if TYPE_CHECKING:
    from justesse.verbs.annotators.inference import Inference

MOST_PEOPLE = 2_000


def inference_drawings(result: "Inference") -> Mapping[str, Callable[[], Any]]:
    """Give what draws each chart, by its name."""
    notes = result.fit.support.annotations
    cards = [
        {
            "annotator": notes.annotators[card.annotator],
            "n": card.n,
            "accuracy": card.accuracy.value,
            "low": card.accuracy.interval.low if card.accuracy.interval else None,
            "high": card.accuracy.interval.high if card.accuracy.interval else None,
        }
        for card in result.cards.most_answers(MOST_PEOPLE)
        if card.n
    ]
    drawings = {
        "annotators": partial(_draw, "annotator_chart", cards, int((notes.per_annotator > 0).sum())),
        "certainty": partial(_draw, "certainty_chart", result.best[1].tolist()),
    }
    if 2 <= notes.n_annotators <= MOST_PEOPLE:
        tables = pair_tables(notes)
        shares = [(int(a), int(b), share, int(n)) for a, b, share, n in _agreeing(tables)]
        if shares:
            drawings["pairs"] = partial(_draw, "pair_agreement_chart", notes.annotators, shares)
    if result.dependent:
        edges = [(pair.first, pair.second, min(max(pair.excess, 0.0), 1.0)) for pair in result.dependent]
        sizes = notes.per_annotator.tolist()
        drawings["dependence"] = partial(_draw, "dependence_chart", notes.annotators, sizes, edges)
    if result.calibration is not None:
        drawings["calibration"] = partial(_draw, "reliability_chart", _series(result.calibration))
    if result.drifts:
        clearest = sorted(result.drifts, key=lambda each: each.adjusted)
        judged = "share of others who agree" if judged_by_others(result.fit) else "share of right answers"
        series = [drift_json(result, each) for each in clearest]
        drawings["drift"] = partial(_draw, "annotator_drift_chart", series, judged)
    return drawings


def _series(checked: Calibration) -> list[dict[str, Any]]:
    both = {"model": checked.bins, "calibrated": checked.calibrated_bins}
    return [{"probabilities": name, **point} for name, bins in both.items() for point in bins_json(bins)]


def _draw(chart: str, *data: Any) -> Any:
    from justesse import charts

    return getattr(charts, chart)(*data)


def _agreeing(tables: PairTables) -> Iterator[tuple[int, int, float, int]]:
    """Give every two annotators, the share of their common items with one answer, and how many those are."""
    pair, n = tables.pair, tables.n
    same = np.bincount(pair, weights=tables.count * (tables.answer == tables.other), minlength=len(tables))
    yield from zip(tables.first, tables.second, same / np.maximum(n, 1), n, strict=True)
