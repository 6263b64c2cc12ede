"""Evaluating a small file loads what it needs, and nothing else."""

import subprocess
import sys

import pytest

ROOMS = "annotators charts cleaning judges lifelong store"
VERBS = "ab assess audit compare compare_folds inspect noise plan regression tournament"
LIBRARIES = (
    "altair jinja2 joblib matplotlib narwhals pandas polars pyarrow rich scipy sklearn sqlalchemy vl_convert yaml"
)
PARTS = (
    "justesse.frames.joined justesse.frames.scores justesse.intervals.prediction_powered justesse.measures.curves justesse.noise.recheck justesse.report.document "
    "justesse.report.html justesse.verbs.evaluate.document justesse.verbs.evaluate.scores difflib "
    "justesse.core.case justesse.frames.any_of justesse.noise.transition justesse.noise.sample_design numpy.ma"
)
NOT_NEEDED = [*(f"justesse.{room}" for room in ROOMS.split()), *(f"justesse.verbs.{verb}" for verb in VERBS.split()),
              *LIBRARIES.split(), *PARTS.split()]  # fmt: skip


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    path = tmp_path_factory.mktemp("start") / "small.csv"
    path.write_text("label,prediction\n" + ("a,a\nb,b\n" * 4 + "a,b\n") * 10)
    code = f"from justesse.cli.main import main\nassert main(['evaluate', {str(path)!r}, '--json']) == 0\n"
    code += "import sys\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize("name", NOT_NEEDED)
def test_evaluating_a_csv_as_json_does_not_load(name, loaded):
    assert name not in loaded


def test_what_it_needs_is_loaded(loaded):
    assert {"numpy", "duckdb", "cyclopts", "justesse.verbs.evaluate.evaluate"} <= loaded
