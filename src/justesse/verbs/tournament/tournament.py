"""`justesse.tournament`: a leaderboard of many classifiers, and which judge errs how often over all pairs of them."""

import os
from collections.abc import Callable, Sequence
from typing import Any

from justesse.core.answer_policy import Missing, MissingLabels, Others
from justesse.core.errors import OptionError
from justesse.core.recording import remembered
from justesse.core.results import Alternative, ClassName
from justesse.core.seeds import check_seed
from justesse.frames.entrant_codes import Entrants
from justesse.frames.entrants import read_entrants
from justesse.frames.logs.log_choice import LogChoice
from justesse.frames.watched import check_unchanged, watched
from justesse.judges.entrant import Settings
from justesse.judges.entrants import EVERY, chosen_judges, enter, leave_out
from justesse.judges.evidence import Rule
from justesse.verbs.log_input import LogInput, read_entered
from justesse.verbs.log_words import comparison_cautions
from justesse.verbs.noise.feature_noise import PathLike, Sources
from justesse.verbs.noise.label_versions import given_versions, made_versions
from justesse.verbs.noise.options import TrainingNoise
from justesse.verbs.options.answers import AnswerOptions
from justesse.verbs.recorded import recorded
from justesse.verbs.tournament.boards import BoardOptions, ModelBoard, model_boards
from justesse.verbs.tournament.cautions import board_cautions, cautions
from justesse.verbs.tournament.judging_options import check_taking_part, cleaners, quantities_of, without_judges
from justesse.verbs.tournament.options import CLEANING, TournamentJudgeOptions, VerdictOptions
from justesse.verbs.tournament.result import Round, Tournament
from justesse.verbs.tournament.rounds import played_round
from justesse.verbs.tournament.tables import entrant_tables

LOG_RATES = (0.05,)
NO_TRUTH = (
    "Logs have targets and no true classes: the targets count as true here, and some are made wrong. Choose how many with "
    "--noise-rates. Default: 5 %."
)
BY_SAMPLE = (
    "Labels are counted by sample. A wrong target is wrong in all samples of its question, so fewer wrong targets can swap "
    "two classifiers."
)
QUESTION = "question"  # column of logs: samples of one question may be alike
LOG_TASK = "task"


@recorded
def tournament(
    data: Any,
    *tables: Any,
    label: str | Sequence[str] | None = None,
    true: str | None = None,
    models: Sequence[str] | None = None,
    on: str | None = None,
    prediction: str | None = None,
    measure: str | Sequence[str] | None = None,
    judges: str | Sequence[str] | None = None,
    noise_rates: Sequence[float] | None = None,
    noise: TrainingNoise | None = None,
    votes: Any = None,
    answers: Any = None,
    ranking: PathLike | None = None,
    rate: float | None = None,
    pc: float | None = TournamentJudgeOptions.pc,
    hard_by: str | Sequence[str] | None = None,
    difficulty: str | None = None,
    cleaning: Sequence[Sequence[float]] | None = None,
    filter: str | Sequence[str] | None = None,
    budget: int | None = TournamentJudgeOptions.budget,
    expert_error: float | None = TournamentJudgeOptions.expert_error,
    level: float = VerdictOptions.level,
    margin: float = VerdictOptions.margin,
    alternative: Alternative | None = VerdictOptions.alternative,
    seed: int = VerdictOptions.seed,
    classes: Sequence[ClassName] | None = None,
    drop_missing: bool = False,
    as_text: bool = False,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    others: Others = AnswerOptions.others,
    any_of: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    metric: str | None = None,
    log_filter: str | None = None,
    task: str | None = None,
    log_model: str | None = None,
    right_from: float | None = None,
    cluster: str | None = None,
    task_column: str | None = None,
    task_rates: Any = None,
) -> Tournament:
    """Rank many classifiers, and count how often judges err on pairs of them by labels that may be wrong.

        rank of a classifier = 1 + those told apart as better … M - those told apart as worse
        type I = replaced, of the pairs the reference keeps     type II = kept, of the pairs it replaces

    The leaderboard has every accuracy with its interval, ranks that hold together, and the wrong labels that could swap
    neighbours. Judges take part if there are true classes: the references decide by these, by overlap of intervals as
    in Benjelloun (2021) and by a paired comparison.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays with a column of true classes, one or several of labels, and one of
        predictions for each classifier.
    tables
        Further tables, each of one classifier, joined by `on`.
    label
        Column with the labels, or a list of columns: versions of the labels. Default: the column named label, y, y_true
        or target.
    true
        Column with the true classes. Default: the column named true, truth or actual.
    models
        List of the columns of the classifiers. Default: every other column that holds classes.
    on
        Column with an id that all files share. Default: rows in order, if all labels agree.
    prediction
        Column with the predictions, in files of one classifier each. Default: the column named prediction, pred,
        y_pred, yhat, predicted or y_hat.
    measure
        Measure to judge by, or a list of measures, such as accuracy, recall:cat or precision:cat. recall alone is that
        of every class. Default: accuracy.
    judges
        Names of judges, see `justesse.judges`, all, or none for the leaderboard alone. Default: all; none for logs,
        with clusters, or without true classes.
    noise_rates
        Shares of the true classes to make wrong, such as [0.01, 0.05], instead of reading labels. Default: labels are
        read.
    noise
        Which labels become wrong. uniform: every wrong class is equally likely. pair-flip: each class becomes the next.
        features: the hardest rows. Default: uniform; features with `votes`, `answers` or `ranking`.
    votes
        File or data frame with a column of votes for each class: rows with the most votes against the true class become
        wrong first.
    answers
        File or data frame with a column of answers for each annotator: rows they most often got wrong become wrong
        first.
    ranking
        Parquet file with the difficulty of the rows, from `noise_inject`.
    rate
        Share of wrong labels that judges may assume, such as 0.05; the leaderboard bounds accuracies and ranks for it.
        Default: the true share for judges, no bounds.
    pc
        For prudent_v2: share of the rows to doubt, the hardest, such as 0.2. Default: 0.1.
    hard_by
        For prudent_v2: how rows are ranked: disagreement (of the classifiers), random or difficulty, or a list of them.
        Default: all that are possible.
    difficulty
        Column with the difficulty of each row, a larger number where it is harder. `hard_by` can use it.
    cleaning
        For cleaned: list of (s, e) or (s, e, c), the chances to detect a wrong label, to suspect a right one, and to
        correct what was detected (without c, the row is removed). Default: [(0.6, 0.1), (0.6, 0.1, 0.75)].
    filter
        For cleaned: filter, or list of filters, of `justesse.clean` that look at the answers of these classifiers, such
        as majority-vote or "edited-neighbours(neighbours=5)". Each takes part twice: flagged rows removed, and
        corrected. Default: none.
    budget
        For audited: number of answers to ask for at most, per pair. Default: 200.
    expert_error
        For audited: share of answers that may be wrong, such as 0.02. Default: 0.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    margin
        Smallest gain that matters, in the measure's unit, such as 0.01 for one point. Default: 0.
    alternative
        Question that judges answer. greater: is the candidate better? less: is it worse? Default: two-sided.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    classes
        All classes in order, also those that do not occur, such as ['low', 'high']. Default: those of the labels.
    drop_missing
        Old name of `missing="drop"`.
    as_text
        Read all labels and predictions as text, so that 1 and 1.0 differ.
    missing
        Rows without a prediction: refuse the data, count each as wrong, or drop the row. Default: refuse.
    missing_labels
        Rows without a label or true class: refuse the data, or drop the row. Default: refuse; drop with
        `missing="drop"`.
    others
        Predictions that no label has: wrong answers, classes of their own as in scikit-learn, or missing answers.
        Default: wrong.
    any_of
        Separator of labels that accept several classes, such as "|": cat|dog accepts both. Default: every label is one
        class.
    progress
        Called with the number of steps done and the number of all steps.
    metric
        For evaluation logs: metric or scorer that says what is right, such as exact_match. Default: the first that
        scores with 0 and 1 only.
    log_filter
        For evaluation logs: how answers were extracted, such as strict-match; of HELM the split, such as valid.
        Default: the first in the log, of HELM test.
    task
        For evaluation logs: task to read, such as gsm8k. Default: all tasks.
    log_model
        For evaluation logs with several models: the model to read.
    right_from
        For evaluation logs: smallest score that counts as right, such as 0.5. Default: 1, and other scores than 0 and 1
        are refused.
    cluster
        Column that says which rows belong together, such as passage: rows of one cluster may be alike. Default: all
        rows are independent; question for logs with several samples of a question.
    task_column
        Column with the task of each row, for scores by task and their mean. Default: no tasks; the tasks of logs.
    task_rates
        Table with the columns task and rate: the share of wrong labels to assume in each task. Default: none.

    Returns
    -------
    Tournament
        Leaderboards, and decisions and error rates of every judge.

    Notes
    -----
    Ranks hold together at `level` (`justesse.significance.rank_sets`): paired tests of all pairs, corrected for all.
    Al Mohamad, Goeman and van Zwet (2022).
    With `any_of`, only accuracy is judged, and judges that need one class per row are left out.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> true = rng.integers(3, size=2000)
    >>> columns = {"true": true, "label": np.where(rng.random(2000) < 0.05, (true + 1) % 3, true)}
    >>> for skill in (0.6, 0.7, 0.8):
    ...     columns[f"net {skill}"] = np.where(rng.random(2000) < skill, true, rng.integers(3, size=2000))
    >>> result = tournament(columns, judges=["classical", "paired"])
    >>> result.pairs, result.rounds[0].judged[0].against["overlap"]["agreement"].value
    (6, 1.0)
    """
    files = [watched(item) for item in (data, *tables)]
    logs = remembered("logs", read_entered, files, LogChoice(metric, log_filter, task, log_model, right_from), models)
    data, tables = logs.sources[0], logs.sources[1:]
    labels = [label] if isinstance(label, str) else label
    of_judges: dict[str, Any] = {
        "pc": pc, "hard_by": hard_by, "difficulty": difficulty, "cleaning": cleaning, "filter": filter, "budget": budget,
        "expert_error": expert_error,
    }  # fmt: skip
    only_judges = {"measure": measure, "alternative": alternative, **of_judges}
    without = without_judges(judges, cluster, noise_rates, only_judges)
    if logs.paired:
        models, on = None, on or "id"
        wants_judges = (
            judges is not None or noise_rates is not None or any(value is not None for value in only_judges.values())
        )
        without = without or not wants_judges
        if not without:
            true = true or "label"
            noise_rates = LOG_RATES if noise_rates is None and label is None else noise_rates
        cluster = QUESTION if cluster is None and without and logs.repeated else cluster
        several_tasks = any(len(facts.tasks) > 1 for facts in logs.facts)
        task_column = LOG_TASK if task_column is None and several_tasks else task_column
    classes = logs.classes(classes)
    rule = Rule(margin, level, alternative or "two-sided", seed=check_seed(seed))
    sourced = any(source is not None for source in (votes, answers, ranking))
    own = {name: of_judges[name] for name in ("pc", "budget", "expert_error") if of_judges[name] is not None}
    settings = Settings(
        rate=rate, hard_by=hard_by, cleaning=CLEANING if cleaning is None else cleaning, seed=seed,
        has_difficulty=sourced or difficulty is not None, cleaners=cleaners(filter), **own,
    )  # fmt: skip
    chosen, named = chosen_judges(EVERY if judges is None or without else judges)
    check_taking_part(chosen, of_judges)
    judging = enter(chosen, settings)
    if noise_rates is not None and labels is not None:
        raise OptionError("Give columns of labels or noise_rates, not both.")
    if noise_rates is None and (sourced or noise is not None):
        raise OptionError("noise, votes, answers and ranking describe how labels are made wrong. Give noise_rates too.")
    if noise_rates is not None and not len(noise_rates):
        raise OptionError("noise_rates needs at least one rate, such as 0.05; got none.")
    options = BoardOptions(level, margin, seed, cluster, task_column, rate, task_rates, on)
    named_any = judges is not None or any(value is not None for value in only_judges.values())
    entrants = remembered(
        "answers", read_entrants,
        entrant_tables(data, tables), true=true, label=[] if noise_rates is not None else labels, models=models, on=on,
        prediction=prediction, difficulty=difficulty, classes=classes, as_text=as_text,
        policy=logs.policy(missing, missing_labels, others, drop_missing=drop_missing, any_of=any_of),
        beside=options.columns, needs_true=not without and (named_any or true is not None or noise_rates is not None),
    )  # fmt: skip
    has_truth = entrants.true_column not in entrants.labels
    without = without or not has_truth
    by = list(dict.fromkeys([*entrants.labels, entrants.true_column]))
    boards = model_boards(entrants, by, options)
    if without:
        check_unchanged(*files)
        return _result(
            entrants, (), boards, rule, files, logs,
            [*comparison_cautions(logs, clustered=cluster is not None), *([BY_SAMPLE] if logs.repeated else []), *map(str, board_cautions(entrants, boards[0]))],
        )  # fmt: skip
    if logs.paired and entrants.judged:
        raise OptionError(
            "Judges need one right answer to each question, but some questions of these logs accept several. Leave judges "
            "out (--judge none): the leaderboard allows several."
        )
    versions, notes = given_versions(entrants), list[str]()
    if noise_rates is not None:
        sources = Sources(answers=answers, votes=votes, on=on, ranking=ranking, seed=seed)
        versions, notes = made_versions(entrants, noise_rates, noise=noise, sources=sources)
    for name in [measure] if isinstance(measure, str) else measure or ():
        logs.check_measure(name)
    quantities = quantities_of("accuracy" if measure is None else measure, entrants.classes)
    for asked in quantities:
        asked.check_margin(margin)
    several = next((asked.title for asked in quantities if asked.name != "accuracy"), None)
    if entrants.judged and several:
        raise OptionError(f"{several} needs one class per row, but some rows accept several (any_of). Use accuracy.")
    judging, left_out = leave_out(
        judging,
        named=named,
        measures=[asked.name for asked in quantities],
        pairs=len(entrants.names) * (len(entrants.names) - 1),
        has_joint=not entrants.judged,
    )
    rounds: list[Round] = []
    steps = len(versions) * len(quantities) * (1 + len(judging))
    for version in versions:
        for asked in quantities:
            report = _reporter(progress, len(rounds) * (1 + len(judging)), steps)
            rounds.append(played_round(entrants, version, asked, judging, rule, report))
    check_unchanged(*files)
    own_cautions = dict.fromkeys(entrant.caution for entrant in judging if entrant.caution)
    warnings = [
        *comparison_cautions(logs),
        *([NO_TRUTH] if logs.paired else []),
        *notes,
        *left_out,
        *map(str, cautions(entrants, rounds)),
        *own_cautions,
    ]
    return _result(entrants, tuple(rounds), boards, rule, files, logs, warnings)


def _result(
    entrants: Entrants,
    rounds: tuple[Round, ...],
    boards: tuple[ModelBoard, ...],
    rule: Rule,
    files: Sequence[Any],
    logs: LogInput,
    warnings: Sequence[str],
) -> Tournament:
    return Tournament(
        names=entrants.names,
        rounds=rounds,
        n=len(entrants.true),
        classes=entrants.classes,
        rule=rule,
        source=files[0],
        files=tuple(os.fspath(table) for table in files if isinstance(table, (str, os.PathLike))),
        logs=logs.facts,
        dropped=entrants.dropped,
        policy=entrants.policy,
        others=entrants.others,
        missing=entrants.missing,
        ignored=entrants.ignored,
        warnings=tuple(warnings),
        leaderboards=boards,
    )


def _reporter(progress: Callable[[int, int], None] | None, before: int, steps: int) -> Callable[[int], None]:
    return lambda done: progress(before + done, steps) if progress else None
