"""`justesse.dossier_verify`: is a dossier what was written, and do its figures follow from its counts?"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError
from justesse.core.version import __version__
from justesse.dossier.canonical import marked
from justesse.dossier.chain import chain_fault, is_chain, signed_others
from justesse.dossier.layout import EditedTextError, UnreadableDossierError, read_record
from justesse.dossier.prints import RecordChange
from justesse.dossier.seal import SEAL, SIGNATURE, broken
from justesse.dossier.signature import public_key, signature_fault
from justesse.report.writing import Message, message
from justesse.verbs.dossier.claimed_results import odd_results
from justesse.verbs.dossier.claimed_rows import odd_rows
from justesse.verbs.dossier.lowered_schema import lowered_schema
from justesse.verbs.dossier.plan_followed import plan_check
from justesse.verbs.dossier.record import DOSSIER_SCHEMA
from justesse.verbs.dossier.repeat import (
    PROSE,
    by_version,
    differences,
    exempt,
    figures,
    is_under,
    left_out_sentences,
    recorded_figures,
    repeated,
    shorter_lists,
    unchecked_places,
    why_not,
)
from justesse.verbs.dossier.shape import read_as_dossier, shape_fault
from justesse.verbs.dossier.sufficient import KEPT, always_keeps, may_be_unkept, missing_counts, odd_objects
from justesse.verbs.dossier.upgraded import KEYS, upgraded
from justesse.verbs.dossier.verification import CheckState, DossierCheck, Verification

SHOWN = 8
WORDS: Mapping[str, str] = {
    "changed": "{where} was changed{value}.",
    "removed": "{where} was removed.",
    "added": "{where} was added{value}.",
}


def dossier_verify(
    file: str | os.PathLike[str],
    *,
    key: str | os.PathLike[str] | None = None,
    plan_key: str | os.PathLike[str] | None = None,
    project: str | os.PathLike[str] | None = None,
    alone: bool = False,
    quick: bool = False,
    as_written: bool = False,
) -> Verification:
    """Check a dossier: its form, its seal, its signature, its chain, and every figure that its counts determine.

    Parameters
    ----------
    file
        The dossier.
    key
        File of the public key that must have signed it. Default: any key, or none.
    plan_key
        File of the public key that must have signed its plan. Default: that of `key`, if the plan is signed.
    project
        Directory of the dossiers before it. Default: the directory of the file.
    alone
        Do not look for the dossiers before it.
    quick
        Do not compute the figures again.
    as_written
        Accept figures that cannot be computed again, because an earlier schema or too large data left the counts out.
        Default: such a dossier does not verify.

    Returns
    -------
    Verification
        `passed` says whether every check passed; `checks` has each with what is wrong.

    Examples
    --------
    >>> import justesse, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "first.json"
    >>> _ = justesse.evaluate([1, 1, 0, 0], [1, 0, 0, 0]).dossier(path)
    >>> dossier_verify(path).passed
    True
    >>> _ = path.write_text(path.read_text().replace('"value": 0.75', '"value": 0.85', 1))
    >>> str(dossier_verify(path).faults[0].sentence)
    '/results/headline/value was changed; it is now 0.85.'
    """
    path = Path(file)
    expected = None if key is None else public_key(Path(key))
    planner = expected if plan_key is None else public_key(Path(plan_key))
    with read_as_dossier(path):
        return _verified(path, expected, planner, project, alone=alone, quick=quick, as_written=as_written,
                         plan_signed=plan_key is not None)  # fmt: skip


def _verified(
    path: Path,
    expected: str | None,
    planner: str | None,
    project: str | os.PathLike[str] | None,
    *,
    alone: bool,
    quick: bool,
    as_written: bool,
    plan_signed: bool,
) -> Verification:
    """Run the checks, those that need others to have passed after them.

    Parameters
    ----------
    path, expected, planner, project, alone, quick, as_written
        As `dossier_verify` has them, with the keys read.
    plan_signed
        Whether a plan must be signed.
    """
    try:
        record = read_record(path)
    except UnreadableDossierError as error:
        changed = _sealed(error.record) if isinstance(error, EditedTextError) else DossierCheck("form", "failed")
        sentences = (*changed.sentences, message("{words}", words=str(error)))
        return Verification(str(path), {}, (DossierCheck("form", "failed", sentences, changed.places),))
    checks = [_form(record)]
    if not checks[0].failed:
        checks.append(_sealed(record))
    newer = record
    if not any(check.failed for check in checks):
        newer = upgraded(record)
        if fault := shape_fault(newer):
            checks[0] = DossierCheck("form", "failed", (message("{words}", words=fault[1]),), (fault[0],))
        elif lowered := lowered_schema(newer):
            words = message("{where}: {what}. The schema was lowered.", where=lowered[0], what=str(lowered[1]))
            checks[0] = DossierCheck("form", "failed", (words,), (lowered[0],))
    if not any(check.failed for check in checks):
        folder = None if project is None else Path(project)
        checks.append(_signed(path, record, expected, folder, alone=alone))
        checks.append(_chained(path, record, folder, alone=alone))
        checks.append(_figures(newer, skip=quick, as_written=as_written))
        checks.append(plan_check(newer, planner, needs_signature=plan_signed))
    return Verification(str(path), record, tuple(checks))


def _form(record: Mapping[str, Any]) -> DossierCheck:
    schema = record["dossier"]
    if not isinstance(schema, int) or isinstance(schema, bool) or schema not in KEYS:
        template = (
            "/dossier is {schema}: this version of justesse knows schema 1 to {newest}. The key was changed, or a newer "
            "version wrote the file."
        )
        return DossierCheck("form", "failed", (message(template, schema=repr(schema)[:40], newest=DOSSIER_SCHEMA),))
    kind = str(record.get("kind"))
    if kind not in KEYS[schema]:
        return DossierCheck(
            "form", "failed", (message("/kind must be result or plan; it is {kind}.", kind=repr(kind)[:40]),)
        )
    keys = KEYS[schema][kind]
    faults = [message("/{key} is missing.", key=key) for key in keys if key not in record]
    faults += [message("/{key} is not a key of a dossier.", key=key) for key in record if key not in keys]
    chain = record.get("chain")
    if not faults and not is_chain(chain):
        faults = [message("/chain must hold project, number and previous.")]
    return DossierCheck("form", "failed" if faults else "passed", tuple(faults))


def _sealed(record: dict[str, Any]) -> DossierCheck:
    places = broken(record)
    words = [_change(place) for place in places[:SHOWN]]
    if len(places) > SHOWN:
        words.append(message("{n:count} further places were changed.", n=len(places) - SHOWN))
    return DossierCheck("seal", "failed" if places else "passed", tuple(words), tuple(place.where for place in places))


def _change(change: RecordChange) -> Message:
    value = "" if isinstance(change.value, (dict, list)) or change.value is None else repr(change.value)[:80]
    shown = message("; it is now {value}", value=value) if value else ""
    return message(WORDS[change.how], where=change.where, value=shown)


def _signed(
    path: Path, record: Mapping[str, Any], expected: str | None, project: Path | None, *, alone: bool
) -> DossierCheck:
    signature = record[SIGNATURE]
    fault = signature_fault(record[SEAL]["sha256"], signature, expected)
    if fault:
        words = message("{where}: {what}.", where=fault[0], what=fault[1])
        return DossierCheck("signature", "failed", (words,), (fault[0],))
    if signature is None:
        notes = [message("Not signed: whoever holds the file can change it and seal it again.")]
        others = 0 if alone else signed_others(path, project)
        if others:
            template = "{n:count other dossier} of the project {n:plural is|are} signed: ask why this one is not."
            notes.append(message(template, n=others))
        return DossierCheck("signature", "none", tuple(notes), ("/signature",) if others else ())
    template = "Signed by {name} with the key {key}."
    if expected is None:
        template += " Whose key that is was not checked: name their public key (--key)."
    words = message(template, name=signature["signer"], key=signature["public_key"])
    return DossierCheck("signature", "passed", (words,))


def _chained(path: Path, record: dict[str, Any], project: Path | None, *, alone: bool) -> DossierCheck:
    number = record["chain"]["number"]
    if alone:
        return DossierCheck(
            "chain", "skipped", (message("Dossiers before number {n:count} were not looked for.", n=number),)
        )
    if project is not None and not project.is_dir():
        raise FileError(f"Project directory {str(project)!r} not found. Name the directory of the earlier dossiers.")
    fault = chain_fault(path, record, project)
    if fault:
        words = message("{where}: {what}.", where=fault[0], what=fault[1])
        return DossierCheck("chain", "failed", (words,), (fault[0],))
    return DossierCheck(
        "chain", "passed", (message("Number {n:count} of its project; every earlier one is there.", n=number),)
    )


def _figures(record: dict[str, Any], *, skip: bool, as_written: bool) -> DossierCheck:
    if record["kind"] != "result" or skip:
        return DossierCheck("figures", "skipped", ())
    _, claimed = exempt(record)
    verb = record["asked"]["verb"]
    if absent := missing_counts(record):
        template = "{where} is missing: every dossier of justesse.{verb} keeps it, and the figures follow from it."
        lacking = tuple(message(template, where=where, verb=verb) for where in absent[:SHOWN])
        return DossierCheck("figures", "failed", lacking, tuple(absent[:SHOWN]))
    if always_keeps(record) and (odd := odd_objects(record)):
        template = "{where} is only described, so nothing can be computed again: justesse.{verb} takes no object there."
        return DossierCheck("figures", "failed", (message(template, where=odd[0], verb=verb),), (odd[0],))
    if odd := odd_results(record):
        template = "{where} does not fit: justesse.{verb} does not give such results."
        return DossierCheck("figures", "failed", (message(template, where=odd[0], verb=verb),), tuple(odd[:SHOWN]))
    nothing = "" in record["recomputed"]["except"] and (not always_keeps(record) or may_be_unkept(record))
    try:
        again = marked(figures(repeated(record)))
    except Exception as error:  # counts that were made up may break anything
        why = why_not(error)
        if nothing:
            return _nothing_computed(record, why, as_written=as_written)
        words = message("The figures cannot be computed again: {why}", why=why)
        return DossierCheck("figures", "failed", (words,), ("/kept",))
    own = recorded_figures(record)
    differing = differences(own, again)
    unchecked = unchecked_places(record, differing)
    faults = [place for place in differing if place[0] not in unchecked]
    if any(is_under(where, list(PROSE)) for where in unchecked):
        faults += left_out_sentences(own, again)
    written_by = record["versions"]["justesse"]
    if written_by != __version__:
        faults = by_version(faults) + shorter_lists(own, again)
    differing_words = _in_words(faults, own, again)
    findings = tuple(differing_words[:SHOWN])
    if len(differing_words) > SHOWN:
        findings = (*findings, message("{n:count} further figures differ.", n=len(differing_words) - SHOWN))
    if written_by != __version__:
        template = "Written by justesse {old}, computed again by {new}; sentences were not compared."
        if faults:
            template = (
                "Written by justesse {old}; this is {new}, which may compute in another way. Verify with {old}, too."
            )
        findings = (*findings, message(template, old=written_by, new=__version__))
    places = tuple(where for where, _, _ in faults)
    if unlike := odd_rows(record):
        findings = (*findings, message("{where}: {what}.", where=unlike[0], what=unlike[1]))
        places = (*places, unlike[0])
    if claimed:
        template = "/recomputed/except names {where}, which no dossier can exempt."
        findings = (*findings, message(template, where=", ".join(claimed[:SHOWN])))
    if unchecked:
        template = (
            "Not checked, as the dossier says that its counts do not determine them: {n:count place}, such as {where}."
        )
        findings = (*findings, message(template, n=len(unchecked), where=unchecked[0]))
    state: CheckState = "failed" if places or claimed else "passed"
    return DossierCheck("figures", state, findings, places)


def _in_words(faults: list[tuple[str, Any, Any]], own: Any, again: Any) -> list[Message]:
    """Write what differs: a sentence that was removed by its words, everything else by its place."""
    removed = [
        (where, text)
        for where, _, text in left_out_sentences(own, again)
        if any(at.startswith(f"{where}/") or (at == where and old is None) for at, old, _ in faults)
    ]
    lists = list(dict(removed))
    moved = [None, *(text for where in lists for text in again[where.removeprefix("/")])]
    template = "{where}: the dossier has {old}, its counts give {new}."
    return [
        *(message('{where} lacks "{text}", which its counts give.', where=where, text=text) for where, text in removed),
        *(
            message(template, where=where, old=_short(old), new=_short(new))
            for where, old, new in faults
            if not (is_under(where, lists) and old in moved)
        ),
    ]


def _nothing_computed(record: Mapping[str, Any], why: str, *, as_written: bool) -> DossierCheck:
    """Say that no figure was computed again: a fault if dossiers of the function now keep what figures follow from."""
    words = message(
        "No figure was computed again: {why} Only {what} protects them.",
        why=why,
        what="the signature" if record[SIGNATURE] else "the checksum, which anyone can write anew,",
    )
    if as_written or record["asked"]["verb"] not in KEPT:
        return DossierCheck("figures", "none", (words,))
    template = "{words} Compute them from the data (justesse dossier replay), or accept them (--as-written)."
    return DossierCheck("figures", "failed", (message(template, words=words),), ("/kept",))


def _short(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return f'"{value}"'
    return str(value) if not isinstance(value, (dict, list)) else str(message("{n:count} values", n=len(value)))
