"""How many planted copies the leak checks find, and how often they cry wolf."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.frames.fingerprints import shared_rows
from justesse.frames.near_duplicates import near_duplicates
from justesse.frames.sides import side
from justesse.procedures.disjoint import check_shared
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


def leaks(repetitions: int = 30) -> Iterator[str]:
    """Write the part of the page."""
    yield "## Copies between training and test\n"
    yield (
        f"`justesse inspect`, {TEST} test and {TRAIN:,} training sentences of {WORDS} words, {PLANTED} test rows planted as "
        "changed copies. Recall in %; in brackets, how many of the 400 other rows were reported.\n"
    )
    rows = []
    for name, change in CHANGES.items():
        found = texts(change)
        rows.append([name, *(f"{100 * one.recall:.1f} ({one.false_alarms})" for one in found.values())])
    yield table(["change", *found], rows)
    yield (
        "`near` asks for that share of common pieces: what has less is not missed but not asked for. A word replaced in a "
        "sentence of fifteen leaves some .8 of the pieces.\n"
    )
    yield "The same with eight columns of numbers, each moved by up to a share of its size.\n"
    rows = []
    for moved in (0.0, 1e-12, 1e-7, 1e-5, 1e-3):
        counted = numbers(moved)
        rows.append([f"{moved:g}", *(f"{100 * one.recall:.1f} ({one.false_alarms})" for one in counted.values())])
    yield table(["moved by", *counted], rows)
    yield "Rounding loses a copy when one of its numbers falls on the other side of a rounding step: fewer digits lose fewer.\n"
    yield (
        f"How often JU001 fails on 200 test and 1,000 training rows, in % of {repetitions} repetitions: where equal rows come "
        "about by chance it must not, and where chance makes too many it must say that it does not apply.\n"
    )
    rows = []
    for kind in KINDS:
        for leaked in (0, 10, 50):
            shares = alarms(kind, leaked=leaked, repetitions=repetitions)
            rows.append([kind, str(leaked), *(f"{100 * share:.0f}" for share in shares.values())])
    yield table(["columns", "rows leaked", "failed", "passed", "not applicable"], rows)
    yield (
        "Where every column is coarse and they go together, equal rows between test and training are held against those "
        "within training, and a small leak hides: name an id or more columns there.\n"
    )
