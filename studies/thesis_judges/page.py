"""The tables of README.md, our numbers beside the thesis'."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from justesse.charts.paint import signed
from justesse.cleaning.simulated import Nett
from justesse.judges.tournament import DecisionShare, Rates
from studies.tables import table
from studies.thesis_judges.choices import RANDOM, VARIED, Choice
from studies.thesis_judges.groups import SAME, SEVERAL
from studies.thesis_judges.hardness import OWN
from studies.thesis_judges.judging import Judged
from studies.thesis_judges.run import Found
from studies.thesis_judges.settings import Settings
from studies.thesis_judges.suffering import Suffering
from studies.thesis_judges.thesis import FIGURE_6_3, TABLE_6_2, TABLE_6_3, TABLE_6_4, TABLE_6_5, Triple

PAGE = Path(__file__).parent / "README.md"
KINDS = ("type I", "type II", "agreement", "worse accepted")
THESIS = ("thesis I", "thesis II", "thesis agreement")


def parts(found: Found, settings: Settings) -> dict[str, str]:
    """Make every table of the page."""
    made = {
        "versions": version_table(found),
        "transition": transition_table(found),
        "classifiers": classifier_table(found, settings),
        "sweep": sweep_table(found),
        "paired": paired_table(found, settings),
        "choices": choice_table(found),
        "filters": filter_table(found, settings),
    }
    for name, group in (("several", SEVERAL), ("same", SAME)):
        judged = found.judged[group, settings.table_rate]
        made |= {
            f"table 6.2, {name}": judge_table(by_accuracy(judged), TABLE_6_2),
            f"table 6.3, {name}": nett_table(found.cleaned[group]),
            f"full width, {name}": nett_table(found.cleaned_at_full_width[group]),
            f"tables 6.4 and 6.5, {name}": class_table(judged, found.images.classes),
            f"suffering, {name}": suffering_table(found.suffering[group]),
        }
    return made


def by_accuracy(judged: Iterable[Judged]) -> list[Judged]:
    return [one for one in judged if one.measure == "accuracy"]


def version_table(found: Found) -> str:
    """Show how many labels are wrong in the test set, which is not quite what was asked of the whole."""
    lines = []
    for rate, noisy in found.versions.items():
        part = noisy.part(found.images.test)
        spared = 0 if noisy.spared is None else int(noisy.spared.sum())
        lines.append([f"{rate:.0%}", percent(part.realised, 3), f"{int(part.wrong.sum()):,}", f"{spared:,}"])
    return table(("asked of all images", "in the test set, %", "wrong test labels", "left right"), lines)


def transition_table(found: Found) -> str:
    """Show figure 6.3: the test images of each true class (rows) by their label (columns) at 10 %."""
    noisy = found.versions[0.10].part(found.images.test)
    counts = noisy.tally.dense("true", "label")
    names = found.images.classes
    lines = [[name, *(f"{int(count):,}" for count in row)] for name, row in zip(names, counts, strict=True)]
    said = f"\n{percent(noisy.realised, 3)} % of the test labels are wrong; in the thesis {percent(FIGURE_6_3, 3)} %.\n"
    return table(("", *names), lines) + said


def classifier_table(found: Found, settings: Settings) -> str:
    """Show who is compared: how many states there were, how many were elected, and what the chosen were trained on."""
    true = found.images.true[found.images.test]
    lines = []
    for (name, rate), group in found.groups.items():
        if name == SAME or rate == settings.table_rate:
            right = (group.chosen.answers == true).mean(axis=1)
            pool = len(found.field.names) if name == SEVERAL else int((found.field.rate == rate).sum())
            trained_at = [f"{np.sum(group.chosen.rate == one)}" for one in settings.train_rates]
            lines.append(
                [
                    name,
                    "all" if name == SEVERAL else f"{rate:.0%}",
                    f"{pool:,}",
                    f"{group.elected:,}",
                    f"{len(group.chosen.names)}",
                    f"{percent(right.min())} to {percent(right.max())}",
                    *trained_at,
                ]
            )
    heads = ("group", "test noise", "states", "elected", "chosen", "true accuracy, %",
             *(f"trained at {rate:.0%}" for rate in settings.train_rates))  # fmt: skip
    return table(heads, lines, words=2)


def judge_table(judged: Iterable[Judged], thesis: dict[str, Triple]) -> str:
    """Show the rates of every judge against the overlap reference, and the thesis' where it has them."""
    lines = [
        [
            words(one.judge),
            *shown(one.rates()),
            "" if one.answers is None else f"{one.answers:.0f}",
            *beside(thesis.get(one.judge)),
        ]
        for one in judged
    ]
    return table(("judge", *KINDS, "answers a pair", *THESIS), lines)


def filter_table(found: Found, settings: Settings) -> str:
    """Show the classical judge without and with a filter, among both groups, against both references."""
    columns = [[found.judged[group, settings.table_rate][0], *found.filtered[group]] for group in (SEVERAL, SAME)]
    lines = [
        [words(both[0].judge), *(cell for judged in both for cell in filter_cells(judged))]
        for both in zip(*columns, strict=True)
    ]
    kinds = ("type I / type II", "agreement", "worse accepted", "agreement, paired reference")
    heads = (f"{group}: {kind}" for group in ("several versions", "test's version") for kind in kinds)
    return table(("judge", *heads), lines)


def filter_cells(judged: Judged) -> list[str]:
    """Write the errors of one judge, its agreement with both references and the worse candidates it accepted."""
    own = judged.rates()
    return [errors(own), share(own.agreement), share(own.worse_accepted), share(judged.rates("paired").agreement)]


def nett_table(cleaned: dict[Nett, list[Judged]]) -> str:
    """Show table 6.3: means over draws of the cleaning, and the standard deviation of the two errors."""
    lines = []
    for nett, draws in cleaned.items():
        rates = [one.rates() for one in draws]
        means = [mean_share(rates, kind) for kind in ("type_one", "type_two", "agreement", "worse_accepted")]
        away = [np.std([getattr(one, kind).value for one in rates]) for kind in ("type_one", "type_two")]
        numbers = [f"{percent(mean, 2)} ± {percent(sd, 2)}" for mean, sd in zip(means, away, strict=False)]
        lines.append([nett.words, *numbers, *(percent(mean, 2) for mean in means[2:]), *beside(TABLE_6_3[nett])])
    return table(("cleaning, then classical", *KINDS, *THESIS), lines)


def class_table(judged: Iterable[Judged], classes: Sequence[str]) -> str:
    """Show tables 6.4 and 6.5 for every class: type I and II of the classical and the first prudent judge."""
    at = {(one.judge, str(one.measure), one.class_name): one.rates() for one in judged}
    chosen = ("classical", "prudent_v1", "prudent_v2, own ranking", "sharp")
    thesis = {"precision": TABLE_6_4, "recall": TABLE_6_5}
    lines = []
    for measure, theirs in thesis.items():
        for name in classes:
            cells = [errors(at[judge, measure, name]) for judge in chosen]
            lines.append([f"{measure} of {name}", *cells])
        printed = [f"{theirs[judge][0]:.2f} / {theirs[judge][1]:.2f}" if judge in theirs else "" for judge in chosen]
        lines.append([f"*thesis, {measure} of class 0*", *printed])
    return table(("type I / type II, %", *(words(judge) for judge in chosen)), lines)


def suffering_table(found: Iterable[Suffering]) -> str:
    """Show how much more often the first prudent judge refuses real improvements than by accuracy."""
    lines = [
        [
            f"{one.measure}, {one.class_name}",
            percent(one.type_two),
            signed(100 * one.more, ".1f"),
            f"{signed(100 * one.low, '.1f')} to {signed(100 * one.high, '.1f')}",
        ]
        for one in found
    ]
    return table(("measure", "type II of prudent_v1, %", "minus that by accuracy, points", "95 % interval"), lines)


def sweep_table(found: Found) -> str:
    """Show figure 6.7 in numbers: type I / type II against the overlap reference, by the share of wrong labels."""
    lines = [
        [name, words(judge), *(errors(one.rates()) for one in judged)]
        for name in (SEVERAL, SAME)
        for judge, judged in swept(found, name).items()
    ]
    return table(("group", "judge", *(f"{rate:.0%}" for rate in found.versions)), lines, words=2)


def swept(found: Found, name: str) -> dict[str, list[Judged]]:
    """Give the judges that judged by accuracy at every share of wrong labels."""
    judged = {rate: {one.judge: one for one in by_accuracy(found.judged[name, rate])} for rate in found.versions}
    always = [judge for judge in next(iter(judged.values())) if all(judge in one for one in judged.values())]
    return {judge: [one[judge] for one in judged.values()] for judge in always}


def paired_table(found: Found, settings: Settings) -> str:
    """Show the rates against the paired reference, which replaces more often than the thesis' one."""
    lines = [
        [name, words(one.judge), *shown(one.rates("paired"))]
        for name in (SEVERAL, SAME)
        for one in by_accuracy(found.judged[name, settings.table_rate])
    ]
    return table(("group", "judge", *KINDS), lines, words=2)


def choice_table(found: Found) -> str:
    """Show how far the figures of table 6.2 move with the hundred: lowest, median and highest."""
    shown: dict[str, Callable[[Choice], float]] = {
        "`classical`, type I": lambda one: one.judged["classical"].rates().type_one.value,
        "`classical`, type II": lambda one: one.judged["classical"].rates().type_two.value,
        "`prudent_v1`, type I": lambda one: one.judged["prudent_v1"].rates().type_one.value,
        "`prudent_v1`, type II": _first_type_two,
        "`prudent_v2`, type I": lambda one: one.judged[f"prudent_v2, {OWN}"].rates().type_one.value,
        "`prudent_v2`, type II": lambda one: one.judged[f"prudent_v2, {OWN}"].rates().type_two.value,
        "`sharp`, type II": lambda one: one.judged["sharp"].rates().type_two.value,
        "`prudent_v1`, precision minus accuracy": lambda one: one.mean_type_two["precision"] - _first_type_two(one),
        "`prudent_v1`, recall minus accuracy": lambda one: one.mean_type_two["recall"] - _first_type_two(one),
    }
    lines = []
    for name, figure in shown.items():
        by_kind = ([figure(one) for one in found.choices if one.kind == kind] for kind in (VARIED, RANDOM))
        lines.append([name, *(" · ".join(percent(q(own), 2) for q in (min, np.median, max)) for own in by_kind)])
    return table(("lowest · median · highest", VARIED, RANDOM), lines)


def _first_type_two(one: Choice) -> float:
    return one.judged["prudent_v1"].rates().type_two.value


def words(judge: str) -> str:
    name, *rest = judge.split(", ", 1)
    return ", ".join([f"`{name}`", *rest])


def shown(rates: Rates) -> list[str]:
    return [share(one) for one in (rates.type_one, rates.type_two, rates.agreement, rates.worse_accepted)]


def share(one: DecisionShare) -> str:
    return "–" if one.undefined else percent(one.value, 2)


def errors(rates: Rates) -> str:
    return f"{share(rates.type_one)} / {share(rates.type_two)}"


def beside(theirs: Triple | None) -> list[str]:
    return ["", "", ""] if theirs is None else [f"{number:.2f}" for number in theirs]


def mean_share(rates: Sequence[Rates], kind: str) -> float:
    return float(np.mean([getattr(one, kind).value for one in rates]))


def percent(value: float, digits: int = 1) -> str:
    return f"{100 * value:.{digits}f}"
