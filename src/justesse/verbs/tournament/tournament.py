"""`justesse.tournament`: which judge errs how often, over all ordered pairs of many classifiers."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np

from justesse.cleaning.pool_filter import PoolAction, PoolFilter
from justesse.cleaning.written_filter import written_filter
from justesse.core.all_pairs import AllPairs, Judgeable, PairTable, shares
from justesse.core.answer_policy import AnswerPolicy, Missing, MissingLabels, Others
from justesse.core.arrays import Array
from justesse.core.errors import InputError, OptionError
from justesse.core.results import Alternative, ClassName
from justesse.core.seeds import check_seed
from justesse.frames.entrants import Entrants, read_entrants
from justesse.frames.logs.log_choice import LogChoice
from justesse.frames.logs.log_facts import LogTable
from justesse.frames.pair_disagreements import count_disagreements
from justesse.frames.pairwise import count_all_pairs
from justesse.frames.watched import check_unchanged, watched
from justesse.judges import judge_named
from justesse.judges.entrant import Entrant, Scene, Settings
from justesse.judges.entrants import EVERY, chosen_judges, enter, leave_out
from justesse.judges.evidence import Rule
from justesse.judges.quantity import PER_CLASS, Quantity, quantity
from justesse.judges.tournament import REFERENCES, rate_estimates
from justesse.verbs.log_input import read_entered
from justesse.verbs.log_words import comparison_cautions
from justesse.verbs.noise.feature_noise import PathLike, Sources
from justesse.verbs.noise.label_versions import LabelVersion, given_versions, made_versions
from justesse.verbs.noise.options import TrainingNoise
from justesse.verbs.options.answers import AnswerOptions
from justesse.verbs.tournament.cautions import cautions
from justesse.verbs.tournament.options import CLEANING, TournamentJudgeOptions, VerdictOptions
from justesse.verbs.tournament.result import AGAINST, JudgeResult, Round, Tournament

LOG_RATES = (0.05,)
NO_TRUTH = (
    "Logs have targets and no true classes: the targets count as true here, and some are made wrong. Choose how many with "
    "--noise-rates. Default: 5 %."
)
JUDGEABLE: tuple[Judgeable, ...] = get_args(Judgeable)


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
    pc: float = TournamentJudgeOptions.pc,
    hard_by: str | Sequence[str] | None = None,
    difficulty: str | None = None,
    cleaning: Sequence[Sequence[float]] | None = None,
    filter: str | Sequence[str] | None = None,
    budget: int = TournamentJudgeOptions.budget,
    expert_error: float = TournamentJudgeOptions.expert_error,
    level: float = VerdictOptions.level,
    margin: float = VerdictOptions.margin,
    alternative: Alternative = VerdictOptions.alternative,
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
) -> Tournament:
    """Let judges decide every ordered pair of classifiers by labels that may be wrong, and count their errors.

        type I = replaced, of the pairs the reference keeps     type II = kept, of the pairs it replaces

    The references decide by the true classes: by overlap of intervals as in Benjelloun (2021), and by a paired
    comparison. A tournament evaluates judges; do not use it to choose among these classifiers.

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
        Names of judges, see `justesse.judges`, or all. Default: all.
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
        Share of wrong labels that judges may assume, such as 0.05. Default: the true share.
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
        For evaluation logs: how answers were extracted, such as strict-match. Default: the first in the log.
    task
        For evaluation logs: task to read, such as gsm8k. Default: all tasks.
    log_model
        For evaluation logs with several models: the model to read.
    right_from
        For evaluation logs: smallest score that counts as right, such as 0.5. Default: 1, and other scores than 0 and 1
        are refused.

    Returns
    -------
    Tournament
        Decisions and error rates of every judge.

    Notes
    -----
    With `any_of`, only accuracy is judged, and judges that need one class per row are left out.

    Examples
    --------
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
    logs = read_entered(files, LogChoice(metric, log_filter, task, log_model, right_from), models)
    data, tables = logs.sources[0], logs.sources[1:]
    if logs.paired:
        models, on, true = None, on or "id", true or "label"
        noise_rates = LOG_RATES if noise_rates is None and label is None else noise_rates
    classes = logs.classes(classes)
    rule = Rule(margin, level, alternative, seed=check_seed(seed))
    sourced = any(source is not None for source in (votes, answers, ranking))
    settings = Settings(
        rate, pc, hard_by, CLEANING if cleaning is None else cleaning, budget, expert_error, seed,
        has_difficulty=sourced or difficulty is not None, cleaners=_cleaners(filter),
    )  # fmt: skip
    chosen, named = chosen_judges(EVERY if judges is None else judges)
    if settings.cleaners and not any(judge.name == "cleaned" for judge in chosen):
        raise OptionError(
            "filter (--filter) is for the judge cleaned, which does not take part. Add it, or leave filter out."
        )
    judging = enter(chosen, settings)
    labels = [label] if isinstance(label, str) else label
    if noise_rates is not None and labels is not None:
        raise OptionError("Give columns of labels or noise_rates, not both.")
    if noise_rates is None and (sourced or noise is not None):
        raise OptionError("noise, votes, answers and ranking describe how labels are made wrong. Give noise_rates too.")
    if noise_rates is not None and not len(noise_rates):
        raise OptionError("noise_rates needs at least one rate, such as 0.05; got none.")
    entrants = read_entrants(
        _tables(data, tables), true=true, label=[] if noise_rates is not None else labels, models=models, on=on,
        prediction=prediction, difficulty=difficulty, classes=classes, as_text=as_text,
        policy=AnswerPolicy.of(
            logs.missing(missing, drop_missing=drop_missing), missing_labels, others, drop_missing=drop_missing,
            any_of=logs.any_of(any_of),
        ),
    )  # fmt: skip
    versions, notes = given_versions(entrants), list[str]()
    if noise_rates is not None:
        sources = Sources(answers=answers, votes=votes, on=on, ranking=ranking, seed=seed)
        versions, notes = made_versions(entrants, noise_rates, noise=noise, sources=sources)
    for name in [measure] if isinstance(measure, str) else measure or ():
        logs.check_measure(name)
    quantities = _quantities("accuracy" if measure is None else measure, entrants.classes)
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
            rounds.append(_round(entrants, version, asked, judging, rule, report))
    check_unchanged(*files)
    own_cautions = dict.fromkeys(entrant.caution for entrant in judging if entrant.caution)
    return Tournament(
        names=entrants.names,
        rounds=tuple(rounds),
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
        warnings=(
            *comparison_cautions(logs),
            *([NO_TRUTH] if logs.paired else []),
            *notes,
            *left_out,
            *map(str, cautions(entrants, rounds)),
            *own_cautions,
        ),
    )


def _cleaners(filter: str | Sequence[str] | None) -> list[PoolFilter]:
    """Make filters that look at the classifiers' answers, each with both actions."""
    words = [] if filter is None else [filter] if isinstance(filter, str) else list(filter)
    if len(set(words)) < len(words):
        raise OptionError(f"Name each filter once; got {', '.join(words)}.")
    return [PoolFilter(written_filter(word), action) for word in words for action in get_args(PoolAction)]


def _reporter(progress: Callable[[int, int], None] | None, before: int, steps: int) -> Callable[[int], None]:
    return lambda done: progress(before + done, steps) if progress else None


def _tables(data: Any, others: Sequence[Any]) -> dict[str, Any]:
    """Name tables by their files, as briefly as distinguishes them."""
    if not others:
        return {"": data}
    tables = (data, *others)
    named = [table.facts.shown if isinstance(table, LogTable) else table for table in tables]
    paths = [Path(table) if isinstance(table, (str, os.PathLike)) else None for table in named]
    names = [path.name if path else f"classifier {at}" for at, path in enumerate(paths, 1)]
    if len(set(names)) < len(names):
        names = [str(path) if path else name for path, name in zip(paths, names, strict=True)]
    if len(set(names)) < len(names):
        raise InputError(f"The same file is named twice: {names!r}. Name each file once.")
    return dict(zip(names, tables, strict=True))


def _quantities(measure: str | Sequence[str], classes: Sequence[ClassName]) -> list[Quantity]:
    names = [measure] if isinstance(measure, str) else list(measure)
    if not names:
        raise OptionError("At least one measure is needed, such as accuracy; got none.")
    quantities = []
    for name in names:
        each = list(classes) if name.strip().lower() in PER_CLASS else [None]
        quantities += [quantity(name, classes, positive=positive) for positive in each]
    for asked in quantities:
        if asked.name not in JUDGEABLE:
            raise OptionError(f"A tournament judges by accuracy, recall:CLASS or precision:CLASS; got {asked.title!r}.")
    return list({asked.title: asked for asked in quantities}.values())


def _round(
    entrants: Entrants,
    version: LabelVersion,
    asked: Quantity,
    judging: Sequence[Entrant],
    rule: Rule,
    report: Callable[[int], None],
) -> Round:
    """Let every judge decide all pairs by one version of the labels and one measure."""
    scene = _scene(entrants, version, asked, rule)
    pairs = scene.pairs
    reference = judge_named("reference")
    references = {form: reference.decide_many(pairs, rule, form=form) for form in REFERENCES}
    report(1)
    judged = []
    for done, entrant in enumerate(judging, 2):
        decisions = entrant.decide(scene)
        rates = {
            form: rate_estimates(decisions.replaces, right, pairs.true_difference, level=rule.level)
            for form, right in references.items()
        }
        against = {form: {name: own[name] for name in AGAINST} for form, own in rates.items()}
        worse = rates["paired"]["worse_accepted"]
        judged.append(
            JudgeResult(entrant.name, entrant.settings, decisions.replaces, against, worse, decisions.answers)
        )
        report(done)
    return Round(version, asked, _values(pairs, true=True), _values(pairs, true=False), references, tuple(judged))


def _scene(entrants: Entrants, version: LabelVersion, asked: Quantity, rule: Rule) -> Scene:
    """Count what the judges look at; what only some of them need is counted when they ask for it."""
    about: dict[str, Any] = {"measure": asked.name, "at": asked.at}
    by_truth = entrants.judged_by(entrants.true_column)
    if entrants.judged:  # labels and true classes judge apart, so there is no table of the two
        truth = count_all_pairs(entrants.true, by_truth, **about).labels
        pairs = replace(count_all_pairs(version.labels, version.answers, **about), true=truth)
    else:
        pairs = count_all_pairs(version.labels, entrants.answers, true=entrants.true, **about)

    def count(labels: Array, rows: Array) -> PairTable:
        return count_all_pairs(labels[rows], np.compress(rows, version.answers, axis=1), **about).labels

    def disagreements() -> Array:
        return count_disagreements(version.answers == version.labels, by_truth == entrants.true, entrants.answers)

    return Scene(
        pairs=pairs,
        rule=rule,
        labels=version.labels,
        true=entrants.true,
        answers=entrants.answers,
        classes=len(entrants.classes),
        difficulty=version.difficulty if entrants.difficulty is None else entrants.difficulty,
        count=count,
        count_disagreements=disagreements,
    )


def _values(pairs: AllPairs, *, true: bool) -> Array:
    """Compute the measure of every classifier, against the true classes or the labels."""
    counted = shares(pairs.need("true", "the true classes") if true else pairs.labels, pairs.measure)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(counted.incumbent_right, dtype=float) / np.asarray(counted.incumbent_of)
    return np.diagonal(values).copy()
