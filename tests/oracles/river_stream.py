"""Reference values of river for tests/lifelong/test_prequential.py.

river is no dependency, so its values are stored. To make them again, in an environment of its own:

    pip install river==0.26.1
    python tests/oracles/river_stream.py > tests/oracles/river_stream.json

river's delay of d reveals the label of item i before item i + d is asked about, so that a delay of 1 is none; here 0 is.
"""

import json
from importlib.metadata import version

CLASSES, ITEMS, WINDOW, DELAYS = 3, 400, 50, (0, 1, 7)


def draw():
    """Draw a stream with a small generator of our own, so that the tests draw the same: labels that last, answers."""
    state, stream, label = 12345, [], 0
    for _ in range(ITEMS):
        numbers = []
        for _ in range(3):
            state = (1103515245 * state + 12345) % 2**31
            numbers.append(state / 2**31)
        if numbers[0] < 0.3:
            label = int(numbers[1] * CLASSES)
        stream.append((label, label if numbers[2] < 0.7 else (label + 1) % CLASSES))
    return stream


def main():
    from river import dummy, metrics, stream, utils  # the tests' environment lacks it

    rows = draw()
    accuracy, kappa, rolling = metrics.Accuracy(), metrics.CohenKappa(), utils.Rolling(metrics.Accuracy, WINDOW)
    errors, windowed, kappas = [], [], []
    for label, answer in rows:
        for metric in (accuracy, kappa, rolling):
            metric.update(label, answer)
        errors.append(1 - accuracy.get())
        windowed.append(1 - rolling.get())
        kappas.append(kappa.get())
    baselines = {}
    for delay in DELAYS:
        for name, model in (("no_change", dummy.NoChangeClassifier()), ("majority", dummy.PriorClassifier())):
            answers = [-1] * ITEMS
            items = (({}, label) for label, _ in rows)
            for at, _, label in stream.simulate_qa(items, None, delay + 1):
                if label is None:
                    answer = model.predict_one({})
                    answers[at] = -1 if answer is None else answer
                else:
                    model.learn_one({}, label)
            baselines[f"{name} {delay}"] = answers
    # true negatives of class 0, which river counts wrongly above two classes
    wrong_negatives = int(accuracy.cm.true_negatives(0))
    print(
        json.dumps(
            {
                "river": version("river"),
                "errors": errors,
                "windowed": windowed,
                "kappa": kappas[-1],
                "baselines": baselines,
                "true_negatives_of_0": wrong_negatives,
            }
        )
    )


if __name__ == "__main__":
    main()
