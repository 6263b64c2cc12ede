"""`justesse.lifelong_audit`: ask an expert where the policy's weight lies which of two systems is better."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.choice import check_choice
from justesse.core.choices import ExpertRule, LifelongConvention
from justesse.core.errors import InputError, OptionError
from justesse.core.results import Alternative
from justesse.frames.count import opened
from justesse.frames.version_rows import texts, version_rows
from justesse.frames.versions import count_versions
from justesse.frames.watched import check_unchanged, watched
from justesse.judges.audit_rule import AuditRule
from justesse.lifelong.policy import Policy, WeightFunction
from justesse.store.address import within
from justesse.store.audit_file import check_new
from justesse.verbs.audit.begin import begin_audit
from justesse.verbs.audit.options import AuditDecisionOptions, ExpertOptions
from justesse.verbs.audit.rows_to_ask import rows_to_ask
from justesse.verbs.audit.status_result import AuditStatus
from justesse.verbs.file_facts import file_facts
from justesse.verbs.lifelong.cautions import in_utc
from justesse.verbs.lifelong.complete_rows import complete_rows
from justesse.verbs.lifelong.options import PolicyOptions
from justesse.verbs.lifelong.paired_versions import check_trained_alike, seen_periods, version_at
from justesse.verbs.lifelong.timeline import chosen_policy, periods_of, policy_times, version_columns
from justesse.verbs.recorded import recorded


@recorded
def lifelong_audit(
    incumbent: Any,
    candidate: Any,
    *,
    to: str | os.PathLike[str],
    store: str | os.PathLike[str] | None = None,
    on: str = "id",
    at: str | None = None,
    version: str | None = None,
    time: str | None = None,
    label: str | None = None,
    prediction: str | None = None,
    trained: str | None = None,
    period: str | float | None = None,
    as_text: bool = False,
    policy: str | Policy | Mapping[str, float] | WeightFunction = PolicyOptions.policy,
    half_life: float | None = None,
    convention: LifelongConvention = PolicyOptions.convention,
    budget: int | None = None,
    show: str | Sequence[str] | None = None,
    true: str | None = None,
    suspicion: str | None = None,
    expert_error: float = ExpertOptions.expert_error,
    experts: ExpertRule = ExpertOptions.experts,
    level: float = AuditDecisionOptions.level,
    margin: float = AuditDecisionOptions.margin,
    alternative: Alternative = AuditDecisionOptions.alternative,
    futility: bool = AuditDecisionOptions.futility,
    seed: int = AuditDecisionOptions.seed,
) -> AuditStatus:
    """Start an audit of two systems under a policy: an expert is asked where the policy's weight lies.

    The audit file is like any other: `audit_next`, `audit_answer` and `audit_status` (justesse audit ask) go on with it.

    Parameters
    ----------
    incumbent
        Path, data frame or dict with a row for each test item and version of the system in use.
    candidate
        The same of the system that could replace it, with the same columns.
    to
        Audit file to make, such as my.audit; with a store, the name of the audit in it. It must not exist.
    store
        Store that the audit goes into: the path of a SQLite file, or a URL such as postgresql://host/database. Default:
        a file of its own.
    on
        Column with the id of each test item, which pairs the answers of both. Default: id.
    at
        Version to compare, such as v8. Default: the last one of each system.
    version
        Column with the version of the system that answered. Default: the column named version or model.
    time
        Column with the time of each test item: dates or numbers. Default: the column named time, date, period or day.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    trained
        Column with the time at which the version was trained. Default: version 1 just before the first test period,
        version 2 just before the second, and so on.
    period
        Length of a test period: day, week, month, quarter or year for dates, a number such as 30 for numbers. Default:
        all items between two trainings if the times of training are known. Otherwise each time if there are 60 or
        fewer, else the shortest that gives 60 or fewer.
    as_text
        Read all labels and predictions as text, so that 1 and 1.0 differ.
    policy
        recent, uniform, past, cyclic:12 (periods of a cycle), window:3 (the last periods), a CSV with the columns
        period and weight, a `Policy`, a dict of weights by period, or a function of the times and the last time.
        Default: uniform.
    half_life
        For recent and past: time after which a weight has halved, in days for dates. Default: one period.
    convention
        Periods that count for a version: through-next takes those up to the first one after its training, paper those
        before its training. Default: through-next.
    budget
        Number of questions at most. Default: 200, or all disputed rows if there are fewer.
    show
        Column with the text the expert sees, or a list of columns.
    true
        Column whose values answer instead of an expert: the audit runs to its end at once.
    suspicion
        Column of numbers, higher where the label is more likely wrong. A good column saves questions, a bad one costs
        some.
    expert_error
        Highest probability that an expert is wrong about a row, such as 0.02. Widens the interval. Default: 0.
    experts
        If experts disagree: unanimous (the worst of their answers counts) or majority (the most frequent answer; wrong
        more often). Default: unanimous.
    level
        Confidence level that holds at all looks together, such as 0.9. Default: 0.95.
    margin
        Smallest gain that matters, in the measure's unit, such as 0.01 for one point. Default: 0.
    alternative
        greater gives lower bounds only, less upper bounds only. Default: two-sided.
    futility
        Stop if the remaining questions settle it with less than 3 % probability. Default: yes; `futility=False`
        continues up to the budget.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.

    Returns
    -------
    AuditStatus
        The verdict so far, and how many questions are left.

    Notes
    -----
    An item of period j counts P_j/n_j: the difference under the policy is a sum over items with known bounds, so the
    always-valid sequence of an audit holds for it at every look, whatever the labels are. Items of periods without
    weight are not asked about.

    Examples
    --------
    >>> import tempfile
    >>> rows = {"id": list(range(90)), "version": ["a"] * 90, "time": [1] * 90, "label": [0] * 90, "is": [0] * 90}
    >>> old, new = {**rows, "prediction": [1] * 30 + [0] * 60}, {**rows, "prediction": [0] * 90}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     status = lifelong_audit(old, new, true="is", to=f"{folder}/my.audit")
    >>> status.decision
    'replace'
    """
    place = check_new(within(store, to))
    if convention not in get_args(LifelongConvention):
        raise OptionError(f"convention must be one of {', '.join(get_args(LifelongConvention))}; got {convention!r}.")
    check_choice("experts", experts, ExpertRule)
    if experts == "model":
        raise OptionError(
            "The rule model takes all rows as equal, which they are not under a policy. Use experts=unanimous "
            "(--experts unanimous)."
        )
    rule = AuditRule(
        question="test set", level=level, margin=margin, alternative=alternative, expert_error=expert_error,
        futility=futility, seed=seed, budget=AuditRule.budget if budget is None else budget,
    )  # fmt: skip
    sources = (watched(incumbent), watched(candidate))
    columns = version_columns(opened(sources[0])[0], version, time, trained)
    with complete_rows():
        counts, others = (
            count_versions(data, columns, label=label, prediction=prediction, as_text=as_text) for data in sources
        )
    versions = (version_at(counts, at), version_at(others, at))
    check_trained_alike(counts, others, versions)
    periods = periods_of(counts, period)
    seen = seen_periods(counts, periods, counts.versions.index(versions[0]), convention)
    chosen = chosen_policy(policy, half_life)
    weights = chosen.weights([periods.names[j] for j in seen], policy_times(periods, chosen)[seen])
    by_period = dict(zip(seen, weights.tolist(), strict=True))
    period_of = dict(zip(counts.written, periods.of_moment.tolist(), strict=True))
    tables, names = [], []
    for data, name in zip(sources, versions, strict=True):
        rows = version_rows(data, columns.version, name)
        own = [period_of.get(text, -1) for text in texts(rows[columns.time].to_pylist())]
        tables.append(rows.filter([by_period.get(each, 0.0) > 0 for each in own]))
        names.append(Path(data).stem if isinstance(data, (str, Path)) else name)
    answered = [
        dict(zip(texts(rows[on].to_pylist()), texts(rows[columns.time].to_pylist()), strict=True)) for rows in tables
    ]
    both = {item: period_of[moment] for item, moment in answered[0].items() if item in answered[1]}
    sizes = Counter(both.values())
    if empty := [j for j, weight in by_period.items() if weight > 0 and not sizes[j]]:
        raise InputError(f"No item of period {periods.names[empty[0]]!r} was answered by both systems.")
    _, tally, disputed, measure = rows_to_ask(
        tables[0], [tables[1]], incumbent=None, candidate=None, on=on, true=true, suspicion=suspicion,
        shown=[show] if isinstance(show, str) else list(show or ()), classes=None, as_text=as_text,
        policy=AnswerPolicy(), common=True, label=label, prediction=prediction, measure=None, cost=None,
        counts_within=AuditDecisionOptions.counts_within,
    )  # fmt: skip
    for data in sources:
        check_unchanged(data)
    each = [by_period[both[item]] / sizes[both[item]] for item in disputed.ids]
    if names[0] == names[1]:
        names = ["incumbent", "candidate"]
    return begin_audit(
        place, rule, disputed, tally, (names[0], names[1]), measure, on=on, true=true, experts=experts, budget=budget,
        shows="text" if show else None, suspicion=suspicion,
        files=[fact for source in sources for fact in file_facts(source)],
        weights={"policy": chosen.name, "words": " ".join([chosen.words, *in_utc(counts.zoned)]), "rows": each},
    )  # fmt: skip
