"""A plan as a reader meets it: the answer, how many rows or labels, and other goals beside it."""

from typing import TYPE_CHECKING

from justesse.core.results import Estimate
from justesse.report.document import Column, Document, KeyFigure, Section, Table
from justesse.report.writing import message

if TYPE_CHECKING:
    from justesse.verbs.plan.active import ActivePlan
    from justesse.verbs.plan.plan import Plan


def plan_document(plan: "Plan") -> Document:
    """Describe a plan, for every medium."""
    return Document(
        str(message("How many rows are enough: {plan}", plan=plan.plan)),
        plan.words,
        [*_clusters(plan), Section("alternatives", "This goal and others", [_alternatives(plan)], "headline")],
        plan.to_dict(),
        name="plan",
        figures=[KeyFigure(need.name, Estimate("n", need.n, need.n), "count", str(need.note)) for need in plan.needs],
        assumptions=plan.assumptions,
        facts=[(name.replace("_", " "), str(value)) for name, value in plan.inputs.items() if value is not None],
    )


def active_document(plan: "ActivePlan") -> Document:
    """Describe which rows to label, for every medium."""
    heads: list[str | Column] = [Column("stratum", "count"), Column("rows", "count"), Column("to label", "count")]
    heads.append(Column("probability", "value"))
    table = Table("Strata, least likely to be corrected first", heads, [[*item.values()] for item in plan.alternatives])
    return Document(
        "Which rows to label",
        plan.words,
        [Section("strata", "Strata", [table], "headline")],
        plan.to_dict(),
        name="plan",
        figures=[KeyFigure(need.name, Estimate("n", need.n, need.n), "count", str(need.note)) for need in plan.needs],
        assumptions=plan.assumptions,
        facts=[(name, str(value)) for name, value in plan.inputs.items() if value is not None],
        seed=int(plan.inputs["seed"]),
    )


def _clusters(plan: "Plan") -> list[Section]:
    """Compare designs of clusters: how many rows, what they are worth, and what they cost."""
    details = plan.details.get("clusters")
    if not details:
        return []
    designs = [("needed", details), *(("asked about", design) for design in details["designs"])]
    names = ["clusters", "cluster_size", "rows", "effective_n", "half_width", "between", "price"]
    shown = [name for name in names if details[name] is not None]
    kinds = {"effective_n": "count", "half_width": "value", "between": "rough_share", "price": "general"}
    titles = {"cluster_size": "rows of each", "effective_n": "worth", "between": "due to clusters"}
    head: list[str | Column] = ["design"]
    head += [Column(titles.get(name, name.replace("_", " ")), kinds.get(name, "count")) for name in shown]
    rows = [
        [why, *(item[name] if name != "effective_n" else round(item[name]) for name in shown)] for why, item in designs
    ]
    note = (
        "Worth: independent rows with the same standard error. Due to clusters: share of the variance that more rows of the "
        "same clusters cannot reduce. What is needed, and half-widths, allow for how little few clusters show about their "
        "variance (Student's t, one degree of freedom fewer than clusters)."
    )
    return [Section("clusters", "Clusters", [Table("Designs", head, rows, note)], "headline")]


def _alternatives(plan: "Plan") -> Table:
    columns = plan.to_columns()
    head = [Column(name.replace("_", " "), "text" if name == "better" else "general") for name in columns]
    rows = [[*goal.values(), "asked for" if plan.is_asked_for(goal) else ""] for goal in plan.alternatives]
    return Table("This goal and others", [*head, Column("", "text")], rows, most=40)
