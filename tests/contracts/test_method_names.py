"""Every name of a method that a user can meet is explained, in one place."""

import ast
import importlib.util
import sys
from pathlib import Path
from typing import get_args

import justesse
from justesse.core.choices import PlainMethod, ProportionMethod
from justesse.core.results import Estimate, Interval
from justesse.intervals.methods import METHODS, method_words
from justesse.noise.moved_rows import Strata
from justesse.report.document import Document
from justesse.report.html import as_page

SOURCE = Path(justesse.__file__).parent
DOCS = Path(__file__).parents[2] / "docs"
FILLED = {"f'recheck-{strata}'": [f"recheck-{strata}" for strata in get_args(Strata)],
          "f'{OVERLAP} {better.method}'": ["overlap of wilson"], "f'{estimate.interval.method}, moved'": ["wilson, moved"],
          "f'cluster-bootstrap-{method}'": [f"cluster-bootstrap-{how}" for how in ("percentile", "bca")],
          "f'{confidence.method}-jaccard'": [f"{name}-jaccard" for name in get_args(PlainMethod)]}  # fmt: skip


def constants(tree):
    return {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def names_in(path):
    """Give every name that the code of a file hands to an interval."""
    tree = ast.parse(path.read_text())
    known = constants(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        function = getattr(node.func, "id", getattr(node.func, "attr", ""))
        arguments = [*node.args, *(word.value for word in node.keywords if word.arg == "method")]
        if function == "replace":
            arguments = arguments[len(node.args) :]
        elif function not in ("Interval", "Ends"):
            continue
        for argument in arguments:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield argument.value
            elif isinstance(argument, ast.JoinedStr):
                yield from FILLED[ast.unparse(argument)]
            elif isinstance(argument, ast.Name) and argument.id in known:
                yield known[argument.id]


def test_every_interval_bears_a_name_that_is_explained():
    names = {name for path in SOURCE.rglob("*.py") for name in names_in(path) if isinstance(name, str)}
    names |= (
        set(get_args(ProportionMethod))
        | {f"bootstrap-{how}" for how in ("percentile", "bca", "smoothed")}
        | {"student-nadeau-bengio"}
    )
    assert len(names) > 25
    assert sorted(name for name in names if not method_words(name)) == []
    for method in METHODS:
        assert method.explanation[0].isupper()
        assert method.explanation.endswith(".")
        assert method.reference


def test_the_reference_lists_every_name(tmp_path):
    sys.path.insert(0, str(DOCS / "make"))
    try:
        place = importlib.util.spec_from_file_location("reference_pages", DOCS / "make" / "reference.py")
        pages = importlib.util.module_from_spec(place)
        place.loader.exec_module(pages)
    finally:
        sys.path.remove(str(DOCS / "make"))
    page = pages.names_page()
    for name in [*(method.name for method in METHODS), *justesse.significance.TITLES]:
        assert f"| `{name}` |" in page
    assert "reference/methods.md" in (DOCS.parent / "mkdocs.yml").read_text()


def test_a_page_explains_the_methods_it_uses():
    interval = Interval(0.4, 0.6, 0.95, "mover")
    estimate = Estimate("balanced_accuracy", 0.5, 100, interval)
    page = as_page(Document("Example", "Half.", [], {"measures": [estimate.to_dict()]}))
    assert "Interval method mover: Interval of a mean of shares" in page
    assert "Interval method wilson" not in page
