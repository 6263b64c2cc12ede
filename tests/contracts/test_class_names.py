"""One meaning per name: no two classes of the package share one."""

import ast
from collections import defaultdict
from pathlib import Path

import justesse

PACKAGE = Path(justesse.__file__).parent


def test_no_two_classes_have_the_same_name():
    places = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path.relative_to(PACKAGE)))
    assert len(places) > 200
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
