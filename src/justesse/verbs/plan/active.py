"""Which rows to label: a list with known probabilities."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from justesse.core.errors import InputError
from justesse.frames.drawn_sample import CHANCE, FIXED, ORDER, PROBABILITY, ROWS, STRATUM
from justesse.frames.label_scores import label_scores
from justesse.frames.native import write_table
from justesse.intervals.planning.active import active_design
from justesse.report.writing import message
from justesse.verbs.plan.plan import Need, Plan

if TYPE_CHECKING:
    from justesse.report.document import Document


@dataclass(frozen=True, repr=False)
class ActivePlan(Plan):
    """Rows to label: strata, and how many rows of each."""

    rows: Any = None

    def document(self) -> "Document":
        from justesse.verbs.plan.document import active_document

        return active_document(self)


def plan_active(
    data: Any,
    *,
    budget: int,
    on: str | None,
    prediction: str | None,
    label: str | None,
    proba: str | None,
    seed: int,
    to: Any,
) -> ActivePlan:
    """List rows to label, with known probabilities, and write them to a file.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays with the rows to choose from.
    budget
        Number of rows to label.
    on, prediction, label, proba
        Columns of the ids, predictions and pseudo-labels, and prefix of the columns of probabilities.
    seed
        Seed of the draw.
    to
        File for the list, or nothing.
    """
    import pyarrow as pa

    if data is None:
        raise InputError(
            "Which rows to label depends on the rows. Name the file: justesse plan labels rows.csv --active."
        )
    rows = label_scores(data, on=on, prediction=prediction, label=label, proba=proba)
    design = active_design(rows.scores, budget, kinds=rows.agreed, seed=seed)
    stratum = design.stratum[design.drawn]
    columns = {
        ORDER: pa.array(np.arange(1, budget + 1)),
        rows.on: rows.chosen(design.drawn),
        STRATUM: pa.array(stratum + 1),
        ROWS: pa.array(design.sizes[stratum]),
        CHANCE: pa.array(design.chances[stratum]),
        FIXED: pa.array((np.arange(budget) < design.fixed).astype(int)),
        PROBABILITY: pa.array(design.probability[stratum]),
    }
    if to is not None:
        write_table(columns, Path(to))
    drawn = np.bincount(stratum, minlength=len(design.sizes))
    strata = tuple(
        {"stratum": at + 1, "rows": int(size), "to_label": int(many), "probability": float(many / size)}
        for at, (size, many) in enumerate(zip(design.sizes, drawn, strict=True))
    )
    return ActivePlan(
        "labels",
        budget,
        message(
            "Label these {n:count} of {rows:count} rows in their order, and add a column true. Rows were drawn from "
            "{strata:count} strata, with probabilities from {low:share} to {high:share}."
            if len(strata) > 1
            else "Label these {n:count} of {rows:count} rows in their order, and add a column true. All were equally likely.",
            n=budget,
            rows=len(rows.scores),
            strata=len(strata),
            low=min(float(item["probability"]) for item in strata),
            high=max(float(item["probability"]) for item in strata),
        ),
        (Need("Rows to label", budget, message("of {rows:count}", rows=len(rows.scores))),),
        {"budget": budget, "rows": len(rows.scores), "on": rows.on, "label": label, "proba": proba, "seed": seed},
        strata,
        ("the rows are labelled in the order listed, and none is skipped", "whoever labels them is right"),
        {},
        pa.table(columns),
    )
