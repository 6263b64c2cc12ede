"""How many planted copies the leak checks find, and how often they cry wolf."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine

from justesse.frames.fingerprints import shared_rows
from justesse.frames.near_duplicates import near_duplicates
from justesse.frames.sides import side
from justesse.procedures.disjoint import check_repeated, check_shared
from studies.data import data_file
from studies.tables import table

LETTERS = np.array(list("abcdefghijklmnopqrstuvwxyz"))
TRAIN, TEST, PLANTED, WORDS = 3000, 600, 200, 15
NEAR = (0.8, 0.7)
Change = Callable[[np.random.Generator, list[str]], str]


@dataclass(frozen=True)
class Caught:
    """The share of planted rows found, and how many of the others were reported too."""

    recall: float
    false_alarms: int


def words_replaced(many: int) -> Change:
    def change(rng: np.random.Generator, words: list[str]) -> str:
        new = list(words)
        for at in rng.choice(len(words), many, replace=False):
            new[at] = "".join(rng.choice(LETTERS, 6))
        return " ".join(new)

    return change


def letters_mistyped(many: int) -> Change:
    def change(rng: np.random.Generator, words: list[str]) -> str:
        text = list(" ".join(words))
        for at in rng.choice(len(text), many, replace=False):
            text[at] = str(rng.choice(LETTERS))
        return "".join(text)

    return change


CHANGES: dict[str, Change] = {
    "none": lambda rng, words: " ".join(words),
    "capitals, punctuation, spacing": lambda rng, words: f" {', '.join(words).title()} !",
    "1 letter mistyped": letters_mistyped(1),
    "3 letters mistyped": letters_mistyped(3),
    "1 word of 15 replaced": words_replaced(1),
    "2 words of 15 replaced": words_replaced(2),
    "4 words of 15 replaced": words_replaced(4),
    "two words added": lambda rng, words: " ".join(["also", *words, "today"]),
}


def sentences(rng: np.random.Generator, vocabulary: Any, n: int) -> list[list[str]]:
    share = 1 / np.arange(1, len(vocabulary) + 1)
    drawn = rng.choice(len(vocabulary), (n, WORDS), p=share / share.sum())
    return [list(map(str, row)) for row in vocabulary[drawn]]


def texts(change: Change, seed: int = 0) -> dict[str, Caught]:
    """Plant changed copies among sentences whose words are as frequent as words are."""
    rng = np.random.default_rng(seed)
    vocabulary = np.array(["".join(rng.choice(LETTERS, rng.integers(2, 9))) for _ in range(5000)])
    train, test = sentences(rng, vocabulary, TRAIN), [" ".join(one) for one in sentences(rng, vocabulary, TEST)]
    test[:PLANTED] = [change(rng, words) for words in train[:PLANTED]]
    ours, theirs = side({"x": test}, "test"), side({"x": [" ".join(words) for words in train]}, "train")
    found = {
        "equal (JU001)": shared_rows(ours, theirs, ["x"]).rows,
        "written alike (JU002)": shared_rows(ours, theirs, ["x"], how="written alike").rows,
        **{f"near, {near:g} (JU003)": near_duplicates(ours, theirs, "x", near=near).rows for near in NEAR},
    }
    return {name: caught(rows) for name, rows in found.items()}


def numbers(moved: float, seed: int = 0, columns: int = 8) -> dict[str, Caught]:
    """Plant copies whose numbers moved by a share of their size."""
    rng = np.random.default_rng(seed)
    train, test = rng.normal(size=(TRAIN, columns)), rng.normal(size=(TEST, columns))
    test[:PLANTED] = train[:PLANTED] * (1 + moved * rng.uniform(-1, 1, (PLANTED, columns)))
    names = [f"x{at}" for at in range(columns)]
    ours, theirs = (
        side(dict(zip(names, rows.T, strict=True)), part) for rows, part in ((test, "test"), (train, "train"))
    )
    found = {"equal (JU001)": shared_rows(ours, theirs, names).rows}
    for digits in (6, 4, 3):
        found[f"{digits} digits (JU002)"] = shared_rows(ours, theirs, names, how="written alike", digits=digits).rows
    return {name: caught(rows) for name, rows in found.items()}


def caught(rows: Any) -> Caught:
    return Caught(float((rows < PLANTED).sum() / PLANTED), int((rows >= PLANTED).sum()))


def draw(kind: str, rng: np.random.Generator, n: int) -> dict[str, Any]:
    """Draw rows without any leak."""
    if kind == "4 columns of numbers":
        return {f"x{at}": rng.normal(size=n) for at in range(4)}
    if kind == "4 columns of 12 values":
        return {f"x{at}": rng.integers(0, 12, n) for at in range(4)}
    if kind == "3 columns of 4 values":
        return {f"x{at}": rng.integers(0, 4, n) for at in range(3)}
    common = rng.integers(0, 12, n)  # columns that go together
    return {f"x{at}": np.where(rng.random(n) < 0.5, common, rng.integers(0, 12, n)) for at in range(4)}


def bundled(load: Any, most: int = 5000) -> pd.DataFrame:
    """Give a set that scikit-learn brings along; a number to predict is cut at its median."""
    x, y = load(return_X_y=True)
    names = [f"x{at}" for at in range(x.shape[1])]
    return pd.DataFrame(x, columns=names).assign(y=y > np.median(y) if len(np.unique(y)) > 20 else y).head(most)


def electricity() -> pd.DataFrame:
    """Give 5,000 half hours in a row, without the day that tells them apart."""
    rows = pd.read_csv(data_file("lifelong/elec2_dated.csv.gz"), nrows=5000)
    return rows.drop(columns=["day_index", "date"]).rename(columns={"up": "y"})


def answers() -> pd.DataFrame:
    """Give what ten networks answer to 2,000 images."""
    rows = pd.read_parquet(data_file("cifar10/predictions.parquet")).head(2000)
    return rows[rows.columns[4:14]].assign(y=rows["label"])


def votes() -> pd.DataFrame:
    """Give how many people chose each class, for every page of a crowd's answers."""
    rows = pd.read_csv(data_file("crowd/web/label.csv"))
    counted = pd.crosstab(rows["item"], rows["label"]).add_prefix("class_")
    return counted.assign(y=pd.read_csv(data_file("crowd/web/truth.csv")).set_index("item")["truth"]).reset_index(
        drop=True
    )


def crowd() -> pd.DataFrame:
    """Give who answered what about which of 108 pictures."""
    return pd.read_csv(data_file("crowd/bluebird/label.csv")).rename(columns={"label": "y"})


REAL: dict[str, Callable[[], pd.DataFrame]] = {
    "iris": partial(bundled, load_iris),
    "wine": partial(bundled, load_wine),
    "breast cancer": partial(bundled, load_breast_cancer),
    "digits": partial(bundled, load_digits, 1000),
    "diabetes": partial(bundled, load_diabetes),
    "electricity": electricity,
    "answers of ten networks": answers,
    "votes of a crowd": votes,
    "answers of a crowd": crowd,
}
BINS = (None, 12, 4)
FEW = 15  # columns up to which copies are planted: with more it takes minutes


@cache
def real_rows(name: str, bins: int | None) -> pd.DataFrame:
    """Give a real set, or its numbers cut into so many classes of equal width; its labels are in `y`."""
    rows = REAL[name]()
    if bins:
        x = rows[features(rows)]
        low, high = x.min(), x.max()
        rows = rows.assign(**((x - low) / (high - low).where(high > low, 1) * bins).clip(upper=bins - 1).astype(int))
    return rows


def features(rows: pd.DataFrame) -> list[str]:
    return [name for name in rows.columns if name != "y"]


def measured(name: str) -> bool:
    """Say whether the set's columns are measurements, which can be cut into classes and moved."""
    return name not in ("answers of ten networks", "votes of a crowd", "answers of a crowd")


def real_split(name: str, bins: int | None, *, leaked: int, moved: float = 0.0, seed: int = 0) -> dict[str, str]:
    """Split a real set at random, a quarter into the test, plant copies if asked, and give the state of each check."""
    rows = real_rows(name, bins)
    names = features(rows)
    order = np.random.default_rng([seed, leaked]).permutation(len(rows))
    test, train = rows.iloc[order[: len(rows) // 4]], rows.iloc[order[len(rows) // 4 :]]
    copied = train[:leaked]
    if moved:
        copied = copied.assign(**(copied[names] * (1 + moved)))
    ours_side, theirs_side = side(pd.concat([copied, test[leaked:]]), "test"), side(train, "train")
    options: Any = {"digits": 6, "label": "y"}
    exact = check_shared(ours_side, theirs_side, names, how="exact", **options)
    known = shared_rows(ours_side, theirs_side, names).rows.tolist()
    alike = check_shared(ours_side, theirs_side, names, how="written alike", known=known, **options)
    again = check_repeated(ours_side, names, train=theirs_side, **options)
    return {check.code: check.state for check in (exact, alike, again)}


def real_alarms(name: str, bins: int | None, *, leaked: int, moved: float = 0.0, repetitions: int) -> float:
    """Give how often a check fails over random splits: any of them without a leak, JU001 or JU002 with one."""
    codes = ("JU001", "JU002", "JU004") if not leaked else ("JU001", "JU002")
    states = [real_split(name, bins, leaked=leaked, moved=moved, seed=seed) for seed in range(repetitions)]
    return float(np.mean([any(one[code] == "failed" for code in codes) for one in states]))


KINDS = ("4 columns of numbers", "4 columns of 12 values", "the same, going together", "3 columns of 4 values")


def alarms(kind: str, *, leaked: int, repetitions: int, seed: int = 0) -> dict[str, float]:
    """Give how often the check fails, passes or does not apply, with so many rows leaked."""
    states = []
    for at in range(repetitions):
        rng = np.random.default_rng([seed, at])
        train, test = draw(kind, rng, 1000), draw(kind, rng, 200)
        test = {name: np.concatenate([train[name][:leaked], values[leaked:]]) for name, values in test.items()}
        ours, theirs = side(test, "test"), side(train, "train")
        states.append(check_shared(ours, theirs, list(test), how="exact", digits=6, label=None).state)
    return {state: states.count(state) / repetitions for state in ("failed", "passed", "not applicable")}


def leaks() -> Iterator[str]:
    """Write the part of the page."""
    yield "## Copies between training and test\n"
    yield (
        f"`justesse inspect`, {TEST} test and {TRAIN:,} training sentences of {WORDS} words, {PLANTED} test rows "
        f"planted as "
        "changed copies. Share of the planted rows found, in %; in brackets, how many of the 400 other rows were reported. "
        "False alarms are in the table of tests above (JU001 to JU004).\n"
    )
    rows = []
    for name, change in CHANGES.items():
        found = texts(change)
        rows.append([name, *(f"{100 * one.recall:.1f} ({one.false_alarms})" for one in found.values())])
    yield table(["change", *found], rows)
    yield (
        "`near` requires that share of common pieces; copies with less are not reported. A word replaced in a "
        "sentence of fifteen leaves about .8 of the pieces.\n"
    )
    yield "The same with eight columns of numbers, each changed by up to a share of its size.\n"
    rows = []
    for moved in (0.0, 1e-12, 1e-7, 1e-5, 1e-3):
        counted = numbers(moved)
        rows.append([f"{moved:g}", *(f"{100 * one.recall:.1f} ({one.false_alarms})" for one in counted.values())])
    yield table(["moved by", *counted], rows)
    yield "Rounding misses a copy if one of its numbers crosses a rounding step; fewer digits miss fewer.\n"
