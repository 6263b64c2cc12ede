"""Small systems that tests run: Python objects, and commands written to a file."""

import sys
import textwrap

import numpy as np


class Nearest:
    """Answers with the class of the nearest of the last labelled items, and asks about the first items."""

    def __init__(self, each=5, most=10, memory=60):
        self.each, self.most, self.memory = each, most, memory
        self.seen = []
        self.reasons = []
        self.batch = 0

    def predict(self, items):
        if not self.seen:
            return ["no"] * len(items)
        xs = np.array([x for x, _ in self.seen[-self.memory :]])
        labels = [label for _, label in self.seen[-self.memory :]]
        return [labels[int(np.argmin(np.abs(xs - item.values["x"])))] for item in items]

    def adapt(self, items, because):
        self.reasons.append((because, len(items)))
        if because == "batch":
            self.batch = 0
        self.seen += [(item.values["x"], item.label) for item in items if item.label is not None]

    def ask(self, items, most):
        if self.batch >= self.most:
            return []
        asked = [item.id for item in items[: self.each]]
        self.batch += len(asked)
        return asked


class Static(Nearest):
    """Never adapts after the initial data, and asks nothing."""

    def adapt(self, items, because):
        if because == "initial":
            super().adapt(items, because)

    def ask(self, items, most):
        return []


def rows(periods=5, each=40, seed=0):
    """Items whose boundary moves with time."""
    rng = np.random.default_rng(seed)
    time = np.repeat(np.arange(periods), each)
    x = rng.normal(size=len(time)) + time
    return {
        "id": [f"i{at}" for at in range(len(time))],
        "time": time.tolist(),
        "x": x.round(4).tolist(),
        "label": np.where(x > time, "yes", "no").tolist(),
    }


COMMAND = """
import json, sys, time

seen, asked = [], 0
for line in sys.stdin:
    message = json.loads(line)
    do, items, reply = message["do"], message.get("items", []), {}
    %s
    if do == "start":
        reply = {"can": CAN}
    elif do == "adapt":
        if message["because"] == "batch":
            asked = 0
        seen += [[item["values"]["x"], item["label"]] for item in items if "label" in item]
    elif do == "predict":
        reply = {"predictions": [min(seen[-60:], key=lambda pair: abs(pair[0] - item["values"]["x"]))[1] for item in items]}
    elif do == "ask":
        ids = [] if asked >= 10 else [item["id"] for item in items[:5]]
        asked += len(ids)
        reply = {"ask": ids}
    elif do == "save":
        json.dump([seen, asked], open(message["path"], "w"))
    elif do == "load":
        seen, asked = json.load(open(message["path"]))
    print(json.dumps(reply), flush=True)
"""


def command(folder, change="", can=(), name="system.py"):
    """Write a command that does what `Nearest` does, but for a change; return how it is typed."""
    body = COMMAND.replace("    %s\n", textwrap.indent(textwrap.dedent(change).strip("\n"), "    ") + "\n")
    path = folder / name
    path.write_text(f"CAN = {list(can)!r}\n{body}")
    return f"{sys.executable} {path}"
