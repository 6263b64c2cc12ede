"""The data of `justesse demo --lifelong`: three systems that classify messages whose classes change over six months."""

import csv
import random
from collections.abc import Callable, Sequence
from math import cos, pi, sin
from pathlib import Path

Message = tuple[tuple[float, float], str]
MONTHS = range(1, 7)
TRAINED, TESTED = 150, 160  # messages of each month
TURN = pi / 9  # how far the boundary between the classes turns each month
SYSTEMS: dict[str, Callable[[int], Sequence[int]]] = {
    "static": lambda month: [1],
    "cumulative": lambda month: range(1, month + 1),
    "last": lambda month: [month],
}


def draw(month: int, n: int, rng: random.Random) -> list[Message]:
    """Draw messages of one month: two features, and whether the message is urgent.

    >>> draw(1, 2, random.Random(4))[0][1]
    'normal'
    """
    angle, rows = (month - 1) * TURN, []
    for _ in range(n):
        x, y = rng.gauss(0, 1), rng.gauss(0, 1)
        score = x * cos(angle) + y * sin(angle) + rng.gauss(0, 0.3)
        rows.append(((x, y), "urgent" if score > 0 else "normal"))
    return rows


def write_messages(directory: Path) -> dict[str, Path]:
    """Train every version of the three systems, and write a file of answers for each system."""
    from sklearn.linear_model import LogisticRegression

    rng = random.Random(4)
    training = {month: draw(month, TRAINED, rng) for month in MONTHS}
    tests = {month: draw(month, TESTED, rng) for month in MONTHS}
    files = {}
    for name, learns_from in SYSTEMS.items():
        files[name] = directory / f"{name}.csv"
        with open(files[name], "w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["id", "version", "trained", "date", "label", "prediction"])
            for version in MONTHS:
                features, labels = zip(
                    *(message for month in learns_from(version) for message in training[month]), strict=True
                )
                model = LogisticRegression().fit(features, labels)
                for month in MONTHS:
                    answers = model.predict([features for features, _ in tests[month]])
                    for at, ((_, label), answer) in enumerate(zip(tests[month], answers, strict=True)):
                        dates = f"2024-{version:02}-05", f"2024-{month:02}-{6 + at % 20:02}"
                        writer.writerow([f"{month}-{at}", f"v{version}", *dates, label, answer])
    return files
