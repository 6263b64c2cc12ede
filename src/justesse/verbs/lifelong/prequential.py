"""`justesse.lifelong_prequential`: the error of a system over time, each item tested before it is learnt from."""

from dataclasses import replace
from typing import Any

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.choices import Missing, MissingLabels
from justesse.core.errors import ColumnError, OptionError
from justesse.core.results import check_level
from justesse.frames.columns import check_column
from justesse.frames.count import opened
from justesse.frames.rows import Rows
from justesse.frames.stream import StreamColumns, StreamRows, guess_time, read_stream
from justesse.frames.watched import check_unchanged, watched
from justesse.lifelong.late_labels import known_after, known_at
from justesse.lifelong.periods import MOST, Periods, blocks_of, distinct_in_order, even_step, grouped, moment_name
from justesse.lifelong.prequential import check_memory
from justesse.lifelong.prequential_figures import prequential_figures
from justesse.verbs.lifelong.prequential_result import PrequentialEvaluation
from justesse.verbs.options.intervals import ConfidenceOptions
from justesse.verbs.recorded import recorded

FADING = 0.999


@recorded
def lifelong_prequential(
    data: Any,
    *,
    time: str | None = None,
    label: str | None = None,
    prediction: str | None = None,
    known: str | None = None,
    delay: int | None = None,
    version: str | None = None,
    trained: str | None = None,
    id: str | None = None,
    period: str | float | None = None,
    as_text: bool = False,
    fading: float | None = None,
    window: int | None = None,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    level: float = ConfidenceOptions.level,
) -> PrequentialEvaluation:
    """Evaluate a system on a stream: each item is answered first, and its label is known later.

    Parameters
    ----------
    data
        Path or pattern, data frame or dict with a row for each item, or for each item and version.
    time
        Column with the time of each item: dates or numbers. Default: the column named time, date, period or day;
        without one, the order of the rows.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    known
        Column with the time at which the label became known; empty with an empty label if it is not known yet.
    delay
        Number of further items answered before a label is known, such as 48. Default: 0, known before the next item.
    version
        Column with the version that answered, in a table with a row for each item and version. Each item counts once,
        as answered by the latest version trained before it; needs --trained and --id.
    trained
        Column with the time at which the version was trained.
    id
        Column with the id of the item, if there are versions. Default: id.
    period
        Length of a period: day, week, month, quarter or year for dates, a number such as 30 for numbers. Default: each
        time if there are 60 or fewer, else the shortest that gives 60 or fewer; about 20 equal periods for numbers.
    as_text
        Read all labels and predictions as text, so that 1 and 1.0 differ.
    fading
        Weight of an item relative to the next one, above 0 and at most 1. Default: 0.999, which counts about the last
        2,000 items.
    window
        Number of items of a sliding window, instead of a fading factor.
    missing
        Rows without a prediction: refuse the data, count each as wrong, or drop the row. Default: refuse.
    missing_labels
        Rows without a label or true class: refuse the data, or drop the row. Default: refuse; drop with --missing drop.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.

    Returns
    -------
    PrequentialEvaluation
        `error` of all items, `latest` with recent items counting more, `baselines` and `kappas` by name, `periods` and
        `curve`.

    Notes
    -----
    The no-change baseline repeats the latest label known: where labels last, it is hard to beat (Žliobaitė et al. 2015).

    Examples
    --------
    >>> rows = {"label": ["up", "up", "down", "down"] * 25, "prediction": ["up", "up", "up", "down"] * 25}
    >>> result = lifelong_prequential(rows)
    >>> round(result.error.value, 2), round(result.baselines["no_change"].value, 2)
    (0.25, 0.49)
    """
    check_level(level)
    check_memory(fading, window)
    if known is not None and delay is not None:
        raise OptionError("Choose a column of times or a delay for labels that come late, not both (--known, --delay).")
    policy = AnswerPolicy.of(missing, missing_labels)
    data = watched(data)
    columns = _columns(
        opened(data)[0],
        StreamColumns(label, prediction, time, known, version, trained, id),
    )
    stream = read_stream(data, columns, policy=policy, as_text=as_text)
    check_unchanged(data)
    moments, of_item = distinct_in_order(stream.moments)
    periods = _periods(moments, stream, period)
    blocks = blocks_of(moments, periods.of_moment, stream.dated)
    if stream.known is None:
        arrival = known_after(len(stream.labels), delay or 0)
    else:
        arrival = known_at(stream.moments, stream.known)
    fade = FADING if fading is None and window is None else fading
    figures = prequential_figures(
        stream.labels,
        stream.predictions,
        arrival,
        periods.of_moment[of_item],
        blocks[of_item],
        periods.names,
        fading=fade,
        window=window,
        level=level,
    )
    return PrequentialEvaluation(
        figures=figures,
        times=tuple(stream.moments[figures.curve.items].tolist()),
        dated=stream.dated,
        fading=fade,
        window=window,
        delay=delay or 0,
        tied=len(moments) < len(stream.labels) and stream.known is None,
        pending=stream.pending,
        dropped=stream.dropped,
        untrained=stream.untrained,
        superseded=stream.superseded,
        length=periods.length,
        level=level,
        columns=stream.columns,
        source=data,
        zoned=stream.zoned,
        others=stream.others,
    )


def _columns(table: Rows, columns: StreamColumns) -> StreamColumns:
    """Look for a column of times, and for all that a table of versions needs."""
    time = guess_time(table.columns, table.name, columns.time)
    if columns.version is None and columns.trained is None:
        if columns.id is not None:
            check_column(table.columns, table.name, "id", columns.id)
        return replace(columns, time=time, id=None)
    missing = [
        option
        for option, name in (("version=… (--version)", columns.version), ("trained=… (--trained)", columns.trained))
        if name is None
    ]
    if missing:
        raise OptionError(f"A table of versions needs the version and its time of training: add {missing[0]}.")
    if time is None:
        raise ColumnError(
            f"A table of versions needs the time of each item; {table.name} has none. Name it with time=… (--time)."
        )
    return replace(columns, time=time, id=check_column(table.columns, table.name, "id", columns.id or "id"))


def _periods(moments: Any, stream: StreamRows, period: str | float | None) -> Periods:
    few = period is None and len(moments) <= MOST
    if period is None and not few and not stream.dated:
        period = even_step(moments)
    written = [moment_name(moment, stream.dated) for moment in moments.tolist()] if few else []
    return grouped(moments, written, stream.dated, period)
