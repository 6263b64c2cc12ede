"""Start-up is light."""

import subprocess
import sys

import pytest

HEAVY = ("sklearn", "altair", "duckdb", "pyarrow", "pandas", "polars", "scipy", "narwhals", "sqlalchemy")


def loaded(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules, file=sys.stderr)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.split(".")[0] for name in done.stderr.split()}


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["--help"],
        ["plan", "--help"],
        ["evaluate", "--help"],
        ["noise", "--help"],
        ["noise", "bounds", "--help"],
        ["noise", "resist", "--help"],
        ["assess", "--help"],
        ["audit", "start", "--help"],
        ["inspect", "--help"],
    ],
)
def test_version_and_help_load_nothing_heavy(words):
    assert not loaded(f"from justesse.cli.main import main\nassert main({words!r}) == 0") & set(HEAVY)


def test_importing_the_library_loads_nothing_heavy():
    assert not loaded("import justesse") & set(HEAVY)


def test_evaluating_loads_no_models_charts_or_scipy_stats(write):
    path = write("a.csv", "label,prediction\n" + "a,a\nb,b\na,b\n" * 20)
    modules = loaded(f"from justesse.cli.main import main\nassert main(['evaluate', {str(path)!r}]) == 0")
    assert not modules & {"sklearn", "altair", "pandas", "polars", "scipy"}


def test_python_dash_m(capfd):
    done = subprocess.run([sys.executable, "-m", "justesse", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0.1.0"
