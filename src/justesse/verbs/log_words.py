"""What a reader of figures from an evaluation log must know: how complete it is, what decides, who does not answer."""

from collections.abc import Iterator, Mapping, Sequence

from justesse.core.recording import remembered
from justesse.core.results import Estimate
from justesse.frames.logs.log_facts import NO_ANSWER, LogFacts, LogTable, TaskFacts
from justesse.intervals.wilson import wilson
from justesse.report.writing import Message, listed, message, paragraph
from justesse.significance.clustered_mcnemar import clustered_mcnemar
from justesse.significance.mcnemar import mcnemar
from justesse.significance.multiplicity import adjusted
from justesse.verbs.log_input import LogInput

LEVEL = 0.95
SHOWN = 5
MOST = 20  # notes about many logs that are listed


def log_cautions(facts: LogFacts, *, clustered: bool = False) -> Iterator[str]:
    """List what may be misread in one log: who does not answer, how complete it is, and what decides.

    `clustered` says that intervals allow for several samples of one question.
    """
    if facts.unanswered:
        yield str(_unanswered(facts, facts.model or facts.source))
    yield from map(str, _cautions(facts, clustered=clustered))


def _cautions(facts: LogFacts, *, clustered: bool = False) -> Iterator[Message]:
    for task in facts.tasks:
        yield from _incomplete(facts, task)
    if facts.epochs > 1 and not clustered:
        yield message(
            "{source} asks each question up to {epochs:count} times: {n:count} samples of {questions:count} questions. "
            "Intervals take samples as independent, so they are too narrow if answers to one question are alike.",
            source=facts.source,
            epochs=facts.epochs,
            n=facts.n,
            questions=facts.questions,
        )
    if not facts.targets:
        yield message(
            "{source} does not record the right answers: samples are right or wrong by the log's score. Bounds for wrong "
            "labels are those of a score with two values.",
            source=facts.source,
        )
    for task in facts.tasks:
        if task.made_here:
            yield message(
                "{source} has no scores for {task}: an answer is right here if it equals the target exactly.",
                source=facts.source,
                task=task.name,
            )
        if task.scored_by:
            yield message(
                "A model, {judge}, scored the answers to {task}. Its mistakes are not in the intervals.",
                judge=task.scored_by,
                task=task.name,
            )
    if facts.contradictions:
        yield message(
            "{n:count answer} {n:plural equals|equal} the target but {n:plural has|have} score 0 in {source}. The score "
            "decides.",
            n=facts.contradictions,
            source=facts.source,
        )
    if facts.rescored:
        yield message(
            "{n:count question} of {source} {n:plural has|have} an answer that is right in one sample and wrong in another. "
            "The scores decide; check how they were made.",
            n=facts.rescored,
            source=facts.source,
        )
    if facts.duplicates:
        yield message(
            "{n:count sample} of {source} {n:plural repeats|repeat} another word for word and {n:plural was|were} left out.",
            n=facts.duplicates,
            source=facts.source,
        )


def _incomplete(facts: LogFacts, task: TaskFacts) -> Iterator[Message]:
    lacking = task.expected is not None and task.samples < task.expected
    if task.status == "success" and not lacking:
        return
    sizes = (
        message(": {n:count} of {expected:count} samples", n=task.samples, expected=task.expected) if lacking else ""
    )
    ended = message(" The run ended with status {status:name}.", status=task.status) if task.status != "success" else ""
    yield message(
        "The log of {task} in {source} is not complete{sizes}.{ended} The samples there are may be easier than the others.",
        task=task.name,
        source=facts.source,
        sizes=sizes,
        ended=ended,
    )


def _unanswered(facts: LogFacts, who: str) -> Message:
    kinds = listed(
        message("{n:count} {kind}", n=facts.replies[kind], kind=kind) for kind in NO_ANSWER if facts.replies.get(kind)
    )
    shown = listed(message("{text:name} ({n:count})", text=text, n=n) for text, n in facts.examples[:SHOWN])
    return paragraph(
        message(
            "{who}: {n:count sample} without a usable answer ({share:share}, {share:level_name} {share:share_interval}): "
            "{kinds}.",
            who=who,
            n=facts.unanswered,
            share=_share(facts.unanswered, facts.n),
            kinds=kinds,
        ),
        message("Such as {shown}.", shown=shown) if facts.examples else "",
        "They count as wrong.",
    )


def _share(successes: int, n: int) -> Estimate:
    (interval,) = wilson(successes, n, level=LEVEL).intervals()
    return Estimate("share", successes / n, n, interval)


def comparison_cautions(logs: LogInput, *, clustered: bool = False) -> Iterator[str]:
    """List what differs between the runs compared, then what may be misread in each.

    `clustered` says that intervals allow for several samples of one question.
    """
    yield from logs.notes[:MOST]
    if clustered and logs.repeated:
        yield str(
            message(
                "Several samples of one question: they may be alike, so intervals and tests compare whole questions "
                "(--cluster question)."
            )
        )
    yield from refusal_cautions(logs.tables)
    single = [str(sentence) for facts in logs.facts for sentence in _cautions(facts, clustered=clustered)]
    single += [str(_unanswered(facts, _who(logs.facts, at))) for at, facts in enumerate(logs.facts) if facts.unanswered]
    yield from single[:MOST]
    left = max(0, len(logs.notes) - MOST) + max(0, len(single) - MOST)
    if left:
        yield str(message("{n:count more note} about these logs: compare two at a time to see them.", n=left))


def refusal_cautions(tables: Sequence[LogTable]) -> Iterator[str]:
    """Name models that leave more questions without a usable answer than the one that leaves fewest.

    McNemar's mid-p tests on the samples that both have, or cluster-robust ones over questions if a question has several
    samples, with Holm's correction for all of them.
    """
    if len(tables) < 2:
        return
    repeated = any(table.facts.epochs > 1 for table in tables)
    rates, counts = remembered("refusals", _refusals, tables, repeated=repeated)
    least = min(range(len(tables)), key=rates.__getitem__)
    facts = [table.facts for table in tables]
    others = [at for at in range(len(tables)) if at != least]
    pvalues = adjusted([_pvalue(own, repeated=repeated) for own in counts])
    for at, pvalue in zip(others, pvalues, strict=True):
        if pvalue < 1 - LEVEL and rates[at] > rates[least]:
            yield str(
                message(
                    "{more} leaves more questions without a usable answer than {least}: {mine:share} and {theirs:share} "
                    "({test}, {p:p}). They count as wrong.",
                    test="cluster-robust McNemar test" if repeated else "McNemar's mid-p test",
                    more=_who(facts, at),
                    least=_who(facts, least),
                    mine=rates[at],
                    theirs=rates[least],
                    p=float(pvalue),
                )
            )


def _refusals(tables: Sequence[LogTable], *, repeated: bool) -> tuple[list[float], list[list[list[int]]]]:
    """Count who leaves samples without a usable answer: the rate of each model, and the discordant samples of each pair.

    A pair is the model with the lowest rate and one of the others, in their order, on the samples that both have: how
    many only the first leaves open, how many only the second, and of how many; by question if questions repeat.
    """
    flags = [_flags(table) for table in tables]
    rates = [sum(own.values()) / len(own) for own in flags]
    least = min(range(len(tables)), key=rates.__getitem__)
    columns = tables[least].columns
    questions = dict(zip(columns["id"], columns["question"], strict=True)) if repeated else {}
    others = [own for at, own in enumerate(flags) if at != least]
    return rates, [_discordant(flags[least], own, questions) for own in others]


def _flags(table: LogTable) -> dict[str, bool]:
    pairs = zip(table.columns["id"], table.columns["reply"], strict=True)
    return {name: reply in NO_ANSWER for name, reply in pairs}


def _discordant(first: Mapping[str, bool], second: Mapping[str, bool], questions: Mapping[str, str]) -> list[list[int]]:
    parts: dict[str, list[int]] = {}
    for name in first:
        if name in second:
            sums = parts.setdefault(questions.get(name, ""), [0, 0, 0])
            sums[0] += first[name] and not second[name]
            sums[1] += second[name] and not first[name]
            sums[2] += 1
    return list(parts.values())


def _pvalue(counts: Sequence[Sequence[int]], *, repeated: bool) -> float:
    """Test two models on the samples that both have, by question if questions repeat."""
    if not repeated:
        return float(mcnemar(sum(row[0] for row in counts), sum(row[1] for row in counts)).pvalue)
    only_firsts, only_seconds, sizes = zip(*counts, strict=True)
    pvalue = clustered_mcnemar(only_firsts, only_seconds, sizes).pvalue
    return 1.0 if pvalue != pvalue else float(pvalue)


def _who(logs: Sequence[LogFacts], at: int) -> str:
    """Name a model, by its file if two logs have the same."""
    own = logs[at]
    same = sum(facts.model == own.model for facts in logs)
    return own.model if own.model and same == 1 else own.shown
