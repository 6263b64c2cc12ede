"""`justesse demo`: two models on data that ships with scikit-learn, then the commands a user would type."""

import csv
import io
import json as jsons
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from justesse.cli.demo_messages import write_messages
from justesse.cli.output import print_json, say
from justesse.core.errors import FileError
from justesse.core.version import SCHEMA, __version__
from justesse.report.writing import message


@dataclass(frozen=True)
class Step:
    """A command of the demo, what it is for, and where its result is in the JSON."""

    words: list[str]
    place: tuple[str, ...]
    question: str = ""
    remark: str = ""


def demo(
    to: Path = Path("demo"),
    *,
    lifelong: bool = False,
    json: bool = False,
    format: Literal["terminal", "markdown"] = "terminal",
) -> int:
    """Train two models on handwritten digits, then evaluate and compare them.

    The models are from scikit-learn. All files go to one directory, and each command is shown before it runs.

    For example:

      justesse demo

      justesse demo --to digits --json

      justesse demo --lifelong

    Parameters
    ----------
    to
        Directory for the files. Default: demo.
    lifelong
        Systems that are trained again every month instead: three of them, on simulated messages of six months.
    json
        Print JSON with stable keys, for programs: what each command prints with --json.
    format
        terminal, or markdown for pull requests and wikis. Default: terminal.
    """
    _make(to)
    if json:
        return _print_results(lifelong_steps(to) if lifelong else steps(to, train(to)))
    in_markdown = format == "markdown"
    if lifelong:
        print("Training three systems on simulated messages of six months, a version a month.")
    else:
        print("Training two models on half of 1,797 handwritten digits; the other half is the test set.")
    for step in lifelong_steps(to) if lifelong else steps(to, train(to)):
        if step.question:
            print()
            say(step.question)
        print()
        prompt = f"$ justesse {' '.join(step.words)}{step.remark}"
        say(f"    {prompt}" if in_markdown else prompt)  # indented by four: code
        print(flush=True)
        if _run([*step.words, "--format", "markdown"] if in_markdown else step.words) == 2:
            return 2
    print()
    tries = "--json, --policy past" if lifelong else "--json, --by ink"
    say(message(f"The answers are in {{folder}}/. Try {tries}, --level 0.99 on them.", folder=to))
    pages = {"first": to / "report.html", "second": to / "comparison.html"}
    say(message("Open {first} and {second} in a browser. They work offline.", **pages))
    return 0


def steps(to: Path, files: dict[str, Path]) -> list[Step]:
    """List the commands of the demo."""
    evaluations = [
        Step(["evaluate", str(file)], ("evaluate", name), remark=f"    # {name}") for name, file in files.items()
    ]
    evaluations[-1].words.extend(["--by", "ink", "--report", str(to / "report.html")])
    compared = ["compare", *map(str, files.values()), "--on", "id", "--by", "ink", "--margin", "0.01"]
    return [
        *evaluations,
        Step(
            ["plan", "precision", "--expected", "0.95", "--half-width", "0.01"],
            ("plan",),
            "How many labelled digits would it take to know an accuracy of 0.95 to ±1 point?",
        ),
        Step(
            [*compared, "--report", str(to / "comparison.html")],
            ("compare",),
            "Should the candidate replace the incumbent, if a gain of one error per 100 digits matters?",
        ),
    ]


def lifelong_steps(to: Path) -> list[Step]:
    """List the commands about systems that keep learning."""
    files = write_messages(to)
    score = ["lifelong", "score", str(files["last"]), "--trained", "trained", "--policy", "recent"]
    compared = ["lifelong", "compare", str(files["cumulative"]), str(files["last"]), "--trained", "trained"]
    return [
        Step(
            [*score, "--report", str(to / "report.html")],
            ("lifelong_score",),
            "How good is the system that learns from the last month only, if recent months matter more?",
        ),
        Step(
            [*compared, "--policy", "recent", "--report", str(to / "comparison.html")],
            ("lifelong_compare",),
            "Should it replace the system that learns from all months so far?",
        ),
    ]


def _run(words: list[str]) -> int:
    from justesse.cli.main import main

    return main(words)


def _print_results(commands: list[Step]) -> int:
    """Print one object with what each command prints."""
    results: dict[str, Any] = {"schema": SCHEMA, "version": __version__, "run": {}}
    for step in commands:
        with redirect_stdout(io.StringIO()) as printed:
            code = _run([*step.words, "--json"])
        if code == 2:
            return 2
        place = results
        for name in step.place[:-1]:
            place = place.setdefault(name, {})
        place[step.place[-1]] = jsons.loads(printed.getvalue())
    print_json(results)
    return 0


def _make(directory: Path) -> None:
    if directory.is_file():
        raise FileError(f"{directory} is a file, not a directory. Choose a directory with --to.")
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(
            f"Directory {directory} cannot be created: {error.strerror}. Choose another with --to."
        ) from error


def train(directory: Path) -> dict[str, Path]:
    """Fit both models and write one file of answers each."""
    from sklearn.datasets import load_digits
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    digits = load_digits()
    rows = range(len(digits.target))
    train_x, test_x, train_y, test_y, _, test_rows = train_test_split(
        digits.data, digits.target, rows, test_size=0.5, stratify=digits.target, random_state=0
    )
    models = {
        "incumbent": GaussianNB(),
        "candidate": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    }
    files = {}
    usual = digits.data.sum(axis=1).mean()
    for name, model in models.items():
        answers = model.fit(train_x, train_y).predict(test_x)
        files[name] = directory / f"{name}.csv"
        with open(files[name], "w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["id", "label", "prediction", "ink"])
            inks = ("heavy" if pixels.sum() > usual else "light" for pixels in test_x)
            writer.writerows(zip(test_rows, test_y, answers, inks, strict=True))
    return files
