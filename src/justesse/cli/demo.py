"""`justesse demo`: two models on data that ships with scikit-learn, then the commands a user would type."""

import csv
from pathlib import Path

from justesse.cli.output import say
from justesse.core.errors import FileError


def demo(to: Path = Path("demo")) -> int:
    """Train two models on handwritten digits, then evaluate and compare them.

    The models are from scikit-learn. All files go to one directory, and each command is shown before it runs.

    Parameters
    ----------
    to
        Directory for the files. Default: demo.
    """
    from justesse.cli.main import main

    print("Training two models on half of 1,797 handwritten digits; the other half is the test set.")
    files = train(to)
    page = to / "report.html"
    for name, file in files.items():
        words = ["evaluate", str(file)] + (["--by", "ink", "--report", str(page)] if name == "candidate" else [])
        _announce(words, f"    # {name}")
        if main(words):
            return 2
    print("\nHow many labelled digits would it take to know an accuracy of 0.95 to ±1 point?")
    plan = ["plan", "precision", "--expected", "0.95", "--half-width", "0.01"]
    _announce(plan)
    if main(plan):
        return 2
    print("\nShould the candidate replace the incumbent, if a gain of one error per 100 digits matters?")
    verdict = to / "comparison.html"
    words = ["compare", *map(str, files.values()), "--on", "id", "--by", "ink", "--margin", "0.01"]
    words += ["--report", str(verdict)]
    _announce(words)
    code = main(words)
    print()
    say(f"The answers are in {to}/. Try --json, --by ink, --level 0.99 on them.")
    say(f"Open {page} and {verdict} in a browser. They work offline.")
    return 2 if code == 2 else 0


def _announce(words: list[str], remark: str = "") -> None:
    print()
    say(f"$ justesse {' '.join(words)}{remark}")
    print(flush=True)


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
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(
            f"The directory {directory} cannot be made: {error.strerror}. Choose another with --to"
        ) from error
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
