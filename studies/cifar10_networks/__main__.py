"""`python -m studies.cifar10_networks`: judge the networks, say what was found and whether that was expected."""

from pathlib import Path

from studies.cifar10_networks.answers import Answers, Settings
from studies.cifar10_networks.pairs import figures
from studies.cifar10_networks.run import (
    EXPECTED,
    candidate_rows,
    candidate_table,
    candidates,
    figure_rows,
    figure_table,
    surprises,
)
from studies.expected import load, save

FOLDER = Path("build") / "cifar10_networks"


def main() -> int:
    settings = Settings.read()
    found = candidates(settings)
    results = {
        "candidates": candidate_rows(found),
        "figures": figure_rows(figures(Answers.read(settings.path), settings)),
    }
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, rows in results.items():
        save(rows, FOLDER / f"{name}.csv")
    found.chart("verdicts").save(FOLDER / "verdicts.png", scale_factor=2)
    print(candidate_table(results["candidates"]), figure_table(results["figures"]), sep="\n")
    off = [line for name, rows in results.items() for line in surprises(rows, load(EXPECTED[name]))]
    print(f"Written: {FOLDER}. " + ("All is as expected." if not off else "Not as expected:"), *off, sep="\n")
    return 1 if off else 0


if __name__ == "__main__":
    raise SystemExit(main())
