"""The status of an audit of several classifiers, as a reader meets it."""

from typing import TYPE_CHECKING, Any

from justesse.core.levels import shown_name
from justesse.core.version import __version__
from justesse.report.document import Column, Document, Figure, Section, Table, Text, Words
from justesse.report.writing import message
from justesse.store.settled import RULES
from justesse.verbs.audit.cautions import history
from justesse.verbs.audit.document import answer_words, corrections, one_line
from justesse.verbs.audit.words import minute
from justesse.verbs.file_facts import shortened

if TYPE_CHECKING:
    from justesse.verbs.audit.pooled_status import PairFinding, PooledStatus

HOW = (
    "A row on which classifiers disagree is drawn at random, more often where its answer is expected to settle more pairs. Its "
    "answer counts for every pair that disagrees there, weighted by the probability of the draw.",
    "Each pair bets on both claims: the first is better, the second is. What a bet owns stays low if its claim is false, however "
    "often you look (Ville's inequality). All claims, ranks and bounds hold together at the confidence level, at every look.",
    "What follows from claims is claimed too: if b beats a and c beats b, then c beats a.",
)
MEASURES = {"accuracy": "accuracy", "pass_rate": "pass rate", "score": "score"}
GRADED = {
    "accuracy": (),
    "pass_rate": (
        "A classifier passes a question as often as the share of its samples that are right. One answer serves all samples.",
    ),
    "score": (
        "An answer gives every possible reply a credit from 0 to 1. A classifier's score on a row is the credit of its reply, or the "
        "mean of its samples. A right class has credit 1; a flawed question gives none to anybody.",
    ),
}
VERDICTS = {"equal": "equally right", "open": "open"}


def pooled_document(status: "PooledStatus") -> Document:
    """Describe the status of an audit of several classifiers, for every medium."""
    audit, state = status.audit, status.audit.state
    rule = RULES[audit.experts]
    return Document(
        str(message("Audit of {n} classifiers", n=len(audit.models))),
        status.headline,
        [_ranks(status), _pairs(status), _left(status), *_answers(status), *corrections(audit)],
        status.to_dict,
        verdict=status.title,
        tone="replace" if status.replaces else "cannot_tell",
        name="audit",
        cautions=status.cautions,
        assumptions=status.assumptions,
        how=(
            *GRADED[audit.measure],
            *HOW,
            message("If people give different answers: {rule}", rule=rule[0].lower() + rule[1:]),
        ),
        facts=_facts(status),
        seed=audit.about["seed"],
        next_step="" if state.stop else message("To continue: justesse audit ask {path}", path=audit.path),
    )


def _ranks(status: "PooledStatus") -> Section:
    tier_of = {name: at for at, tier in enumerate(status.tiers, 1) for name in tier}
    rows = [[name, tier_of[name], rank_span(best, worst)] for name, best, worst in status.standing]
    head: list[str | Column] = ["classifier", Column("tier", "count"), Column("possible ranks")]
    note = "Classifiers of a tier are worse than all of the tiers above, and better than all below."
    table = Table("", head, rows, note, sortable=True)
    return Section("ranks", "Order so far", [table, Figure(status.drawings()["ranks"])], "summary")


def rank_span(best: int, worst: int) -> str:
    """Write the ranks that are possible."""
    return str(best) if best == worst else str(message("{best} to {worst}", best=best, worst=worst))


def _pairs(status: "PooledStatus") -> Section:
    measure = MEASURES[status.audit.measure]
    ordered = sorted(status.pairs, key=lambda pair: pair.verdict != "open")
    rows: list[list[Any]] = [
        [
            pair.first,
            pair.second,
            pair_verdict(pair),
            pair.difference,
            pair.difference,
            max(pair.evidence),
            message("{n:count} of {whole:count}", n=pair.answered, whole=pair.disputed),
            pair.settled_after,
        ]
        for pair in ordered
    ]
    head: list[str | Column] = [
        "first",
        "second",
        Column("better"),
        Column(
            "difference",
            "points",
            note=str(
                message("Difference: estimated {measure} of the second minus that of the first.", measure=measure)
            ),
        ),
        Column("bounds", "points_interval", 1, note="Bounds hold for all pairs and all looks together."),
        Column("evidence", "digits", 3, note="Evidence: natural logarithm of what the stronger bet has owned at most."),
        Column("answers", "text", 2, note="Answers about rows on which the two disagree, before the pair was settled."),
        Column("settled after", "count", 2),
    ]
    table = Table("", head, rows, sortable=True)
    return Section("pairs", "Pairs", [table], "full")


def pair_verdict(pair: "PairFinding") -> str:
    """Write which of two classifiers is better, or that it is open."""
    return VERDICTS.get(pair.verdict) or (pair.first if pair.verdict == "first" else pair.second)


def _left(status: "PooledStatus") -> Section:
    audit, state = status.audit, status.audit.state
    lines: list[Text] = [status.left]
    if state.stop == "answered":
        lines.append("What is still open cannot be settled with these rows: the classifiers are too alike.")
    if not audit.plan.expert_error:
        lines.append(
            message(
                "A wrong answer can make a claim false. You can allow for mistakes (justesse audit extend {file} --expert-error 0.02).",
                file=audit.path,
            )
        )
    return Section("change", "What would change the order", [Words(lines)])


def _answers(status: "PooledStatus") -> list[Section]:
    audit = status.audit
    if not audit.settled:
        return []
    last = len(audit.disputes)
    rows: list[list[Any]] = []
    for answer in sorted(audit.settled.values(), key=lambda each: audit.turns.get(each.row, last + each.row)):
        row = audit.disputes[answer.row]
        people = "; ".join(
            str(message("{by}: {answer} ({at})", by=entry.by, answer=entry.words, at=minute(entry.at)))
            for entry in answer.people
        )
        counted = ", ".join(
            f"{shown_name(name)} ({sum(other == name for other in row.every)})" for name in audit.blind(row)
        )
        shown = [one_line(row.shown)] if audit.about["shows"] else []
        rows.append(
            [row.id, audit.turns.get(answer.row), answer_words(answer), shown_name(row.label), counted, people, *shown]
        )
    head: list[str | Column] = [
        "id",
        Column("question", "count", 3),
        "answer",
        Column("label", drop=1),
        Column("answers of classifiers", "words", 2),
        Column("answered by, at (UTC)", "words", 2),
        *([Column(audit.about["shows"], "words", 4)] if audit.about["shows"] else []),
    ]
    return [Section("answers", "Answers", [Table("", head, rows)])]


def _facts(status: "PooledStatus") -> list[tuple[str, Text]]:
    audit, state, about = status.audit, status.audit.state, status.audit.about
    people = sorted({entry.by for entry in audit.diary})
    return [
        ("rows", message("{n:count}", n=state.n)),
        ("disputed rows", message("{n:count}", n=state.disputed)),
        ("questions asked", message("{n:count} of at most {most:count}", n=state.asked, most=state.most)),
        ("answers that count", message("{n:count}", n=state.answered)),
        ("answered by", ", ".join(people) or "nobody yet"),
        ("classifiers", shortened(list(audit.models))),
        ("goal", str(audit.plan.goal)),
        *([("incumbent", audit.models[about["incumbent"]])] if audit.plan.goal.kind == "incumbent" else []),
        ("classes", shortened([str(name) for name in audit.classes])),
        *((name, value) for name, value in about["files"]),
        ("measure", message("{measure} on this test set", measure=MEASURES[audit.measure])),
        ("method", about["method"]),
        ("confidence level", message("{level:g} %, all pairs together", level=100 * about["level"])),
        ("an expert is wrong about at most", message("{share:g} % of the rows", share=100 * about["expert_error"])),
        ("audit file", message("{name}, started {started}", name=audit.path.name, started=about["started"])),
        *(("changes to the file", words) for words in history(audit)),
        ("justesse", __version__),
    ]
