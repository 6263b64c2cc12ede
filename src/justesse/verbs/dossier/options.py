"""The options of `justesse dossier`."""

import os

from justesse.core.choices import Alternative, ExportForm
from justesse.core.option_group import option_group


@option_group
class VerifyOptions:
    """What is checked.

    Parameters
    ----------
    key
        File of the public key that must have signed it. Default: any key, or none.
    plan_key
        File of the public key that must have signed its plan. Default: that of --key, if the plan is signed.
    project
        Directory of the dossiers before it. Default: the directory of the file.
    alone
        Do not look for the dossiers before it.
    quick
        Do not compute the figures again.
    as_written
        Accept figures that cannot be computed again, because an earlier schema or too large data left the counts out.
        Default: such a dossier does not verify.
    """

    key: str | os.PathLike[str] | None = None
    plan_key: str | os.PathLike[str] | None = None
    project: str | os.PathLike[str] | None = None
    alone: bool = False
    quick: bool = False
    as_written: bool = False


@option_group
class ReplayOptions:
    """What is computed again.

    Parameters
    ----------
    data
        Directory to look for the data files in; in the library also a dict of data by argument. Default: in the
        current directory, or beside the dossier.
    counts_only
        Do not look for the data.
    """

    data: str | None = None
    counts_only: bool = False


@option_group
class SignOptions:
    """Who signs.

    Parameters
    ----------
    sign
        File of a private Ed25519 key, or agent for the key of an SSH agent. Default: not signed.
    """

    sign: str | os.PathLike[str] | None = None


@option_group
class SignerOptions(SignOptions):
    """Who signs, and where the chain is.

    Parameters
    ----------
    signer
        Name of the person who is responsible. Default: your login name.
    project
        Directory of the dossiers that the plan follows. Default: the directory of the file.
    """

    signer: str | None = None
    project: str | os.PathLike[str] | None = None


@option_group
class PlannedOptions:
    """What a plan fixes.

    Parameters
    ----------
    verb
        Function that will be used, such as evaluate or compare. Default: compare.
    measure
        Measure that will decide, such as accuracy or recall:spam. Default: not fixed.
    margin
        Smallest gain that matters, such as 0.01. Default: not fixed.
    level
        Confidence level; 0.95 is a risk of 5 %. Default: not fixed.
    judge
        Judge that will decide, see `justesse.judges`. Default: not fixed.
    alternative
        two-sided, greater or less. Default: not fixed.
    tried
        Number of candidates that will be tried. Default: not fixed.
    require
        Requirement of evaluate, such as "accuracy>=0.9". Default: not fixed.
    claim
        Claim of evaluate, such as "accuracy>=0.9". Default: not fixed.
    note
        Anything else that was agreed, in words. Default: none.
    """

    verb: str = "compare"
    measure: str | None = None
    margin: float | None = None
    level: float | None = None
    judge: str | None = None
    alternative: Alternative | None = None
    tried: int | None = None
    require: str | None = None
    claim: str | None = None
    note: str | None = None


@option_group
class ExportOptions:
    """What is exported.

    Parameters
    ----------
    to
        File to write.
    form
        dsse: a statement in an envelope, signed with `sign`. in-toto: the statement alone. model-card: Markdown.
        Default: dsse.
    sign
        File of a private Ed25519 key, or agent for the key of an SSH agent. Default: not signed.
    """

    to: str | os.PathLike[str]
    form: ExportForm = "dsse"
    sign: str | os.PathLike[str] | None = None


@option_group
class SheetOptions:
    """What is known besides the answers.

    Parameters
    ----------
    inspection
        Dossier of justesse inspect on the same test set: its checks count as checked by a machine. Default: none.
    add
        Append the sections that the file lacks, with their questions.
    """

    inspection: str | os.PathLike[str] | None = None
    add: bool = False


@option_group
class ReevaluateOptions:
    """How rows are recognised.

    Parameters
    ----------
    id
        Column with the id of a row, the same in the old and the new data. Default: the column that joined the files, or
        one named id.
    old_data
        Directory of the old data files; in the library also a dict of data by argument. Default: in the
        current directory, or beside the dossier.
    """

    id: str | None = None
    old_data: str | None = None
