"""Whether the results of a dossier are such as the function that it names gives: no figure of them is computed again."""

from collections.abc import Mapping
from typing import Any

from justesse.core.version import __version__
from justesse.verbs.dossier.sufficient import KEPT, NOT_KEPT

# the schema of the JSON of each function whose figures are not computed again
SCHEMAS: Mapping[str, str] = {
    **{verb: verb for verb in NOT_KEPT},
    "ab_add": "ab_add",
    "ab_start": "ab_add",
    "audit_answer": "audit",
    "audit_export": "audit",
    "audit_next": "audit",
    "recheck_answer": "recheck",
    "recheck_next": "recheck",
}


def odd_results(record: Mapping[str, Any]) -> list[str]:
    """List the keys of the results that the function lacks or has not; another version may have had other keys.

    >>> versions = {"justesse": __version__}
    >>> odd_results({"asked": {"verb": "noise_inject"}, "versions": versions, "results": {"accuracy": 0.99}})[-2:]
    ['/results/assumptions', '/results/accuracy']
    """
    verb, results = record["asked"]["verb"], record["results"]
    if verb in KEPT or record["versions"]["justesse"] != __version__:
        return []
    if verb not in SCHEMAS:
        return ["/asked/verb"]
    from justesse.verbs.schemas import schema

    own = schema(SCHEMAS[verb])
    missing = [key for key in own["required"] if key not in results]
    whole = set(own["required"]) <= set(own["properties"])  # otherwise the keys depend on the command
    more = [key for key in results if key not in own["properties"]] if whole else []
    return [f"/results/{key}" for key in [*missing, *more]]
