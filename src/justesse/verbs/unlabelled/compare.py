"""`justesse.compare(…, judge="unsupervised", reference=…)`: should the candidate replace the incumbent, without labels?"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from justesse.core.case import Case
from justesse.core.choices import Missing
from justesse.core.errors import InputError, OptionError
from justesse.core.results import Alternative, ClassName
from justesse.core.verdict import Verdict
from justesse.frames.memory import is_one_column
from justesse.frames.side_by_side import AnswerColumn, side_by_side
from justesse.frames.watched import check_unchanged, watched
from justesse.judges.evidence import Rule
from justesse.judges.reference_dependence import reference_dependence
from justesse.judges.unsupervised import unsupervised
from justesse.verbs.compare.paired_answers import table_names
from justesse.verbs.unlabelled.comparison import ByReference, UnlabelledComparison
from justesse.verbs.unlabelled.independence import Independence, independence_of_errors

OPTIONS = (
    "data", "candidates", "incumbent", "candidate", "reference", "on", "common", "prediction", "label", "classes",
    "measure", "margin", "level", "alternative", "seed", "draws", "missing", "as_text", "judge",
)  # fmt: skip
WHERE = "without labels (--judge unsupervised). Leave it out, or compare with labels"
NO_INDEPENDENCE = (
    "The classifiers do not err independently, which this judge assumes: the agreement with the reference cannot order "
    "them."
)


def compare_by_reference(
    data: Any,
    *,
    candidates: Sequence[Any],
    incumbent: str | None,
    candidate: str | Sequence[str] | None,
    reference: Any,
    on: str | None,
    common: bool,
    prediction: str | None,
    label: str | None,
    classes: Sequence[ClassName] | None,
    measure: str | None,
    margin: float,
    level: float,
    alternative: Alternative,
    seed: int,
    draws: int,
    missing: Missing | None,
    as_text: bool,
    judge: str,
) -> UnlabelledComparison:
    """Compare two classifiers by their agreement with a third one.

    Parameters
    ----------
    data
        The incumbent's table, or one table with the predictions of all.
    candidates
        The candidate's table.
    incumbent, candidate
        Columns of one table.
    reference
        Tables of the reference classifiers, or columns of the one table. The first one judges.
    on, common, prediction, label, classes, measure, margin
        As in `compare`; `label` names a column with labels for some of the rows.
    level, alternative, seed, draws, missing, as_text, judge
        As in `compare`.

    Examples
    --------
    >>> table = {"old": [0, 0, 1] * 100, "new": [0, 1, 1] * 90 + [0, 0, 1] * 10, "third": [0, 1, 1] * 100}
    >>> import justesse
    >>> justesse.compare(table, incumbent="old", candidate="new", judge="unsupervised", reference="third").decision
    'replace'
    """
    rule = Rule(margin, level, alternative, draws, seed)
    data = watched(data)
    sources = _sources(data, candidates, incumbent, candidate, reference, prediction)
    rows = side_by_side(
        sources, on=on, common=common, missing=missing, classes=classes, label=label, as_text=as_text
    )  # fmt: skip
    check_unchanged(*{id(source.data): source.data for source in sources}.values())
    independence = independence_of_errors(rows.patterns, rows.labelled, level)
    judged = []
    for at in range(2, rows.patterns.size):
        case = Case(rows.patterns.tally(label=at, incumbent=0, candidate=1))
        verdict = unsupervised(
            case,
            measure=measure or "accuracy",
            margin=margin,
            level=level,
            alternative=alternative,
            seed=seed,
            draws=draws,
        )
        judged.append(
            ByReference(rows.patterns.names[at], _kept(verdict, independence), reference_dependence(case, rule))
        )
    return UnlabelledComparison(
        judged=tuple(judged),
        rows=rows,
        independence=independence,
        rule=rule,
        sources=tuple({str(source.data): source.data for source in sources if isinstance(source.data, str)}.values()),
    )


def _kept(verdict: Verdict, independence: Independence) -> Verdict:
    """Decide nothing where the tests show that the classifiers do not err independently."""
    if not independence.rejected or verdict.decision == "cannot_tell":
        return verdict
    return replace(verdict, decision="cannot_tell", reason=NO_INDEPENDENCE, needed_n=None)


def _sources(
    data: Any, candidates: Sequence[Any], incumbent: Any, candidate: Any, reference: Any, prediction: str | None
) -> list[AnswerColumn]:
    if data is None or is_one_column(data) or any(map(is_one_column, candidates)) or not _is_table(data):
        raise InputError("Without labels, pass the answers as paths, data frames or dicts of arrays.")
    several = [] if reference is None else list(reference) if isinstance(reference, (list, tuple)) else [reference]
    if not several:
        raise OptionError(
            "The judge unsupervised needs a reference classifier. Name it with reference=… (--reference)."
        )
    if candidates:
        if incumbent is not None or candidate is not None:
            raise InputError(
                "incumbent (--incumbent) and candidate (--candidate) name columns of one table. With several tables, use "
                "prediction (--prediction)."
            )
        if len(candidates) > 1:
            raise OptionError(f"Without labels, one candidate is compared at a time; got {len(candidates)}. Name one.")
        tables = [watched(table) for table in (data, *candidates, *several)]
        names = _names(tables, several)
        return [AnswerColumn(name, table, prediction) for name, table in zip(names, tables, strict=True)]
    columns = [candidate] if isinstance(candidate, str) else list(candidate or ())
    if not isinstance(incumbent, str) or not columns:
        raise InputError(
            "One table needs the names of its columns: incumbent=…, candidate=… and reference=… (--incumbent COL "
            "--candidate COL --reference COL). Name them, or pass a table for each classifier."
        )
    if len(columns) > 1:
        raise OptionError(f"Without labels, one candidate is compared at a time; got {len(columns)}. Name one.")
    if prediction:
        raise OptionError("prediction is for tables of one classifier each. In one table, use incumbent and candidate.")
    if not all(isinstance(name, str) for name in several):
        raise OptionError(f"In one table, reference names its column; got {several[0]!r}.")
    return [AnswerColumn(name, data, name) for name in (incumbent, columns[0], *several)]


def _is_table(data: Any) -> bool:
    from justesse.core.tally import Tally

    return not isinstance(data, Tally)


def _names(tables: Sequence[Any], references: Sequence[Any]) -> list[str]:
    """Name tables by their files; others by their part."""
    names = table_names(tables)
    usual = [
        "incumbent",
        "candidate",
        *("reference" if len(references) == 1 else f"reference {at}" for at in range(1, len(references) + 1)),
    ]
    shown = [name if isinstance(table, str) else part for name, table, part in zip(names, tables, usual, strict=True)]
    if len(set(shown)) < len(shown):
        raise OptionError(f"Name each classifier once; got {shown!r}.")
    return shown
