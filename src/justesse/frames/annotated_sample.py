"""A sample of rows as something a quick model can learn from, whatever the columns hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import ColumnError
from justesse.core.seeds import stream
from justesse.frames.engine import connection
from justesse.frames.sides import Side, beside

HASHED = 1 << 14  # columns that words and names are hashed into
LISTED = 30  # names of a column that get a column of their own


@dataclass(frozen=True, eq=False)
class AnnotatedSample:
    """A row of numbers for each row sampled (sparse where there is text), and codes of labels and annotators."""

    x: Any
    y: NDArray[np.int64]
    annotators: NDArray[np.int64]
    text: bool

    def __len__(self) -> int:
        return len(self.y)


def annotated_sample(
    sides: Sequence[Side],
    columns: Sequence[str],
    *,
    label: str,
    annotator: str,
    text: str | None = None,
    id: str | None = None,
    most: int = 3000,
    seed: int = 0,
) -> AnnotatedSample:
    """Sample rows with a label and an annotator, one for each id, and make numbers of the columns.

    Words of the text become hashed counts; numbers are standardised, a gap is noted in a column of its own; the most
    frequent names of any other column get a column each. Nothing of it looks at labels.

    Parameters
    ----------
    sides
        Tables to sample from.
    columns
        Columns with features.
    label, annotator
        Columns with the label and with the name of the annotator.
    text
        Column with text.
    id
        Column with ids; of rows with the same id one is drawn.
    most
        Largest number of rows.
    seed
        Seed of the sample.

    Examples
    --------
    >>> from justesse.frames.sides import side
    >>> rows = side({"x": [1.0, None, 3.0], "y": ["a", "b", "a"], "who": ["ann", "bob", "ann"]}, "test")
    >>> result = annotated_sample([rows], ["x"], label="y", annotator="who")
    >>> result.x.round(2).tolist(), result.y.tolist(), result.annotators.tolist()
    ([[-0.71, 0.0], [0.0, 1.0], [0.71, 0.0]], [0, 1, 0], [0, 1, 0])
    """
    taken = list(dict.fromkeys([label, annotator, *([text] if text else []), *columns]))
    asked_columns = [*taken, *([id] if id and id not in taken else [])]
    parts = [
        _sampled(side, asked_columns, id, most=most * side.size // sum(s.size for s in sides) + 1, seed=seed)
        for side in sides
    ]
    read = {name: np.concatenate([part[f"c{at}"] for part in parts]) for at, name in enumerate(asked_columns)}
    if not len(read[label]):
        raise ColumnError(
            f"No row of {sides[0].name} has both {label!r} and {annotator!r}. Name other columns with --label "
            "and --annotator."
        )
    codes = [np.unique(read[name].astype(str), return_inverse=True)[1] for name in (label, annotator)]
    plain = [_table(read[name]) for name in columns if name != text]
    table = np.hstack(plain) if plain else np.empty((len(read[label]), 0))
    return AnnotatedSample(_with_words(table, read[text]) if text else table, codes[0], codes[1], text is not None)


def _sampled(
    table_side: Side, asked_columns: Sequence[str], id: str | None, *, most: int, seed: int
) -> dict[str, NDArray[Any]]:
    numbered = table_side.numbered(asked_columns).filter("c0 IS NOT NULL AND c1 IS NOT NULL")
    places = numbered.project("place")
    if id:
        # several annotators may have seen one case: a model must not meet it on both sides
        one_each = f"arg_min(place, hash(place + {seed})) AS place"
        places = numbered.aggregate(one_each, f"c{asked_columns.index(id)}")
    known = np.sort(np.asarray(table_side.fetched(places)["place"], dtype=np.int64))
    if len(known) > most:
        known = np.sort(stream(seed, "sample", table_side.part).choice(known, most, replace=False))
    import pyarrow as pa

    chosen = connection().from_arrow(pa.table({"place": known}))
    result = beside((table_side,), "SELECT ours.* FROM ours JOIN theirs USING (place) ORDER BY place", numbered, chosen)
    return {name: _with_gaps(values) for name, values in result.items()}


def _with_gaps(values: Any) -> NDArray[Any]:
    result = np.ma.getdata(values).astype(object)
    result[np.ma.getmaskarray(values)] = None
    return result


def _table(values: NDArray[Any]) -> NDArray[np.float64]:
    gone = np.array([value is None for value in values])
    try:
        numbers = np.array([np.nan if value is None else float(value) for value in values])
    except ValueError:
        names, counts = np.unique(values[~gone].astype(str), return_counts=True)
        frequent = names[np.argsort(-counts, kind="stable")[:LISTED]]
        listed = (values.astype(str)[:, None] == frequent) & ~gone[:, None]
        return np.asarray(listed, dtype=float)
    gone |= ~np.isfinite(numbers)
    known = numbers[~gone]
    if not len(known):
        return np.zeros((len(values), 0))
    spread = known.std(ddof=1) if len(known) > 1 else 0.0
    scaled = np.where(gone, 0.0, (numbers - known.mean()) / (spread or 1.0))
    return np.column_stack([scaled, gone]) if gone.any() else scaled[:, None]


def _with_words(table: NDArray[np.float64], texts: NDArray[Any]) -> Any:
    from scipy.sparse import csr_matrix, hstack
    from sklearn.feature_extraction.text import HashingVectorizer

    words = HashingVectorizer(n_features=HASHED, ngram_range=(1, 2), alternate_sign=False)
    counted = words.transform(["" if text is None else str(text) for text in texts])
    return hstack([counted, csr_matrix(table)]).tocsr()
