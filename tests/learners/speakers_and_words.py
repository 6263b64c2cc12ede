"""Systems that transcribe or say who speaks, and streams for them."""

import json
from itertools import pairwise

import numpy as np


class Dictionary:
    """Translates word by word with what it has learnt, and asks about the first items."""

    def __init__(self, each=3):
        self.each, self.known, self.asked = each, {}, 0

    def predict(self, items):
        return [" ".join(self.known.get(word, "?") for word in item.values["source"].split()) for item in items]

    def adapt(self, items, because):
        self.asked = 0 if because == "batch" else self.asked
        for item in items:
            if item.label is not None:
                pairs = zip(item.values["source"].split(), item.label.split(), strict=False)
                self.known.update(pairs)

    def ask(self, items, most):
        if self.asked:
            return []
        self.asked = 1
        return [item.id for item in items[: self.each]]


def sentences(periods=4, each=16, seed=0):
    """Sentences in a language whose words change their meaning one after the other."""
    rng = np.random.default_rng(seed)
    rows = {"id": [], "time": [], "source": [], "label": []}
    for period in range(periods):
        for at in range(each):
            words = rng.integers(0, 12, rng.integers(4, 9))
            rows["id"].append(f"{period}-{at}")
            rows["time"].append(period)
            rows["source"].append(" ".join(f"s{word}" for word in words))
            rows["label"].append(" ".join(f"w{word + 20 * period * (word % 4 == period)}" for word in words))
    return rows


class Voices:
    """Knows voices by name once it was told; voices that it does not know are one speaker to it."""

    def __init__(self, each=2):
        self.each, self.known, self.asked = each, {}, 0

    def predict(self, items):
        return [
            [[self.known.get(voice, "?"), start, end] for voice, start, end in json.loads(item.values["turns"])]
            for item in items
        ]

    def adapt(self, items, because):
        self.asked = 0 if because == "batch" else self.asked
        for item in items:
            for name, low, high in item.label or []:
                for voice, start, end in json.loads(item.values["turns"]):
                    if max(low, start) + 0.4 < min(high, end):
                        self.known[voice] = name

    def ask(self, items, most):
        if self.asked:
            return []
        self.asked = 1
        return [item.id for item in items[: self.each]]


def recordings(folder, periods=4, each=6, seed=0):
    """Recordings of three people out of ten, of whom more come every period, and the RTTM file of the truth."""
    rng = np.random.default_rng(seed)
    rows = {"id": [], "time": [], "turns": []}
    lines = []
    for period in range(periods):
        for at in range(each):
            cuts = np.concatenate([[0], np.cumsum(rng.integers(2, 8, 6))]) / 2
            names = [f"p{name}" for name in rng.integers(0, 3 + 2 * period, 6)]
            turns = []
            for name, (start, end) in zip(names, pairwise(cuts.tolist()), strict=True):
                lines.append(f"SPEAKER r{period}-{at} 1 {start} {end - start} <NA> <NA> {name} <NA> <NA>")
                turns.append([f"v{name}", start, max(start + 0.5, end - 0.5 * float(rng.random() < 0.2))])
            rows["id"].append(f"r{period}-{at}")
            rows["time"].append(period)
            rows["turns"].append(json.dumps(turns))
    path = folder / "right.rttm"
    path.write_text("\n".join(lines) + "\n")
    return rows, path
