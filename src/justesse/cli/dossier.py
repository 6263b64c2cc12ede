"""`justesse dossier …`: records of evaluations, checked, repeated, compared and shown."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from justesse.cli.delivery import Delivery, Printing, command_line
from justesse.cli.gate import say_exit_code
from justesse.cli.groups import OUTPUT
from justesse.cli.output import check_places, patience, print_text, say_written
from justesse.core.option_group import option_group
from justesse.verbs.dossier.options import (
    ExportOptions,
    PlannedOptions,
    ReevaluateOptions,
    ReplayOptions,
    SheetOptions,
    SignerOptions,
    VerifyOptions,
)

app = App(
    name="dossier",
    help="Check, repeat, compare and show the dossiers that --dossier writes, and fix plans beforehand.",
    help_format="plaintext",
)
FLAT = Parameter(name="*")


@OUTPUT
@option_group
class PagePrinting(Printing):
    """How a dossier is shown.

    Parameters
    ----------
    report
        Write a page to read, too, such as page.html: one file that opens offline.
    """

    report: Path | None = None


@app.command
def verify(
    file: Path,
    /,
    *,
    checks: Annotated[VerifyOptions, FLAT] = VerifyOptions(),
    printing: Printing = Printing(),
) -> int:
    """Check a dossier: its form, its seal, its signature, its chain, and every figure that its counts determine.

    Exit code 0: no check failed; 1: a check failed, and the place is named, or counts that should be there are not;
    2: bad input.

    For example:

      justesse dossier verify first.json

      justesse dossier verify first.json --key ann.key.pub

      justesse dossier verify mailed.json --alone

    Parameters
    ----------
    file
        The dossier.
    """
    from justesse.verbs.dossier.verify import dossier_verify

    with patience("Verifying"):
        result = dossier_verify(file, **asdict(checks))
    printing.deliver(result)
    nothing_computed = result.passed and result.only_as_written
    say_exit_code(printing, "Verification without figures" if nothing_computed else "Verification", result.passed)
    return 0 if result.passed else 1


@app.command
def replay(
    file: Path,
    /,
    *,
    sources: Annotated[ReplayOptions, FLAT] = ReplayOptions(),
    printing: Printing = Printing(),
) -> int:
    """Compute the figures of a dossier again, from its counts and from the data, and say which differ and by how much.

    Exit code 0: every figure came out the same; 1: a figure differs, or nothing could be computed; 2: bad input.

    For example:

      justesse dossier replay first.json

      justesse dossier replay first.json --data archive/2026

      justesse dossier replay first.json --counts-only

    Parameters
    ----------
    file
        The dossier.
    """
    from justesse.verbs.dossier.replay import dossier_replay

    with patience("Computing again"):
        result = dossier_replay(file, **asdict(sources))
    printing.deliver(result)
    say_exit_code(printing, "Replay", result.same)
    return 0 if result.same else 1


@app.command
def diff(before: Path, now: Path, /, *, printing: Printing = Printing()) -> None:
    """Say what changed between two evaluations: data, options, versions, figures and verdict.

    For example:

      justesse dossier diff first.json second.json

    Parameters
    ----------
    before, now
        The dossiers to compare.
    """
    from justesse.verbs.dossier.diff import dossier_diff

    printing.deliver(dossier_diff(before, now))


@app.command
def show(file: Path, /, *, printing: PagePrinting = PagePrinting()) -> None:
    """Show a dossier as a page: who asked what of which data, and the result as its command showed it.

    For example:

      justesse dossier show first.json

      justesse dossier show first.json --report page.html

    Parameters
    ----------
    file
        The dossier.
    """
    from justesse.verbs.dossier.show import dossier_show

    check_places([file], report=printing.report)
    result = dossier_show(file)
    if printing.report:
        with patience("Drawing"):
            result.report(printing.report, command=command_line())
    printing.deliver(result)
    if printing.report and not printing.json and printing.format == "terminal":
        say_written(printing.report)


@app.command
def plan(
    file: Path,
    /,
    *,
    planned: Annotated[PlannedOptions, FLAT] = PlannedOptions(),
    signer: Annotated[SignerOptions, FLAT] = SignerOptions(),
    printing: Printing = Printing(),
) -> None:
    """Write a plan: the measure, margin, level and judge of an evaluation to come. Verify says whether it was followed.

    Give it to the evaluation with --signed-plan.

    For example:

      justesse dossier plan plan.json --measure accuracy --margin 0.01

      justesse dossier plan p.json --verb evaluate --require "accuracy>=0.9"

    Parameters
    ----------
    file
        File to write, such as plan.json.
    """
    from justesse.verbs.dossier.plan import dossier_plan

    printing.deliver(dossier_plan(file, **asdict(planned), **asdict(signer)))


@app.command
def key(file: Path, /, *, printing: Printing = Printing()) -> None:
    """Make a pair of Ed25519 keys: a private one to sign dossiers, and a public one, beside it, to verify them.

    For example:

      justesse dossier key ann.key

    Parameters
    ----------
    file
        File of the private key, such as me.key. The public key is written to me.key.pub.
    """
    from justesse.verbs.dossier.key import dossier_key

    printing.deliver(dossier_key(file))


@app.command
def datasheet(
    file: Path,
    /,
    *,
    sheet: Annotated[SheetOptions, FLAT] = SheetOptions(),
    printing: PagePrinting = PagePrinting(),
) -> None:
    """Begin a data sheet if the file does not exist, and say what in it is checked, answered or open.

    For example:

      justesse dossier datasheet test.yaml

      justesse dossier datasheet test.yaml --inspection inspection.json

    Parameters
    ----------
    file
        The data sheet, a .yaml file; justesse inspect --datasheet makes one, too.
    """
    from justesse.verbs.dossier.datasheet import dossier_datasheet

    check_places([file], report=printing.report)
    result = dossier_datasheet(file, **asdict(sheet))
    if printing.report:
        result.report(printing.report, command=command_line())
    printing.deliver(result)
    if printing.report and not printing.json and printing.format == "terminal":
        say_written(printing.report)


@app.command
def export(
    file: Path,
    /,
    *,
    options: Annotated[ExportOptions, FLAT],
    printing: Printing = Printing(),
) -> None:
    """Export a dossier: an in-toto statement (alone or in a DSSE envelope), or a section of a model card.

    For example:

      justesse dossier export first.json --to first.intoto.json --sign ann.key

      justesse dossier export first.json --to card.md --form model-card

    Parameters
    ----------
    file
        The dossier.
    """
    from justesse.verbs.dossier.export import dossier_export

    result = dossier_export(file, **asdict(options))
    printing.deliver(result)
    if printing.full and not printing.json:
        print_text(result.text)


@app.command
def reevaluate(
    file: Path,
    /,
    *data: str,
    rows: Annotated[ReevaluateOptions, FLAT] = ReevaluateOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Repeat an evaluation on a corrected or extended test set: old verdict, new verdict, and what moved it.

    For example:

      justesse dossier reevaluate first.json corrected.csv --id id

      justesse dossier reevaluate first.json old.csv new.csv --dossier b.json

    Parameters
    ----------
    file
        Dossier of the old evaluation, of evaluate or compare.
    data
        The new data, as many files as the old evaluation had, in the same order.
    """
    from justesse.verbs.dossier.reevaluate import dossier_reevaluate

    delivery.check(file, *data)
    with patience("Computing again"):
        result = dossier_reevaluate(file, *data, **asdict(rows))
    delivery.deliver(result)
