"""`justesse.lifelong_run`: a system run over a stream, with an expert and a budget."""

import hashlib
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from justesse.core.choice import check_choice
from justesse.core.choices import AdaptationMode, Learning, LifelongConvention, PenaltyScore
from justesse.core.results import check_level
from justesse.core.seeds import check_seed
from justesse.frames.native import TABLES, check_place
from justesse.frames.stream_rows import RowLabels, TimedRows, timed_rows
from justesse.frames.watched import check_unchanged, watched
from justesse.lifelong.command_system import CommandSystem
from justesse.lifelong.experts import simulated_expert
from justesse.lifelong.experts.expert import Expert
from justesse.lifelong.journal import Journal, MemoryJournal
from justesse.lifelong.ledger import Ledger
from justesse.lifelong.penalised_diarization import DiarizationScoring
from justesse.lifelong.policy import Policy, WeightFunction
from justesse.lifelong.run import StreamRun
from justesse.lifelong.session import Session
from justesse.lifelong.stream import stream_of
from justesse.lifelong.system import LearningSystem, LiveSystem, PythonSystem
from justesse.lifelong.tasks.task import RunTask
from justesse.store.recheck_file import RecheckAsks
from justesse.store.run_file import opened_run
from justesse.verbs.lifelong.options import PolicyOptions
from justesse.verbs.lifelong.people import People, is_list
from justesse.verbs.lifelong.run_checks import check_help, check_modes, check_score, check_tests, check_timeout
from justesse.verbs.lifelong.run_options import AdaptationOptions, RunExpertOptions, RunScoreOptions, RunStreamOptions
from justesse.verbs.lifelong.run_policy import RunPolicy
from justesse.verbs.lifelong.run_result import LifelongRun
from justesse.verbs.lifelong.run_settings import RunSettings
from justesse.verbs.lifelong.run_tasks import run_task
from justesse.verbs.lifelong.timeline import chosen_policy
from justesse.verbs.options.intervals import ConfidenceOptions, SeedOptions
from justesse.verbs.recorded import recorded

ASKS: dict[str, RecheckAsks] = {"error": "predictions", "der": "speech"}
LABELS: dict[str, RowLabels] = {"error": "classes", "der": "none"}


@recorded
def lifelong_run(
    system: str | LearningSystem,
    stream: Any,
    *,
    on: str | None = None,
    time: str | None = None,
    label: str | None = None,
    features: Sequence[str] | None = None,
    period: str | float | None = None,
    initial: int = RunStreamOptions.initial,
    test_share: float = RunStreamOptions.test_share,
    score: PenaltyScore = RunScoreOptions.score,
    reference: str | Path | None = None,
    collar: float = RunScoreOptions.collar,
    skip_overlap: bool = RunScoreOptions.skip_overlap,
    stretch: float | None = None,
    mode: AdaptationMode = AdaptationOptions.mode,
    learning: Learning = AdaptationOptions.learning,
    name: str | None = None,
    timeout: float = AdaptationOptions.timeout,
    restarts: bool = AdaptationOptions.restarts,
    restart_budget: float | None = None,
    expert: str = RunExpertOptions.expert,
    budget: float | None = None,
    cost: float = RunExpertOptions.cost,
    round_cost: float = RunExpertOptions.round_cost,
    answer_seconds: float = RunExpertOptions.answer_seconds,
    policy: str | Policy | Mapping[str, float] | WeightFunction = PolicyOptions.policy,
    half_life: float | None = None,
    convention: LifelongConvention = PolicyOptions.convention,
    checkpoint: str | Path | None = None,
    to: str | Path | None = None,
    curve_to: str | Path | None = None,
    penalised_to: str | Path | None = None,
    level: float = ConfidenceOptions.level,
    seed: int = SeedOptions.seed,
    progress: Callable[[int, int], Any] = lambda done, whole: None,
) -> LifelongRun:
    """Run a system that keeps learning over a stream, with an expert who answers at a price.

    Parameters
    ----------
    system
        Object with `predict(items)` and `adapt(items, because)`, and `ask(items, most)` for active learning; or a
        command that speaks JSON lines, such as "python my_system.py".
    stream
        Path, data frame or dict with a row for each item.
    on
        Column with the id of each item. Default: id if there is such a column, otherwise the number of the row.
    time
        Column with the time of each item: dates or numbers. Default: the column named time, date, period or day.
    label
        Column with the labels, or with the right texts for wer and bleu. The system never sees it. Default: the column
        named label, y, y_true or target.
    features
        Columns that the system sees, separated by commas. Default: all others.
    period
        Length of a period: day, week, month, quarter or year for dates, a number such as 30 for numbers. Default: each
        time if there are 60 or fewer, else the shortest that gives 60 or fewer.
    initial
        Number of first periods that the system gets with their labels before the run. Default: 1.
    test_share
        Share of each later period that is kept for tests, such as 0.2. The system never learns from it. Default: 0.25.
    score
        error (classes), wer (word error rate of texts), der (diarization error rate of recordings), bleu (Papineni et
        al.) or sacrebleu (translations). Default: error.
    reference
        For der: RTTM file with who speaks when, such as right.rttm. Its recordings are the ids of the stream.
    collar
        For der: time not scored on either side of each start and end in the reference, such as 0.25. Default: 0.
    skip_overlap
        For der: leave out times when several speakers of the reference talk.
    stretch
        For der: length of the stretch of time that a question or a correction is about, such as 30. Default: the whole
        recording.
    mode
        on-line: the system adapts while it handles a period, and asks only about its items. off-line: it answers first,
        then adapts to all items so far. Default: on-line.
    learning
        active: the system asks. interactive: the expert corrects the first wrong item, again and again. unsupervised:
        neither. Default: active.
    name
        Name of the system in results. Default: its command, or the name of its class.
    timeout
        Seconds in which a command must reply to a message. Default: 60.
    restarts
        Also let each version meet the test items of each period with the expert's help, each time from its own state:
        penalised scores of all pairs.
    restart_budget
        Most that such a restart may cost. Default: the budget divided by the number of periods.
    expert
        perfect, noisy:0.1 (share of wrong answers), refusing:0.2 (share without an answer), delayed:1 (periods),
        tiring:50 (answers until one in four is wrong) or costly:5 (price up to so many times); several as
        noisy+costly:3. Or a file that people answer, such as ask.recheck. Default: perfect.
    budget
        Most that all questions, corrections and rounds may cost, such as 500. Default: no limit.
    cost
        Cost of a question or a correction. Default: 1.
    round_cost
        Fixed cost of an off-line round. Default: 0.
    answer_seconds
        Seconds that the expert takes for an answer, for response times. Default: 0.
    policy
        recent, uniform, past, cyclic:12 (periods of a cycle), window:3 (the last periods), or a CSV with the columns
        period and weight. Default: uniform.
    half_life
        For recent and past: time after which a weight has halved, in days for dates. Default: one period.
    convention
        Periods that count for a version: through-next takes those up to the first one after its training, paper those
        before its training. Default: through-next.
    checkpoint
        Keep every step in this file, such as my.run. The same command goes on from it if it was stopped.
    to
        Write the answers of every version to every test item, or its scores in every period for other scores than
        error, such as answers.csv: what justesse lifelong score reads.
    curve_to
        Write the score on all test items against the cost, such as curve.csv.
    penalised_to
        With restarts: write the penalised score of every version in every period, such as penalised.csv.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    progress
        Called with the number of periods that are over and of all.

    Returns
    -------
    LifelongRun
        Scores before and after adaptation in every period, the ledger, and the answers of every version.

    Notes
    -----
    Prokopalo et al. (2020). On-line, a system answers the items of a period, adapts, asks or is corrected, and answers
    again; off-line, it answers, and adapts to all items so far. Every question is charged before it is answered.

    Examples
    --------
    >>> class Majority:
    ...     def __init__(self): self.seen = ["no"]
    ...     def predict(self, items): return [max(self.seen, key=self.seen.count)] * len(items)
    ...     def adapt(self, items, because): self.seen += [item.label for item in items if item.label]
    ...     def ask(self, items, most): return [item.id for item in items[:min(most, 2)]] if len(items) > 4 else []
    >>> rows = {"time": [1] * 8 + [2] * 8 + [3] * 8, "label": ["no"] * 8 + ["yes"] * 16}
    >>> result = lifelong_run(Majority(), rows, budget=3)
    >>> result.record.ledger.spent, [episode.score.adapt for episode in result.record.episodes]
    (3.0, [1.0, 1.0])
    """
    check_level(level)
    check_seed(seed)
    for option, value, choices in (
        ("score", score, PenaltyScore),
        ("mode", mode, AdaptationMode),
        ("learning", learning, Learning),
        ("convention", convention, LifelongConvention),
    ):
        check_choice(option, value, choices)
    check_score(score, reference, collar, skip_overlap, stretch, label)
    check_modes(mode, learning, restarts, restart_budget, round_cost)
    costs = RunExpertOptions(expert, budget, cost, round_cost, answer_seconds)
    check_help(learning, None if checkpoint is None else Path(checkpoint), restarts, costs)
    check_tests(test_share, restarts, to, curve_to, penalised_to)
    check_timeout(system, timeout)
    for path in (to, curve_to, penalised_to):
        if path is not None:
            check_place(Path(path), endings=TABLES, read=(stream, checkpoint, reference))
    stream, reference = watched(stream), watched(reference)
    rows = timed_rows(
        stream, on=on, time=time, label=label, features=features, labels=LABELS.get(score, "texts")
    )  # fmt: skip
    made = stream_of(rows, period=period, initial=initial, test_share=test_share)
    scoring = DiarizationScoring(collar, not skip_overlap)
    made, task = run_task(made, rows, score, scoring, reference, stretch)
    check_unchanged(stream, reference)
    weighing = RunPolicy(chosen_policy(policy, half_life), convention)
    weighing.check(made)
    live: LiveSystem = CommandSystem(system, timeout=timeout) if isinstance(system, str) else PythonSystem(system)
    settings = RunSettings(
        name or live.name, mode, learning, expert, budget, cost, round_cost, answer_seconds, restarts,
        _restart_budget(restart_budget, budget, len(made.batches)), None if period is None else str(period), initial,
        test_share, seed, score, collar, skip_overlap, stretch,
    )  # fmt: skip
    ledger = Ledger(budget, answer_seconds=answer_seconds)
    answering = _expert(settings, task, made.classes, rows)
    with ExitStack() as stack:
        journal, states = _kept(checkpoint, settings, live.name, rows, task, stack)
        about = {
            "score": score,
            **task.about(),
            "features": rows.columns["features"],
            "mode": mode,
            "learning": learning,
            "seed": seed,
        }
        session = Session(live, about, task, journal, states, restarts=restarts)
        stack.callback(session.close)
        record = StreamRun(
            session,
            made,
            answering,
            ledger,
            mode=mode,
            learning=learning,
            round_cost=round_cost,
            restarts=restarts,
            restart_budget=settings.restart_budget,
            progress=progress,
        ).run()
    result = LifelongRun(record, made, task, settings, weighing, level, rows.columns, (stream, reference), rows.zoned)
    result.write(to=to, curve_to=curve_to, penalised_to=penalised_to)
    return result


def _restart_budget(restart_budget: float | None, budget: float | None, periods: int) -> float | None:
    if restart_budget is not None or budget is None:
        return restart_budget
    return round(budget / periods, 9)


def _expert(settings: RunSettings, task: RunTask, classes: tuple[Any, ...], rows: TimedRows) -> Expert:
    if is_list(settings.expert):
        on = rows.columns["id"] or "id"
        asks = ASKS.get(settings.score, "texts")
        return People(Path(settings.expert), on, classes if asks == "predictions" else (), settings.cost, asks)
    return simulated_expert(settings.expert, task.truths, wrong=task.wrong, seed=settings.seed, cost=settings.cost)


def _kept(
    checkpoint: str | Path | None, settings: RunSettings, system: str, rows: TimedRows, task: RunTask, stack: ExitStack
) -> tuple[Journal, Path | None]:
    """Open what keeps the run, and name the folder for states of the system."""
    if checkpoint is None:
        if not settings.restarts:
            return MemoryJournal(), None
        return MemoryJournal(), Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="justesse-")))
    labels = rows.labels if settings.score != "der" else [task.truths]
    parts = (rows.ids, rows.times, labels, rows.values)
    digest = hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()
    about = {**settings.kept(), "command": system, "stream": digest}
    place = Path(checkpoint)
    return opened_run(place, about), place.with_name(f"{place.name}-states")
