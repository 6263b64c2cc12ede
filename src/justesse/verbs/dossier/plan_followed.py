"""Whether a verdict followed the plan that was written before the labels were opened."""

from collections.abc import Mapping
from typing import Any

from justesse.core.errors import JustesseError
from justesse.dossier.seal import SEAL, broken
from justesse.dossier.signature import signature_fault
from justesse.report.writing import Message, message
from justesse.verbs.dossier.repeat import differences
from justesse.verbs.dossier.verification import DossierCheck


def plan_check(record: Mapping[str, Any], key: str | None = None, *, needs_signature: bool = False) -> DossierCheck:
    """Check that the options of a result are those of its plan, and that the plan came first and is whole.

    Parameters
    ----------
    record
        The dossier.
    key
        Public key that must have signed the plan, if anyone did. Default: any.
    needs_signature
        Whether a plan that nobody signed is a fault.
    """
    if record["kind"] == "plan":
        return DossierCheck("plan", "skipped", ())
    if record["plan"] is None:
        return DossierCheck(
            "plan", "none", (message("No plan: margin, level and measure may have been chosen afterwards."),)
        )
    try:
        faults = departures(record, key, needs_signature=needs_signature)
    except (KeyError, TypeError, AttributeError):
        faults = [(message("/plan is not in the form of a plan. The file was edited."), "/plan")]
    if faults:
        return DossierCheck("plan", "failed", tuple(words for words, _ in faults), tuple(where for _, where in faults))
    plan = record["plan"]["record"]
    signature = plan["signature"]
    template = "The verdict followed the plan of {when}{who}."
    who = message(", signed by {name}", name=signature["signer"]) if signature else ", which is not signed"
    if signature and key is None:
        template += " Whose key signed the plan was not checked: name their public key (--plan-key, or --key)."
    elif not signature:
        template += " Its date is what whoever wrote the dossier says."
    return DossierCheck("plan", "passed", (message(template, when=plan["run"]["when"], who=who),))


def departures(
    record: Mapping[str, Any], key: str | None = None, *, needs_signature: bool = False
) -> list[tuple[Message, str]]:
    """List where a result departs from its plan, in words and as places."""
    plan, options = record["plan"]["record"], record["asked"]["options"]
    if places := broken(plan):
        return [(message("The plan was changed at {where}.", where=places[0].where), f"/plan/record{places[0].where}")]
    try:
        fault = signature_fault(
            plan[SEAL]["sha256"], plan["signature"], key if plan["signature"] or needs_signature else None
        )
    except JustesseError as error:
        fault = ("/signature", str(error).rstrip("."))
    if fault:
        template = "The plan's {where}: {what}."
        if key is not None:
            template += " If another person planned, name their public key (--plan-key)."
        return [(message(template, where=fault[0], what=fault[1]), f"/plan/record{fault[0]}")]
    faults = []
    for name, planned in plan["plan"]["settings"].items():
        if name == "verb":
            if record["asked"]["verb"] != planned:
                words = message("Planned: {planned}. Done: {done}.", planned=planned, done=record["asked"]["verb"])
                faults.append((words, "/asked/verb"))
            continue
        done = options.get(name)
        done = record["results"].get(name) if done is None else done  # a default that the data decide
        if differences(planned, done):
            words = message(
                "Option {name}: planned {planned}, used {done}.", name=name, planned=str(planned), done=str(done)
            )
            faults.append((words, f"/asked/options/{name}"))
    if plan["run"]["when"] > record["run"]["when"]:
        faults.append(
            (message("The plan is of {when}, after the result.", when=plan["run"]["when"]), "/plan/record/run/when")
        )
    return faults
