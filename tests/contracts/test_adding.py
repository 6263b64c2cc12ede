"""Adding a measure, a test, a section or a command takes few files, and it then shows everywhere."""

import json
import runpy
import sys
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).parents[2]
# 100 rows of ham: the incumbent calls 30 of them spam, the candidate 9; both find 80 of 100 spam
ROWS = "label,old,new\n" + "ham,spam,ham\n" * 21 + "ham,spam,spam\n" * 9 + "ham,ham,ham\n" * 70
ROWS += "spam,spam,spam\n" * 80 + "spam,ham,ham\n" * 20
ALONE = "label,prediction\n" + "ham,spam\n" * 30 + "ham,ham\n" * 70 + "spam,spam\n" * 80 + "spam,ham\n" * 20
FOLDS = "old,new\n0.80,0.83\n0.84,0.86\n0.79,0.84\n0.83,0.85\n0.82,0.83\n"
SCHEMA = "import json, sys; from justesse.verbs.schemas import schema; print(json.dumps(schema(sys.argv[1])))"
REFERENCE = "import runpy, sys; print(runpy.run_path(sys.argv[1])[sys.argv[2]]())"

MEASURE = '''"""False positive rate: of the rows not labelled k, the share predicted k.

>>> from justesse.core.tally import Tally
>>> fpr(Tally.from_dense([[8, 2], [1, 9]])).round(2).tolist()
[0.1, 0.2]
"""

from justesse.measures.ratio import Ratio, RatioCells

fpr = Ratio(
    "fpr",
    "every row has it as label",
    title="false positive rate",
    greater_is_better=False,
    numerator=RatioCells(predicted=1, hits=-1),
    denominator=RatioCells(n=1, labelled=-1),
)
'''


@pytest.fixture(scope="module")
def with_measure(house):
    lines = {
        "measures/__init__.py": (
            ("from justesse.measures.kappa import kappa\n", "from justesse.measures.fpr import fpr\n"),
            ("precision, recall, specificity, npv, f1)\n", "fpr, "),
        )
    }
    made = house({"measures/fpr.py": MEASURE}, lines, rows=ROWS, alone=ALONE)
    assert len(made.changed) <= 2
    return made


def test_a_new_measure_is_compared_in_its_own_direction(with_measure):
    words = ["compare", "rows.csv", "--incumbent", "old", "--candidate", "new", "--measure", "fpr:spam"]
    shown = with_measure.justesse(*words, "--report", "page.html")
    assert "Replace the incumbent with the candidate" in shown
    assert "The candidate's false positive rate of 'spam' is 0.2100 lower" in shown
    assert "alse positive rate of &#39;spam&#39;" in with_measure.read("page.html")
    printed = json.loads(with_measure.python("-m", "justesse", *words, "--json"))
    assert (printed["verdict"], printed["judge"]) == ("replace", "paired")
    assert printed["incumbent"]["value"] == pytest.approx(0.30)
    assert printed["candidate"]["value"] == pytest.approx(0.09)
    assert printed["difference"] == pytest.approx(0.21)
    jsonschema.validate(printed, json.loads(with_measure.python("-c", SCHEMA, "compare")))
    back = ["compare", "rows.csv", "--incumbent", "new", "--candidate", "old", "--measure", "fpr:spam"]
    assert json.loads(with_measure.python("-m", "justesse", *back, "--json", ok=(1,)))["verdict"] == "keep"


def test_judges_that_allow_for_wrong_labels_know_a_new_measure_by_its_rows(with_measure):
    words = ["compare", "rows.csv", "--incumbent", "old", "--candidate", "new", "--measure", "macro-fpr", "--json"]
    assert json.loads(with_measure.python("-m", "justesse", *words))["verdict"] == "replace"


def test_a_new_measure_is_evaluated_in_every_medium(with_measure):
    shown = with_measure.justesse("evaluate", "alone.csv", "--full", "--report", "page.html")
    assert "false positive rate" in shown
    assert "alse positive rate" in with_measure.read("page.html")
    assert "alse positive rate" in with_measure.justesse("evaluate", "alone.csv", "--format", "markdown", "--full")
    printed = json.loads(with_measure.python("-m", "justesse", "evaluate", "alone.csv", "--json"))
    (own,) = [one for one in printed["measures"] if (one["name"], one["class"]) == ("fpr", "spam")]
    assert own["value"] == pytest.approx(0.30)
    assert own["interval"]["method"] == "wilson"
    schema = json.loads(with_measure.python("-c", SCHEMA, "evaluate"))
    jsonschema.validate(printed, schema)
    own["name"] = "made up"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(printed, schema)


def test_help_errors_and_the_documentation_know_a_new_measure(with_measure):
    assert "fpr:CLASS" in with_measure.justesse("compare", "--help")
    code = "import justesse; justesse.compare('rows.csv', incumbent='old', candidate='new', measure='beauty')"
    refused = with_measure.python("-c", f"try:\n    {code}\nexcept Exception as error:\n    print(error)")
    assert "fpr:CLASS" in refused
    table = with_measure.python("-c", REFERENCE, str(ROOT / "docs/make/reference.py"), "measure_table")
    assert "| `fpr:CLASS` | false positive rate | lower |" in table
    assert with_measure.justesse("evaluate", "alone.csv", "--claim", "fpr:spam<=0.5", ok=(0, 1))


TEST = '''"""A toy test: the sign of the mean difference."""

import numpy as np

from justesse.core.results import Estimate, TestResult


def toy(incumbent, candidate):
    """Look at the sign of the mean difference. Toy (1999).

    >>> toy([0.5], [0.75]).pvalue
    0.5
    """
    value = float(np.mean(np.subtract(candidate, incumbent)))
    difference = Estimate("difference", value, len(candidate), undefined="no interval: a toy has none")
    return TestResult("toy-sign", value, 0.5, len(candidate), "two-sided", ("none", "at all"), difference)


def over_folds(pair):
    return toy(pair.incumbent, pair.candidate)
'''
ENTRY = """    SignificanceTest(
        "toy",
        {"toy-sign": "toy sign test"},
        "fold scores of both classifiers",
        "toys do not differ",
        "Toy (1999)",
        TWO_SIDED,
        option="toy",
    ),
"""


@pytest.fixture(scope="module")
def with_test(house):
    before = '    SignificanceTest(\n        "paired_equivalence",'
    made = house({"significance/toy.py": TEST}, {"significance/__init__.py": ((before, ENTRY),)}, folds=FOLDS)
    assert len(made.changed) <= 2
    return made


def test_a_new_test_is_chosen_and_shown(with_test):
    words = ["compare-folds", "folds.csv", "--test", "toy"]
    assert "p: toy sign test." in with_test.justesse(*words, "--report", "page.html")
    assert "toy sign test" in with_test.read("page.html")
    printed = json.loads(with_test.python("-m", "justesse", *words, "--json", ok=(0, 1)))
    assert (printed["test"], printed["pvalue"]) == ("toy-sign", 0.5)
    schema = json.loads(with_test.python("-c", SCHEMA, "compare"))
    jsonschema.validate(printed, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**printed, "test": "made up"}, schema)


def test_help_errors_the_library_and_the_documentation_know_a_new_test(with_test):
    assert "toy" in with_test.justesse("compare-folds", "--help")
    code = "import justesse; justesse.compare_folds('folds.csv', test='made up')"
    refused = with_test.python("-c", f"try:\n    {code}\nexcept Exception as error:\n    print(error)")
    assert "toy" in refused
    called = with_test.python("-c", "import justesse; print(justesse.significance.toy([0.5], [0.75]).pvalue)")
    assert called.strip() == "0.5"
    table = with_test.python("-c", REFERENCE, str(ROOT / "docs/make/reference.py"), "test_table")
    assert "toy sign test | fold scores of both classifiers | toys do not differ | two-sided | Toy (1999) |" in table


SECTION = '''def _toys(result: "Evaluation") -> Section:
    """Count the toys."""
    return Section("toys", "Toys", [Table("All toys", ["toy", Column("n", "count")], [["bear", 3]])], "headline")


'''


def test_a_new_section_is_one_function_and_shows_in_all_media(house):
    document = "verbs/evaluate/document.py"
    pieces = (("def _bounded(", SECTION), ("        _measures(result, level),\n", "        _toys(result),\n"))
    made = house({}, {document: pieces}, alone=ALONE)
    assert made.changed == (document,)
    for words in ((), ("--full",), ("--format", "markdown")):
        shown = made.justesse("evaluate", "alone.csv", *words)
        assert "All toys" in shown or "Toys" in shown
        assert "bear" in shown
    made.justesse("evaluate", "alone.csv", "--report", "page.html")
    assert "bear" in made.read("page.html")
    code = "import justesse; result = justesse.evaluate('alone.csv'); print(repr(result), result._repr_html_())"
    assert made.python("-c", code).count("bear") == 2


VERB = '''"""`justesse.toy`: count the rows of a file."""

from dataclasses import dataclass

from justesse.core.version import SCHEMA, __version__
from justesse.report.document import Document
from justesse.report.result import Result


@dataclass(frozen=True, repr=False)
class Toys(Result):
    """How many rows there are."""

    n: int

    def to_dict(self):
        return {"schema": SCHEMA, "version": __version__, "run": {}, "n": self.n}

    def to_columns(self):
        return {"n": [self.n]}

    def document(self):
        return Document("Toys", f"There are {self.n} toys.", [], self.to_dict(), name="toys")


def toy(data):
    """Count the rows of a file."""
    with open(data) as lines:
        return Toys(sum(1 for line in lines) - 1)
'''
COMMAND = '''"""`justesse toy`."""

from pathlib import Path

from justesse.cli.delivery import Delivery


def toy(data: Path, *, delivery: Delivery = Delivery()) -> None:
    """Count toys.

    Parameters
    ----------
    data
        File with a row for each toy.
    """
    from justesse.verbs.toy import toy as count_toys

    delivery.check(data)
    delivery.deliver(count_toys(data))
'''


def test_a_new_command_is_a_verb_a_file_and_a_line(house):
    line = (('    "demo": "demo:demo",\n', '    "toy": "toy:toy",\n'),)
    made = house({"verbs/toy.py": VERB, "cli/toy.py": COMMAND}, {"cli/main.py": line}, alone=ALONE)
    assert len(made.changed) <= 3
    assert "toy Count toys." in made.justesse("--help")
    assert "File with a row for each toy." in made.justesse("toy", "--help")
    assert "There are 200 toys." in made.justesse("toy", "alone.csv", "--report", "page.html")
    assert "There are 200 toys." in made.read("page.html")
    assert "There are 200 toys." in made.justesse("toy", "alone.csv", "--format", "markdown")
    printed = json.loads(made.python("-m", "justesse", "toy", "alone.csv", "--json"))
    assert printed["n"] == 200
    schema = json.loads(made.python("-c", SCHEMA, "toy"))
    assert schema["title"] == "What `justesse toy --json` prints"
    jsonschema.validate(printed, schema)
    for wrong in ({**printed, "n": "many"}, {**printed, "schema": 1}, {"n": 200}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


def test_every_function_of_a_room_is_in_the_reference():
    sys.path.insert(0, str(ROOT / "docs/make"))
    try:
        reference = runpy.run_path(str(ROOT / "docs/make/reference.py"))
    finally:
        sys.path.remove(str(ROOT / "docs/make"))
    import justesse

    pages = {room.name: reference["room_page"](room) for room in reference["ROOMS"]}
    assert set(pages) == set(justesse.ROOMS)
    for room, page in pages.items():
        package = getattr(justesse, room)
        names = getattr(package, "FUNCTIONS", None) or [name for name in package.__all__ if name[0].islower()]
        for name in names:
            assert f"justesse.{room}.{name}" in page, f"justesse.{room}.{name} is not in the reference"
