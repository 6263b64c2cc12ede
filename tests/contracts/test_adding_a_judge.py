"""A judge is its own file, one entry in the registry and its test: then it shows everywhere."""

import json
import re
from functools import partial
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).parents[2]
TOY = '''
"""A toy judge: it replaces unless the incumbent is always right."""

from dataclasses import replace

import numpy as np

from justesse.core.all_pairs import shares
from justesse.judges.paired import paired


def toy(case, **options):
    """Replace, unless the incumbent is always right."""
    return replace(paired(case, **options), judge="toy", decision="replace", reason="Toys are new.")


def toy_replaces(pairs, rule):
    """Replace in every pair, unless the incumbent is always right."""
    counted = shares(pairs.labels, pairs.measure)
    return np.asarray(counted.incumbent_right < counted.incumbent_of)
'''
ENTRY = """    Judge(
        "toy",
        "replaces by whatever is new.",
        needs="a candidate to play with",
        assumes="new toys are better",
        errs_when="the old toy was better",
    ),
"""
ROWS = "label,true,old,new\n" + "a,a,a,a\nb,b,a,b\na,a,b,a\nb,a,b,b\n" * 20
CODE = """
import json, runpy, sys
import justesse
from justesse.verbs.schemas import schema
try:
    justesse.compare("rows.csv", incumbent="old", candidate="new", judge="tin")
except justesse.judges.OptionError as error:
    refused = str(error)
reference = runpy.run_path(sys.argv[1])
described = {"schemas": {name: schema(name) for name in ("compare", "tournament")}, "refused": refused}
print(json.dumps({**described, "table": reference["judge_table"](), "doc": justesse.judges.toy.__doc__}))
"""


@pytest.fixture(scope="module")
def with_judge(house):
    """A copy of the package with a judge more: a file, and an entry in the registry."""
    before = '    Judge(\n        "classical",'
    made = house({"judges/toy.py": TOY}, {"judges/__init__.py": ((before, ENTRY),)}, rows=ROWS)
    assert len(made.changed) <= 2
    return made


@pytest.fixture(scope="module")
def call(with_judge):
    return partial(with_judge.python, ok=(0, 1), columns=100)


@pytest.fixture(scope="module")
def described(call):
    return json.loads(call("-c", CODE, str(ROOT / "docs" / "make" / "reference.py")))


def test_it_compares_on_the_terminal_on_the_page_and_in_json(call, with_judge, described):
    words = ["-m", "justesse", "compare", "rows.csv", "--incumbent", "old", "--candidate", "new", "--judge", "toy"]
    assert "Replace the incumbent" in call(*words, "--report", "page.html")
    assert re.search(r"<td>judge</td>\s*<td>toy</td>|>judge</t[dh]>\s*<td[^>]*>toy<", with_judge.read("page.html"))
    printed = json.loads(call(*words, "--json"))
    assert printed["judge"] == "toy"
    jsonschema.validate(printed, described["schemas"]["compare"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**printed, "judge": "tin"}, described["schemas"]["compare"])


def test_it_takes_part_in_tournaments(call, with_judge, described):
    words = ["-m", "justesse", "tournament", "rows.csv", "--judge", "paired,toy"]
    shown = call(*words, "--report", "page.html")
    assert any(line.startswith("toy ") for line in shown.splitlines())
    assert re.search(r"<t[dh][^>]*>toy</t[dh]>", with_judge.read("page.html"))
    printed = json.loads(call(*words, "--json"))
    assert [judge["judge"] for judge in printed["rounds"][0]["judges"]] == ["paired", "toy"]
    jsonschema.validate(printed, described["schemas"]["tournament"])
    printed["rounds"][0]["judges"][0]["judge"] = "tin"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(printed, described["schemas"]["tournament"])


def test_help_errors_and_the_documentation_know_it(call, described):
    compare = call("-m", "justesse", "compare", "--help")
    assert "toy: replaces by whatever is new." in " ".join(compare.replace("│", " ").split())
    assert "toy" in call("-m", "justesse", "tournament", "--help")
    assert "Unknown judge 'tin'. Judges: toy, classical" in described["refused"]
    assert "| a candidate to play with | new toys are better | the old toy was better |" in described["table"]
    assert described["doc"].startswith("Replace, unless")


@pytest.mark.parametrize(
    "command",
    [
        "evaluate rows.csv --label label --prediction new",
        "compare rows.csv --label label --incumbent old --candidate new --judge classical --no-gate",
        "tournament rows.csv --judge classical",
    ],
)
def test_nobody_loads_audits_who_does_not_audit(call, command):
    code = (
        "import sys; from justesse.cli.main import main; main(sys.argv[1:]); "
        "assert not [name for name in sys.modules if name.startswith('justesse.judges.') and 'audit' in name]"
    )
    call("-c", code, *command.split(), ok=(0,))
