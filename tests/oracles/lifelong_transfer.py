"""Reference values of Avalanche, Continuum and CapyMOA for tests/lifelong/test_transfer_peers.py.

The three need torch, images and a Java machine, but their figures of transfer do not: whatever else they import is
replaced by an empty stand-in. To make the values again, in an environment of its own:

    pip install torch==2.13.0 numpy tqdm
    pip install --no-deps avalanche-lib==0.6.0 continuum==1.2.7 capymoa==0.15.1
    python tests/oracles/lifelong_transfer.py > tests/oracles/lifelong_transfer.json
"""

import importlib.util
import json
import sys
from importlib.metadata import distribution, version
from types import SimpleNamespace
from unittest.mock import MagicMock

import numpy as np

ITEMS = 40  # items of each period
STAND_INS = (
    *("GPUtil", "capymoa", "dill", "gdown", "matplotlib", "psutil", "pytorchcv", "qpsolvers", "quadprog", "sklearn"),
    *("tensorboard", "torch.utils.tensorboard", "torchmetrics", "torchvision", "wandb"),
)


class StandIn:
    """Finder of packages that the figures do not need."""

    def find_spec(self, name, path, target=None):
        if any(name == part or name.startswith(f"{part}.") for part in STAND_INS):
            return importlib.util.spec_from_loader(name, self, is_package=True)
        return None

    def create_module(self, spec):
        module = MagicMock()
        module.__path__, module.__spec__, module.__name__ = [], spec, spec.name
        return module

    def exec_module(self, module):
        """Leave the stand-in empty."""


def alone(package, path):
    """Load one module of an installed package without the package around it."""
    spec = importlib.util.spec_from_file_location(path.rsplit("/")[-1], distribution(package).locate_file(path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def right_answers():
    """Draw how many of the items of each period each version gets right; a row more for no training at all."""
    rng = np.random.default_rng(0)
    cases = []
    for periods in (2, 3, 4, 6):
        ages = np.subtract.outer(np.arange(periods), np.arange(periods))
        shapes = {
            "random": rng.integers(0, ITEMS + 1, (periods, periods)),
            "forgets": np.where(ages >= 0, 36 - 4 * ages, 12),
            "learns": np.where(ages >= 0, 20 + 3 * ages, 10),
            "never changes": np.tile(rng.integers(10, 30, periods), (periods, 1)),
            "best before its own training": np.where(ages < 0, 38, 30 - 2 * ages),
            "ties": rng.choice([10, 20], (periods, periods)),
            "nothing right": np.zeros((periods, periods), dtype=int),
            "all right": np.full((periods, periods), ITEMS),
        }
        for name, right in shapes.items():
            cases.append((f"{name}, {periods} periods", np.clip(right, 0, ITEMS), rng.integers(0, 20, periods)))
    return cases


def of_continuum(metrics, right):
    """Figures of the released package, from predictions of all items."""
    tasks = np.repeat(np.arange(len(right)), ITEMS)
    targets = np.ones(len(tasks), dtype=int)
    answers = [np.concatenate([np.arange(ITEMS) < many for many in row]).astype(int) for row in right]
    names = ("accuracy_A", "backward_transfer", "positive_backward_transfer", "remembering", "forward_transfer")
    everything = (answers, [targets] * len(right), [tasks] * len(right))
    figures = {}
    for name in (*names, "forgetting"):
        try:
            figures[name] = float(getattr(metrics, name)(*everything))
        except (AssertionError, ValueError) as error:
            figures[name] = f"{type(error).__name__}: {error}"
    return figures


def of_avalanche(right, start):
    """Figures of the plugins, fed with scores in the order in which a strategy trains and evaluates."""
    from avalanche.evaluation.functional import forgetting
    from avalanche.evaluation.metrics.forgetting_bwt import GenericStreamForgetting, StreamBWT
    from avalanche.evaluation.metrics.forward_transfer import GenericStreamForwardTransfer

    def fed(plugin, rows, first):
        scores = {}

        class Fed(plugin):
            def metric_update(self, strategy):
                """Scores are given."""

            def metric_result(self, strategy):
                return scores[strategy.experience.current_experience]

            def __str__(self):
                return "fed"

            def _package_result(self, strategy):
                """Nothing to log."""

        metric = Fed() if plugin is StreamBWT else Fed(MagicMock())
        for trained, row in enumerate(rows, start=first):
            scores.update(enumerate(float(value) for value in row))
            if trained >= 0:
                metric.before_training_exp(SimpleNamespace(experience=SimpleNamespace(current_experience=trained)))
            metric.before_eval(None)
            for period in range(len(row)):
                strategy = SimpleNamespace(experience=SimpleNamespace(current_experience=period), eval_every=0)
                metric.eval_exp_id = period
                metric.after_eval_exp(strategy)
            metric.after_eval(strategy)
        return metric

    scores, before = right / ITEMS, start / ITEMS
    transferred = fed(GenericStreamForwardTransfer, [before, *scores], -1).forward_transfer.result()
    return {
        "functional.forgetting": forgetting(scores)[-1].tolist(),
        "StreamForgetting": float(fed(GenericStreamForgetting, scores, 0).result()),
        "StreamBWT": float(fed(StreamBWT, scores, 0).result()),
        "ForwardTransfer": [transferred[period] for period in sorted(transferred)],
    }


def of_capymoa(metrics, right):
    import torch

    scores = torch.tensor(right / ITEMS, dtype=torch.float64)
    return {"backward": metrics._backwards_transfer(scores), "forward": metrics._forwards_transfer(scores)}


def main():
    sys.meta_path.insert(0, StandIn())
    continuum = alone("continuum", "continuum/metrics/metrics.py")
    capymoa = alone("capymoa", "capymoa/ocl/evaluation/_metrics.py")
    cases = [
        {
            "name": name,
            "items": ITEMS,
            "right": right.tolist(),
            "right before training": start.tolist(),
            "continuum": of_continuum(continuum, right),
            "avalanche": of_avalanche(right, start),
            "capymoa": of_capymoa(capymoa, right),
        }
        for name, right, start in right_answers()
    ]
    versions = {name: version(name) for name in ("avalanche-lib", "continuum", "capymoa", "torch")}
    lines = ",\n".join(json.dumps(case) for case in cases)
    print(f'{{\n"versions": {json.dumps(versions)},\n"cases": [\n{lines}\n]\n}}')


if __name__ == "__main__":
    main()
