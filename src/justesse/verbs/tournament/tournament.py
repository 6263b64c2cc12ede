"""`justesse.tournament`: which judge errs how often, over all ordered pairs of many classifiers."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from justesse.core.all_pairs import AllPairs, shares
from justesse.core.answer_policy import AnswerPolicy, Missing, MissingLabels, Others
from justesse.core.arrays import Array
from justesse.core.errors import InputError, OptionError
from justesse.core.results import Alternative, ClassName, Estimate
from justesse.core.seeds import check_seed
from justesse.frames.entrants import Entrants, read_entrants
from justesse.frames.pairwise import count_all_pairs
from justesse.frames.watched import check_unchanged, watched
from justesse.intervals.shared_members import shared_members
from justesse.judges.evidence import Rule
from justesse.judges.quantity import Quantity, quantity
from justesse.judges.tournament import DECIDE, rates
from justesse.verbs.noise.feature_noise import PathLike, Sources
from justesse.verbs.noise.label_versions import LabelVersion, Noise, given_versions, made_versions
from justesse.verbs.tournament.entrants import Contestant, Scene, Settings, admitted, contestants, without_joint
from justesse.verbs.tournament.result import AGAINST, REFERENCES, JudgeResult, Round, Tournament
from justesse.verbs.tournament.words import cautions

JUDGEABLE = ("accuracy", "recall", "precision")
# what is counted among what, of a judge's answers, the reference's, and who is truly better
BEHIND: dict[str, Callable[[Array, Array, Array], tuple[Array, Array]]] = {
    "type_one": lambda answer, right, better: (answer, ~right),
    "type_two": lambda answer, right, better: (~answer, right),
    "agreement": lambda answer, right, better: (answer == right, np.ones_like(right)),
    "worse_accepted": lambda answer, right, better: (answer, better < 0),
}


def tournament(
    data: Any,
    *tables: Any,
    label: str | Sequence[str] | None = None,
    true: str | None = None,
    models: Sequence[str] | None = None,
    on: str | None = None,
    prediction: str | None = None,
    measure: str | Sequence[str] = "accuracy",
    judges: str | Sequence[str] = "all",
    noise_rates: Sequence[float] | None = None,
    noise: Noise | None = None,
    votes: Any = None,
    answers: Any = None,
    ranking: PathLike | None = None,
    rate: float | None = None,
    pc: float = 0.1,
    hard_by: str | Sequence[str] | None = None,
    difficulty: str | None = None,
    cleaning: Sequence[Sequence[float]] = ((0.6, 0.1), (0.6, 0.1, 0.75)),
    budget: int = 200,
    expert_error: float = 0.0,
    level: float = 0.95,
    margin: float = 0.0,
    alternative: Alternative = "two-sided",
    seed: int = 0,
    classes: Sequence[ClassName] | None = None,
    drop_missing: bool = False,
    as_text: bool = False,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    others: Others = "wrong",
    any_of: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Tournament:
    """Let judges decide about all ordered pairs of classifiers on labels that may be wrong, and count their errors.

        type I = replaced, of the pairs the reference keeps     type II = kept, of the pairs it replaces

    `data` is a path, a data frame or a dict of arrays with a column of true classes, one or several of labels, and one
    for each classifier (`models`; by itself every other column that holds classes). Further tables, each of one
    classifier, are joined by `on`. `noise_rates` asks for labels made wrong instead: the true classes, uniformly or by
    the difficulty that `votes`, `answers` or a saved `ranking` tell. `measure` is accuracy, recall:CLASS or
    precision:CLASS, or several; recall or precision alone is that of every class. The references decide on the true
    classes, by overlap of intervals as in the thesis and by pairs. `missing`, `missing_labels` and `others` are as for
    `compare`; an answer that no label or true class is counts as wrong and costs no classifier its place. With
    `any_of="|"` a label or true class `cat|dog` accepts both: then accuracy alone is judged, and judges that need one
    class per row are left out.

    `judges` may be classical, paired, prudent_v1, prudent_v2, sharp, cleaned, audited. The prudent ones and sharp are
    told the true share of wrong labels unless `rate` is given; prudent_v2 doubts the share `pc` of rows, the hardest by
    `hard_by` (disagreement, random, difficulty); cleaned follows each simulated (s, e) or (s, e, c) of `cleaning`;
    audited asks the true classes of up to `budget` rows a pair. Wrong to use to choose among these very classifiers: it
    judges the judges. Benjelloun (2021), 6.5.4-6.5.5.

    >>> rng = np.random.default_rng(0)
    >>> true = rng.integers(3, size=2000)
    >>> columns = {"true": true, "label": np.where(rng.random(2000) < 0.05, (true + 1) % 3, true)}
    >>> for skill in (0.6, 0.7, 0.8):
    ...     columns[f"net {skill}"] = np.where(rng.random(2000) < skill, true, rng.integers(3, size=2000))
    >>> found = tournament(columns, judges=["classical", "paired"])
    >>> found.pairs, found.rounds[0].judged[0].against["overlap"]["agreement"].value
    (6, 1.0)
    """
    data, tables = watched(data), tuple(map(watched, tables))
    rule = Rule(margin, level, alternative, seed=check_seed(seed))
    sourced = difficulty is not None or any(one is not None for one in (votes, answers, ranking))
    entered = contestants(judges, Settings(rate, pc, hard_by, cleaning, budget, expert_error, seed), ranked=sourced)
    labels = [label] if isinstance(label, str) else label
    if noise_rates is not None and labels is not None:
        raise OptionError("give columns of labels or rates of wrong labels to make, not both")
    if noise_rates is None and any(one is not None for one in (noise, votes, answers, ranking)):
        raise OptionError("noise, votes, answers and ranking say how labels are made wrong: give noise_rates too")
    if noise_rates is not None and not len(noise_rates):
        raise OptionError("noise_rates needs at least one rate, such as 0.05; got none")
    entrants = read_entrants(
        _tables(data, tables), true=true, label=[] if noise_rates is not None else labels, models=models, on=on,
        prediction=prediction, difficulty=difficulty, classes=classes, as_text=as_text,
        policy=AnswerPolicy.of(missing, missing_labels, others, drop_missing=drop_missing, any_of=any_of),
    )  # fmt: skip
    versions, notes = given_versions(entrants), list[str]()
    if noise_rates is not None:
        sources = Sources(answers=answers, votes=votes, on=on, ranking=ranking, seed=seed)
        versions, notes = made_versions(entrants, noise_rates, noise=noise, sources=sources)
    asked = _quantities(measure, entrants.classes)
    pairs = len(entrants.names) * (len(entrants.names) - 1)
    asked_judges, left_out = admitted(entered, [one.name for one in asked], pairs, by_name="audited" in judges)
    if entrants.judged:
        if about := [one.title for one in asked if one.name != "accuracy"]:
            raise OptionError(
                f"{about[0]} needs one class per row, and some rows accept several (any_of): use accuracy"
            )
        asked_judges, unable = without_joint(asked_judges, by_name="all" not in judges)
        left_out += unable
    rounds: list[Round] = []
    steps = len(versions) * len(asked) * (1 + len(asked_judges))
    for version in versions:
        for one in asked:
            tell = _teller(progress, len(rounds) * (1 + len(asked_judges)), steps)
            rounds.append(_round(entrants, version, one, asked_judges, rule, tell))
    check_unchanged(data, *tables)
    return Tournament(
        names=entrants.names,
        rounds=tuple(rounds),
        n=len(entrants.true),
        classes=entrants.classes,
        rule=rule,
        source=data,
        files=tuple(os.fspath(one) for one in (data, *tables) if isinstance(one, (str, os.PathLike))),
        dropped=entrants.dropped,
        policy=entrants.policy,
        others=entrants.others,
        missing=entrants.missing,
        ignored=entrants.ignored,
        warnings=(*notes, *left_out, *cautions(entrants, rounds)),
    )


def _teller(progress: Callable[[int, int], None] | None, before: int, steps: int) -> Callable[[int], None]:
    return lambda done: progress(before + done, steps) if progress else None


def _tables(data: Any, others: Sequence[Any]) -> dict[str, Any]:
    """Name tables by their files, as short as tells them apart."""
    if not others:
        return {"": data}
    tables = (data, *others)
    paths = [Path(one) if isinstance(one, (str, os.PathLike)) else None for one in tables]
    names = [path.name if path else f"classifier {at}" for at, path in enumerate(paths, 1)]
    if len(set(names)) < len(names):
        names = [str(path) if path else name for path, name in zip(paths, names, strict=True)]
    if len(set(names)) < len(names):
        raise InputError(f"each file is given once; got {names!r}")
    return dict(zip(names, tables, strict=True))


def _quantities(measure: str | Sequence[str], classes: Sequence[ClassName]) -> list[Quantity]:
    wanted = [measure] if isinstance(measure, str) else list(measure)
    if not wanted:
        raise OptionError("at least one measure is needed, such as accuracy; got none")
    found = []
    for name in wanted:
        plain = name.strip().lower()
        each = list(classes) if plain in ("recall", "precision") else [None]
        found += [quantity(name, classes, positive=one) for one in each]
    for one in found:
        if one.name not in JUDGEABLE:
            raise OptionError(f"a tournament is about accuracy, recall:CLASS or precision:CLASS; got {one.title!r}")
    return list({one.title: one for one in found}.values())


def _round(
    entrants: Entrants,
    version: LabelVersion,
    asked: Quantity,
    judges: Sequence[Contestant],
    rule: Rule,
    tell: Callable[[int], None],
) -> Round:
    about: dict[str, Any] = {"measure": asked.name, "at": asked.at}
    if entrants.judged:  # labels and true classes judge apart, so there is no table of the two
        truth = count_all_pairs(entrants.true, entrants.judged_by(entrants.true_column), **about).labels
        field = replace(count_all_pairs(version.labels, version.answers, **about), true=truth)
    else:
        field = count_all_pairs(version.labels, entrants.answers, true=entrants.true, **about)
    better = field.true_difference
    references = {form: DECIDE["reference"](field, rule, form=form) for form in REFERENCES}
    tell(1)
    judged = []
    for at, judge in enumerate(judges, 2):
        replaces, answers = judge.decide(Scene(field, version, entrants, rule))
        found = {form: _rates(replaces, right, better, rule.level) for form, right in references.items()}
        against = {form: {name: one[name] for name in AGAINST} for form, one in found.items()}
        worse = found["paired"]["worse_accepted"]
        judged.append(JudgeResult(judge.name, judge.settings, replaces, against, worse, answers))
        tell(at)
    return Round(version, asked, _values(field, true=True), _values(field, true=False), references, tuple(judged))


def _values(field: AllPairs, *, true: bool) -> Array:
    """Give the measure of every classifier by itself."""
    table = field.need("true", "the true classes") if true else field.labels
    found = shares(table, field.measure)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(found.incumbent_right, dtype=float) / np.asarray(found.incumbent_of)
    return np.diagonal(values).copy()


def _rates(replaces: Array, right: Array, better: Array, level: float) -> dict[str, Estimate]:
    """Give the rates with their intervals."""
    counted = vars(rates(replaces, right, better))
    off = ~np.eye(len(replaces), dtype=bool)
    found = {}
    for name, behind in BEHIND.items():
        hits, among = behind(replaces, right, better)
        share = counted[name]
        interval = shared_members(hits & among & off, among & off, level=level)
        found[name] = Estimate(name, share.value, share.n, interval, share.undefined)
    return found
