"""How the evaluation of judges reads."""

import math
from typing import TYPE_CHECKING, Any

from justesse.core.results import Estimate, level_name
from justesse.core.version import __version__
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Text, Words
from justesse.report.writing import message, paragraph
from justesse.verbs.file_facts import column_facts, file_facts
from justesse.verbs.llm_judge.few_ratings import FEW, are_too_few
from justesse.verbs.llm_judge.figure_names import figure_beginning, group_name
from justesse.verbs.llm_judge.words import BIASES, HOW, TITLES

if TYPE_CHECKING:
    from justesse.verbs.llm_judge.figures import ModelFigures
    from justesse.verbs.llm_judge.result import LlmJudgeEvaluation

MANY_UNREAD = 0.01
NAMES = {"strata": "strata", "models": "models"}


def document(result: "LlmJudgeEvaluation") -> Document:
    """Describe the evaluation to a reader."""
    sections = [_figures(result)]
    if any(judge.errors for judge in result.judges):
        sections.append(_errors(result))
    sections.append(_biases(result))
    if any(judge.strengths for judge in result.judges):
        sections.append(_strengths(result))
    sections += [_confusion(result)]
    judge, model = result.judges[0], result.judges[0].models[0]
    what = result.figure.capitalize()
    figures = [KeyFigure(f"{what}, {TITLES[model.by]}", model.best, "share", group_name(result, judge, model))]
    if are_too_few(model.best, _ratings(model)):
        figures = []  # one figure, in large type, would hide how little is known
    elif model.by != "naive":
        figures.append(KeyFigure(f"{what}, judge alone", model.estimates["naive"], "share"))
    if figures and judge.errors:
        figures.append(KeyFigure("Agreement with people", judge.errors.agreement, "share"))
    return Document(
        "Language models as judges",
        _headline(result),
        sections,
        result.to_dict,
        name="llm-judge",
        figures=figures,
        cautions=cautions(result),
        assumptions=result.assumptions,
        how=HOW,
        facts=_facts(result),
        seed=result.seed,
    )


def _ratings(model: "ModelFigures") -> int:
    """Count the rated units that the figure of a model rests on."""
    return int(model.estimates["people"].n) if "people" in model.estimates else 0


def _headline(result: "LlmJudgeEvaluation") -> Text:
    judge, model = result.judges[0], result.judges[0].models[0]
    what, naive = group_name(result, judge, model), model.estimates["naive"]
    several = None
    if len(result.rows) > len(model.estimates):
        several = message(
            "{judges:count judge}, {models:count figure}: see the table.",
            judges=len(result.judges),
            models=sum(len(each.models) for each in result.judges),
        )
    if model.by == "naive" or model.best.interval is None:
        return paragraph(
            message(
                "{figure:capital} of {what}: {naive:share} ({naive:level_name} {naive:share_interval}, n = {naive:count}), if "
                "the judge is always right.",
                figure=result.figure,
                what=what,
                naive=naive,
            ),
            several,
        )
    if are_too_few(model.best, _ratings(model)):
        return paragraph(
            message(
                "Too few ratings: the {figure} of {what} is anywhere from {best:share_interval} ({best:level_name}, {method}), from "
                "{rated:count rating} of people about it.",
                figure=result.figure, what=what, best=model.best, rated=_ratings(model), method=TITLES[model.by],
            ),
            message("The judge alone says {naive:share}.", naive=naive),
            message(
                "It agrees with people in {agreement:share_interval} of its verdicts ({agreement:level_name}).",
                agreement=judge.errors.agreement,
            )
            if judge.errors and judge.errors.agreement.interval
            else None,
            several,
        )  # fmt: skip
    return paragraph(
        message(
            "{figure:capital} of {what}: {best:share} ({best:level_name} {best:share_interval}), from {verdicts:count "
            "verdict} and {rated:count rating} of people ({method}).",
            figure=result.figure, what=what, best=model.best, verdicts=judge.verdicts, rated=judge.rated,
            method=TITLES[model.by],
        ),
        message("The judge alone says {naive:share}.", naive=naive),
        message(
            "It agrees with people in {agreement:share} of its verdicts.",
            agreement=judge.errors.agreement if judge.errors else math.nan,
        )
        if judge.errors
        else None,
        several,
    )  # fmt: skip


def cautions(result: "LlmJudgeEvaluation") -> list[Text]:
    """List what may be misread, the most important first."""
    if not result.verdicts.rated.any():
        return [
            "Not corrected: there are no ratings of people, so nothing shows how often the judge errs. Have a random sample "
            "of the items rated, and name it with human (--human).",
            *_read_cautions(result),
        ]
    lines: list[Text] = []
    poor = [(judge, model) for judge in result.judges for model in judge.models if model.helps is False]
    if poor:
        judge, model = poor[0]
        lines.append(
            message(
                "The judge is too poor to help for {names:and}: people's ratings alone give an interval as narrow. For {first}: "
                "{people:share_interval} from {n:count rating} alone, {best:share_interval} with the judge.",
                names=[group_name(result, *each) for each in poor],
                first=group_name(result, judge, model),
                people=model.estimates["people"],
                best=model.best,
                n=model.estimates["people"].n,
            )
        )
    for about, remedy in (("strata", ", or Rogan-Gladen by stratum"), ("models", "")):
        changing = [judge for judge in result.judges if about in judge.refuted]
        if changing:
            test = changing[0].errors.tests[about] if changing[0].errors else None
            lines.append(
                message(
                    "The error rates of {names:and} are not the same for all {about} ({p:p}): do not use Rogan-Gladen "
                    "with pooled rates. Use prediction-powered figures{remedy}.",
                    names=[judge.name for judge in changing],
                    about=NAMES[about],
                    p=test.pvalue if test else None,
                    remedy=remedy,
                )
            )
    strong = [
        (judge, bias)
        for judge in result.judges
        for bias in judge.biases
        if bias.test is not None and bias.test.pvalue <= 0.05
    ]
    for judge, bias in strong[:3]:
        who = judge.name if len(result.judges) > 1 else "The judge"
        lines.append(
            message(
                "{who} {verb} {what}: {gap:points} ({gap:level_name} {gap:points_interval}, {p:p}){flips}.",
                who=who,
                verb="favours" if bias.gap.value > 0 else "disfavours",
                what=BIASES[bias.name].partition(": ")[2],
                gap=bias.gap,
                p=bias.test.pvalue if bias.test else None,
                flips=message("; {share:share} of verdicts flip with the order", share=bias.flips)
                if bias.flips
                else "",
            )
        )
    rated = int(result.verdicts.rated.sum())
    if rated < FEW:
        lines.append(
            message(
                "People rated {n:count unit} only: error rates and biases are little more than a guess. Have more rated.",
                n=rated,
            )
        )
    return [*lines, *_read_cautions(result)]


def _read_cautions(result: "LlmJudgeEvaluation") -> list[Text]:
    verdicts = result.verdicts
    lines: list[Text] = []
    unread = sum(judge.unparseable for judge in result.judges)
    total = sum(judge.verdicts for judge in result.judges)
    if unread:
        template = {
            "half": "{n:count verdict} of {total:count} cannot be read and {n:plural counts|count} as half a point (--unparseable).",
            "drop": "{n:count verdict} of {total:count} cannot be read and {n:plural was|were} left out (--unparseable).",
        }[result.unparseable]
        lines.append(message(template, n=unread, total=total))
    if verdicts.unknown:
        lines.append(message("{n:count rated item} without a verdict left out.", n=verdicts.unknown))
    if verdicts.disagreements:
        lines.append(
            message(
                "People disagree about {n:count unit}: the rating most of them gave counts, or a tie.",
                n=verdicts.disagreements,
            )
        )
    repeated = sum(judge.repeated for judge in result.judges)
    if repeated:
        lines.append(
            message(
                "{n:count verdict} {n:plural repeats|repeat} judge, unit and order: verdicts on a unit are averaged.",
                n=repeated,
            )
        )
    return lines


def _figures(result: "LlmJudgeEvaluation") -> Section:
    several = len({id(model) for _, model, *_ in result.rows}) > 1
    head: list[str | Column] = [
        *(["figure of"] if several else []), "method", Column(result.figure, "share"),
        Column(level_name(result.level), "share_interval"), Column("n", "count", 1),
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [*([group_name(result, judge, model)] if several else []), TITLES[method], estimate, estimate, estimate]
        for judge, model, method, estimate in result.rows
    ]
    worth = [
        message(
            "{what}: {n:count rating} with the judge are worth {worth:count} without it.",
            what=figure_beginning(result, judge, model),
            n=model.estimates["people"].n,
            worth=round(model.worth),
        )
        for judge, model in ((judge, model) for judge in result.judges for model in judge.models)
        if math.isfinite(model.worth)
    ]
    note = message(
        "n counts items: all that were judged for the judge alone and Rogan-Gladen, those that people rated for the others. "
        "By stratum: each stratum is corrected alone."
    )
    parts: list[Part] = [
        Figure(result.drawings()["figures"]),
        Table(result.figure.capitalize(), head, rows, note, most=40),
    ]
    if worth:
        parts.append(Words(worth[:10], listed=len(worth) > 1))
    title = message("{figure:capital} by each method", figure=result.figure)
    return Section("figures", str(title), parts, "headline")


def _errors(result: "LlmJudgeEvaluation") -> Section:
    head: list[str | Column] = [
        "judge and units" if len(result.judges) > 1 else "units", Column("agreement", "share"), Column(level_name(result.level), "share_interval"),
        Column("sensitivity", "share"), Column("CI of sensitivity", "share_interval", 2), Column("specificity", "share"),
        Column("CI of specificity", "share_interval", 2), Column("rated", "count", 1),
    ]  # fmt: skip
    rows: list[list[Any]] = []
    tests: list[Text] = []
    for judge in result.judges:
        errors = judge.errors
        if errors is None:
            continue
        name, before = judge.name, f"{judge.name}, " if len(result.judges) > 1 else ""
        all_units = before.removesuffix(", ") or "all rated"
        parts: list[tuple[str, Estimate | None, Any, int]] = [(all_units, errors.agreement, errors.rates, judge.rated)]
        parts += [
            (f"{before}{stratum}", item, errors.stratum_rates[stratum], int(item.n))
            for stratum, item in errors.by_stratum.items()
        ]
        parts += [
            (f"{before}{model}", None, rates, rates.n + rates.ties) for model, rates in errors.model_rates.items()
        ]
        for label, agreement, rates, n in parts:
            high = rates.high.estimate("sensitivity", result.level)
            low = rates.low.estimate("specificity", result.level, mirrored=True)
            rows.append([label, agreement, agreement, high, high.interval, low, low.interval, n])
        tests += [
            message(
                "{judge}: are its error rates the same for all {about}? {p:p} (exchange test).",
                judge=name,
                about=NAMES[about],
                p=test.pvalue,
            )
            if not test.undefined
            else message("{judge}, {about}: not tested, {why}.", judge=name, about=NAMES[about], why=test.undefined)
            for about, test in errors.tests.items()
        ]
    note = (
        "Agreement: share of verdicts that equal people's rating. Sensitivity: mean verdict for the output where people prefer "
        "it, or where they rate the answer right. Specificity: mean verdict against it where they do not."
    )
    content: list[Part] = [Table("Error rates of judges", head, rows, note, most=30)]
    if tests:
        content.insert(0, Words(tests[:20], listed=len(tests) > 1))
    if "strata" in result.drawings():
        content.append(Figure(result.drawings()["strata"]))
    return Section("errors", "How the judge errs", content, "summary")


def _biases(result: "LlmJudgeEvaluation") -> Section:
    several = len(result.judges) > 1
    head: list[str | Column] = [
        *(["judge"] if several else []), Column("favours", "words"), Column("gap", "points"),
        Column(level_name(result.level), "points_interval"), Column("p", "pvalue_or_dash"), Column("n", "count", 1),
    ]  # fmt: skip
    rows, absent, flips = [], [], []
    for judge in result.judges:
        for bias in judge.biases:
            who = [judge.name] if several else []
            if bias.test is None or math.isnan(bias.gap.value):
                absent.append((bias.name, bias.gap.undefined))
                continue
            pvalue = None if math.isnan(bias.test.pvalue) else bias.test.pvalue
            rows.append([*who, BIASES[bias.name], bias.gap, bias.gap.interval, pvalue, bias.gap.n])
            if bias.flips is not None:
                flips.append(
                    message(
                        "{judge}: {flips:share} of {n:count} pairs have another winner if the outputs are swapped "
                        "({flips:level_name} {flips:share_interval}).",
                        judge=judge.name,
                        flips=bias.flips,
                        n=bias.flips.n,
                    )
                )
    note = (
        "Gap: how much more often the judge sides with such an output than with another that people rate alike; for position, "
        "than if the same output is shown second. Not corrected for several tests."
    )
    parts: list[Part] = []
    if flips:
        parts.append(Words(flips[:10], listed=len(flips) > 1))
    if rows:
        parts.append(Table("What the judge favours", head, rows, note, most=30))
    missing: list[Text] = [
        message("{name:capital}: not measured, {why}.", name=BIASES[name].partition(":")[0], why=why)
        for name, why in dict.fromkeys(absent)
    ]
    if missing:
        parts.append(Words(missing, listed=True))
    return Section("biases", "Biases", parts, "summary")


def _strengths(result: "LlmJudgeEvaluation") -> Section:
    head: list[str | Column] = [
        *(["judge"] if len(result.judges) > 1 else []), "model", "by", Column("strength", "signed"),
        Column(level_name(result.level), "signed_interval"), Column("n", "count", 1),
    ]  # fmt: skip
    rows = []
    why: dict[str, None] = {}
    for judge in result.judges:
        for method, fit in judge.strengths.items():
            for item in sorted(fit.strengths, key=lambda each: -each.value if math.isfinite(each.value) else 0.0):
                who = [judge.name] if len(result.judges) > 1 else []
                if item.undefined:
                    why[f"{TITLES[method]}: {item.undefined}."] = None
                    continue
                rows.append([*who, str(item.class_name), TITLES[method], item, item.interval, item.n])
    note = (
        "Davidson's model (Bradley-Terry with ties). Log odds, with mean 0: a model with 1 more wins e = 2.7 times as often as it "
        "loses. Corrected for the judge by people's ratings: prediction-powered."
    )
    parts: list[Part] = [Table("Strengths of models", head, rows, note, most=40)] if rows else []
    if why:
        parts.append(Words(list(why), listed=True))
    return Section("strengths", "Strengths of models", parts, "summary")


def _confusion(result: "LlmJudgeEvaluation") -> Section:
    pairs = result.verdicts.pairs
    verdict_names = (
        ("first", "tie", "second", "cannot be read") if pairs else ("right", "half", "wrong", "cannot be read")
    )
    head: list[str | Column] = ["judge", "verdict", *(Column(f"people: {name}", "count") for name in verdict_names[:3])]
    rows = [
        [judge.name, name, *judge.cells[at].tolist()]
        for judge in result.judges
        for at, name in enumerate(verdict_names)
        if judge.cells[at].any()
    ]
    table = Table("Verdicts on rated units", head, rows, "Counts of verdicts, not of units.", most=40)
    parts: list[Part] = [table] if rows else [Words(["People rated no unit."])]
    return Section("confusion", "Verdicts against ratings", parts, "full")


def _facts(result: "LlmJudgeEvaluation") -> list[tuple[str, Text]]:
    return [
        ("verdicts", f"{sum(judge.verdicts for judge in result.judges):,}"),
        ("units", f"{len(result.verdicts.item):,}"),
        ("rated by people", f"{int(result.verdicts.rated.sum()):,}"),
        ("figures about", "the population of items" if result.about == "population" else "these items only"),
        *column_facts(result.verdicts.columns),
        ("exchanges", f"{result.draws:,}"),
        *(fact for source in result.sources for fact in file_facts(source)),
        ("justesse", __version__),
    ]
