"""`justesse.clean`: find labels that are probably wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from justesse.cleaning.altered import altered, optimism
from justesse.cleaning.known_truth import filter_quality
from justesse.cleaning.probability_wrong import AuditedRows, probability_wrong
from justesse.cleaning.recheck import adjudication, recheck_list
from justesse.cleaning.written_filter import written_filter
from justesse.core.choice import check_choice
from justesse.core.choices import CleaningAction, Prune
from justesse.core.errors import ColumnError, OptionError
from justesse.core.parallel_map import Progress, check_jobs
from justesse.core.results import check_level
from justesse.core.seeds import check_seed
from justesse.frames.native import TABLES, check_place
from justesse.frames.watched import watched
from justesse.store.database_file import check_free
from justesse.store.recheck_file import ENDING, RECHECK
from justesse.verbs.clean.audited import audited_rows
from justesse.verbs.clean.cleaning import Cleaning, CleaningSettings
from justesse.verbs.clean.options import AdjudicationOptions, AlterationOptions, FilterOptions
from justesse.verbs.clean.read import cleaning_rows
from justesse.verbs.options.intervals import ConfidenceOptions, SeedOptions
from justesse.verbs.recorded import recorded

ADDED: dict[str, str] = {"flag": "flagged", "weight": "weight", "correct": "{label}_before"}  # columns of --cleaned-to


@recorded
def clean(
    data: Any,
    *,
    label: str | None = None,
    proba: str | None = None,
    id: str | None = None,
    true: str | None = None,
    features: Sequence[str] | None = None,
    history: str | None = None,
    answers: Any = None,
    method: str = FilterOptions.method,
    prune: Prune | None = None,
    model: str | Sequence[str] | Mapping[str, Any] | None = None,
    k: int = FilterOptions.k,
    recheck: int | None = None,
    recheck_share: float = AdjudicationOptions.recheck_share,
    audited: Any = None,
    action: CleaningAction = AlterationOptions.action,
    to: str | Path | None = None,
    recheck_to: str | Path | None = None,
    cleaned_to: str | Path | None = None,
    level: float = ConfidenceOptions.level,
    seed: int = SeedOptions.seed,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Cleaning:
    """Find labels that are probably wrong, ranked, with reasons.

    Parameters
    ----------
    data
        Path, data frame, or dict of arrays.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    proba
        Start of the names of the columns with probabilities, one for each class, such as p_ for p_cat and p_dog. They
        must come from a model that was not trained on these rows. Default: models are trained here (`model`).
    id
        Column that identifies a row, for lists and answers. Default: the number of the row, from 1.
    true
        Column with the true classes, if they are known: they measure the filter. Default: none.
    features
        List of columns to learn from. Default: all, except identifiers and columns that look like predictions,
        probabilities or the label under another name.
    history
        Start of the names of the columns with the margin of the label in each epoch of training, such as margin_: score
        of the label less the highest other score.
    answers
        Path, data frame or dict of arrays with annotators' answers: item, annotator and answer. The id of the rows
        (`id`) is the item.
    method
        Filter that finds wrong labels. With probabilities: confident-learning, classification, entropy. With several
        models: majority-vote, consensus-vote. With features: partition, edited-neighbours, neighbourhood-graph,
        complexity. With `history`: area-under-margin, forgetting. With `answers`: answers. Its options stand in
        brackets: "edited-neighbours(neighbours=5)". Default: confident-learning.
    prune
        Rows that confident learning flags: by-noise-rate, by-class, both or off-diagonal. Default: by-noise-rate.
    model
        Model, list of models, or dict of name → estimator, if there are no probabilities. Names are tree, forest,
        logistic, neighbours, bayes, boosting and network, or a scikit-learn estimator such as "sklearn.svm.SVC(C=10)".
        Default: logistic for probabilities; tree, neighbours, logistic and bayes for votes.
    k
        Number of folds; each row is judged by models trained on the other folds. Default: 5.
    recheck
        Number of rows to draw for people to re-check, such as 200, for `recheck_to`. Default: all flagged rows, and as
        many others. With `audited`, the new list has the answered one, too, and so many more rows.
    recheck_share
        Share of these rows that are drawn from rows that were not flagged: they show what the filter missed. Default:
        0.5.
    audited
        The list of `recheck_to` with the true classes filled in or answered, or a random sample of rows with their id
        and a column true. They give the precision and recall of the filter.
    action
        What is done with flagged rows in the table of `cleaned_to`: flag (add a column), remove, weight (by the
        probability that the label is right), drop-label, or correct (take the suggested class). Default: flag.
    to
        Write the flagged rows, most suspicious first, such as flagged.csv: id or row, label, suggested class,
        probability that the label is wrong, reason.
    recheck_to
        Write a list of rows for people to re-check: ask.csv, with an empty column true, or ask.recheck, which several
        people answer with justesse recheck.
    cleaned_to
        Write the table after `action`, such as cleaned.csv. The file that is read never changes.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    jobs
        Number of models to train in parallel, such as 4; -1 uses all cores. Default: one at a time.
    progress
        Called with the fits done and the total after each fit.

    Returns
    -------
    Cleaning
        The flagged rows with reasons, what is flagged of each class, and what was asked for besides.

    Notes
    -----
    Nothing is altered unless `cleaned_to` names a file, or `Cleaning.cleaned` is called. Figures on a cleaned test set are
    too high: the filter removes rows that the model gets wrong. Northcutt, Jiang and Chuang (2021); thesis 3.4.2.

    Examples
    --------
    >>> rows = {"y": ["cat", "cat", "cat", "dog", "dog"], "p_cat": [0.9, 0.8, 0.1, 0.2, 0.3], "p_dog": [0.1, 0.2, 0.9, 0.8, 0.7]}
    >>> clean(rows, label="y", proba="p_").rows()["suggested"]
    ['dog']
    """
    check_level(level)
    check_seed(seed)
    check_jobs(jobs)
    chosen = written_filter(method)
    item = chosen.item
    if prune is not None:
        if item.name != "confident-learning" or "prune" in chosen.options:
            raise OptionError(f"prune belongs to confident-learning, not to {method}. Leave it out.")
        chosen = replace(chosen, options={**chosen.options, "prune": prune})
    if (recheck is not None) and recheck_to is None and recheck < 2:
        raise OptionError(f"recheck must be 2 or more; got {recheck!r}.")
    for path in (to, recheck_to, cleaned_to):
        if path is not None and path is recheck_to and Path(path).suffix == ENDING:
            check_free(Path(path), RECHECK)
        elif path is not None:
            check_place(Path(path), endings=TABLES, read=(data, answers, audited))
    check_choice("action", action, CleaningAction)
    if action != "flag" and cleaned_to is None:
        raise OptionError(
            f"The action {action} alters labels or rows. Name a file for the altered table: cleaned_to=… (--cleaned-to cleaned.csv)."
        )
    data = watched(data)
    rows = cleaning_rows(
        data, item, label=label, proba=proba, id=id, true=true, features=features, history=history, answers=answers,
        model=model, k=k, seed=seed, jobs=jobs, progress=progress,
    )  # fmt: skip
    evidence = rows.evidence
    added = ADDED.get(action, "").format(label=rows.label)
    if cleaned_to is not None and added in rows.table.columns:
        raise ColumnError(
            f"The table has a column {added!r} already, which cleaned_to (--cleaned-to) adds with the action {action}. "
            "Rename or remove it."
        )
    suspicion = chosen(evidence)
    checked, answered, corrections, listed = None, None, None, None
    if audited is not None:
        people = audited_rows(audited, rows, suspicion.flagged)
        listed, wrong = people.listed, people.wrong
        answered = adjudication(suspicion.flagged, listed, wrong, level=level)
        known = np.isfinite(wrong)
        checked = AuditedRows(listed.rows[known], wrong[known] == 1, listed.chances[known])
        corrections = (listed.rows, people.codes)
    chances = probability_wrong(evidence, suspicion, checked)
    judged, sure = suspicion, chances
    if corrections is not None:  # what a person answered counts, whatever the filter found
        by_people, codes = corrections[0][corrections[1] >= 0], corrections[1][corrections[1] >= 0]
        flags, classes, values = suspicion.flagged.copy(), suspicion.suggested.copy(), chances.values.copy()
        flags[by_people], classes[by_people] = codes != evidence.labels[by_people], codes
        values[by_people] = flags[by_people]
        judged, sure = replace(suspicion, flagged=flags, suggested=classes), replace(chances, values=values)
    made = altered(evidence, judged, sure, action)
    asked = None
    if recheck is not None or recheck_to is not None:
        suspects = suspicion.flagged.copy()
        if listed is not None:
            suspects[listed.rows] = False
        number = recheck if recheck is not None else max(2 * int(suspects.sum()), min(100, evidence.n))
        ranking = suspicion.score if np.isnan(chances.values).any() else chances.values
        asked = recheck_list(ranking, suspicion.flagged, number, share=recheck_share, seed=seed, earlier=listed)
    result = Cleaning(
        chosen,
        rows,
        suspicion,
        chances,
        made,
        optimism(evidence, suspicion, sure, made, rows.true),
        CleaningSettings(level, seed, data, tuple(map(str, filter(None, (to, recheck_to, cleaned_to))))),
        None
        if rows.true is None
        else filter_quality(
            evidence.labels, rows.true, suspicion.flagged, suspicion.suggested, evidence.classes, level=level
        ),
        answered,
        corrections,
        asked,
        people.signed if audited is not None else {},
    )
    if to is not None:
        result.save(to)
    if recheck_to is not None:
        result.write_recheck(recheck_to)
    if cleaned_to is not None:
        result.write_cleaned(cleaned_to)
    return result
