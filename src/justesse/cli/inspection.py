"""`justesse inspect`: can this test be trusted?"""

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from justesse.cli.output import check_places, console, listed, patience, print_json, say
from justesse.cli.share import Share

if TYPE_CHECKING:
    from justesse.verbs.inspect.inspected import Inspection

Flag = Annotated[bool, Parameter(negative="")]
Names = Annotated[list[str] | None, Parameter(negative="")]
Output = Annotated[Path | None, Parameter(alias="-o")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class InspectedColumns:
    """Which column plays which part.

    Parameters
    ----------
    label
        Column with the labels; guessed from: label, y, y_true, target.
    id
        Column with the id of a case: no id may be on both sides.
    text
        Column with a text: near duplicates are looked for.
    annotator
        Column with who annotated a row.
    group
        Column with what rows share, such as the patient.
    time
        Column with when a row is from.
    by
        Column of slices, to be as frequent as in the population; several separated by commas.
    features
        Columns that make up a case; default: all that play no other part.
    """

    label: str | None = None
    id: str | None = None
    text: str | None = None
    annotator: str | None = None
    group: str | None = None
    time: str | None = None
    by: Names = None
    features: Names = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class InspectOptions:
    """What the test must be able to tell.

    Parameters
    ----------
    half_width
        How exactly the accuracy must be known: 0.05 is ±5 points.
    class_half_width
        How exactly the recall of the smallest class must be known.
    expected
        The accuracy you expect; 0.5 is the worst case.
    difference
        The difference between two classifiers that must be detected.
    disagreement
        How often exactly one of the two is right.
    power
        Probability of detecting that difference.
    near
        Texts that share this much of their pieces are nearly the same.
    digits
        Numbers that agree in so many digits are written alike.
    effect
        Shares differ by too much from this Cohen's w on: 0.1 is small, 0.3 medium.
    level
        Confidence level.
    seed
        Seed of samples, splits and draws.
    """

    half_width: Share = 0.05
    class_half_width: Share = 0.1
    expected: Share = 0.5
    difference: Share = 0.05
    disagreement: Share = 0.1
    power: Share = 0.8
    near: Share = 0.7
    digits: int = 6
    effect: float = 0.1
    level: Share = 0.95
    seed: int = 0


COLUMNS, WANTED = InspectedColumns(), InspectOptions()


def inspect(
    test: str | None = None,
    *,
    train: str | None = None,
    population: str | None = None,
    datasheet: Path | None = None,
    columns: InspectedColumns = COLUMNS,
    wanted: InspectOptions = WANTED,
    json: Flag = False,
    output: Output = None,
    report: Path | None = None,
) -> int:
    """Can this test be trusted? Is it disjoint from training, large enough, representative, documented?

    Every check has a code, a sentence and a remedy. The exit code is 1 if a check fails.

    Examples:

      justesse inspect test.csv

      justesse inspect --test test.csv --train train.csv --text message --annotator who

      justesse inspect --test test.parquet --train train.parquet --group patient --time date

      justesse inspect --test test.csv --population population.csv --by hospital,sex --report page.html

      justesse inspect --datasheet test.yaml

    Parameters
    ----------
    test
        File with the test rows, or a pattern in quotes.
    train
        File with the rows the classifier was trained on.
    population
        File with rows as they are in use, or a table of column, value and share.
    datasheet
        Data sheet of the test, .yaml: started if it is not there, checked if it is.
    json
        Print JSON instead of sentences.
    output
        Also write the checks as a table, .csv or .parquet.
    report
        Also write a page to read, one .html file that opens offline.
    """
    from justesse.verbs.inspect.inspection import inspect as run

    check_places([test, train, population, datasheet], output=output, report=report)
    done: list[float] = []
    lists = {"by": listed(columns.by), "features": listed(columns.features)}
    with patience("Inspecting", lambda: done[-1] if done else None):
        found = run(
            test,
            train=train,
            population=population,
            datasheet=datasheet,
            **{**vars(columns), **lists},
            **vars(wanted),
            progress=done.append,
        )
        if output:
            found.save(output)
        if report:
            found.report(report, command=f"justesse {shlex.join(sys.argv[1:])}")
    if json:
        print_json(found.to_dict())
    else:
        _show(found)
        for written in (output, report):
            if written:
                say(f"Written: {written}")
    return 0 if found.passed else 1


def _show(found: "Inspection") -> None:
    from rich.padding import Padding
    from rich.text import Text

    from justesse.procedures.conditions import STATES
    from justesse.verbs.inspect.inspected import CONDITIONS

    inks = {"failed": "bold red", "passed": "green"}
    out = console()
    out.print(Text(f"{found.title}. {found.headline}", style="bold"))
    for condition, title in CONDITIONS.items():
        own = [check for check in found.checks if check.condition == condition]
        made = [check for check in own if check.state in ("failed", "passed", "not applicable")]
        if own:
            out.print(f"\n{title}")
        for check in sorted(made, key=lambda check: STATES.index(check.state)):
            out.print(
                Padding(
                    Text.assemble((f"{check.state} ", inks.get(check.state, "")), f"{check.code}  {check.sentence}"),
                    (0, 0, 0, 2),
                )
            )
            if check.state == "failed":
                out.print(Padding(Text(f"→ {check.remedy}"), (0, 0, 0, 4)))
        needs: dict[str, list[str]] = {}
        for check in own:
            if check.state == "not checked":
                needs.setdefault(check.remedy.removeprefix("Give ").rstrip("."), []).append(check.code)
        for need, codes in needs.items():
            out.print(Padding(Text(f"not checked {', '.join(codes)}: {need}"), (0, 0, 0, 2)))
    for warning in found.warnings:
        out.print(f"! {warning}")
    if found.datasheet and found.datasheet.started:
        out.print(f"\nStarted: {found.datasheet.path}. Answer its questions, then run this again.")
