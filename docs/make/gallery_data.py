"""The files that the pages of the gallery are made from: data that come with scikit-learn, nothing to download."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier


def write_all(folder: Path) -> None:
    """Write every file of the gallery into a folder that holds the files of `justesse demo`."""
    write(folder / "progression.csv", regression())
    write(folder / "scores.csv", scores())
    write(folder / "folds.csv", folds())
    write(folder / "pool.csv", pool(folder))
    write(folder / "cancer.csv", cancer())
    answers, truth = crowd(folder)
    write(folder / "answers.csv", answers)
    write(folder / "gold.csv", truth)
    write(folder / "events.csv", events())
    labels, checked = suspects()
    write(folder / "suspects.csv", labels)
    write(folder / "checked.csv", checked)
    labelled, later = shifted()
    write(folder / "labelled.csv", labelled)
    write(folder / "later.csv", later)
    verdicts, ratings = judged()
    write(folder / "verdicts.csv", verdicts)
    write(folder / "ratings.csv", ratings)


def write(path: Path, columns: Mapping[str, Iterable[Any]]) -> None:
    """Write columns as CSV."""
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(columns)
        table.writerows(zip(*columns.values(), strict=True))


def regression() -> dict[str, Any]:
    """Predict how diabetes progresses, with two models."""
    x, y = load_diabetes(return_X_y=True)
    models = {"yhat": LinearRegression(), "forest": RandomForestRegressor(50, random_state=0)}
    predicted = {name: model.fit(x[::2], y[::2]).predict(x[1::2]).round(1) for name, model in models.items()}
    return {"y": y[1::2], **predicted, "sex": np.where(x[1::2, 1] > 0, "a", "b")}


def scores() -> dict[str, Any]:
    """Score tumours."""
    x, y = load_breast_cancer(return_X_y=True)
    model = LogisticRegression(max_iter=9000).fit(x[::2] / 100, y[::2])
    return {"label": np.array(["malignant", "benign"])[y[1::2]], "p": model.predict_proba(x[1::2] / 100)[:, 0].round(4)}


def folds() -> dict[str, Any]:
    """Score two models over ten folds."""
    x, y = load_digits(return_X_y=True)
    splits = StratifiedKFold(10, shuffle=True, random_state=0)
    models = {
        "tree": DecisionTreeClassifier(random_state=0),
        "forest": RandomForestClassifier(20, random_state=0),
        "bayes": GaussianNB(),
    }
    return {name: cross_val_score(model, x, y, cv=splits).round(4) for name, model in models.items()}


def pool(folder: Path) -> dict[str, Any]:
    """Let ten models answer the digits of the demo, under labels of which one model's mistakes are part."""
    with (folder / "demo" / "candidate.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    ids, true = (np.array([int(row[name]) for row in rows]) for name in ("id", "label"))
    images, classes = load_digits(return_X_y=True)
    train = np.setdiff1d(np.arange(len(classes)), ids)
    models = {f"forest_{trees}": RandomForestClassifier(trees, random_state=0) for trees in (3, 5, 8, 10, 12, 20)}
    models |= {f"near_{k}": KNeighborsClassifier(k) for k in (1, 5, 25)}
    models |= {"tree": DecisionTreeClassifier(random_state=0)}
    answers = {name: model.fit(images[train], classes[train]).predict(images[ids]) for name, model in models.items()}
    overlooked = (answers["forest_10"] != true) & (np.random.default_rng(0).random(len(true)) < 0.5)
    label = np.where(overlooked, answers["forest_10"], true)
    return {"id": ids, "true": true, "label": label, **answers}


def crowd(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Take seven weak models for annotators of 150 digits; the true class of every third digit is known."""
    with (folder / "demo" / "candidate.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))[:150]
    ids, true = (np.array([int(row[name]) for row in rows]) for name in ("id", "label"))
    images, classes = load_digits(return_X_y=True)
    train = np.setdiff1d(np.arange(len(classes)), ids)
    names = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus")
    sizes = (400, 300, 200, 120, 80, 50, 30)  # images that each has learnt from
    answers = {}
    for seed, (name, size) in enumerate(zip(names, sizes, strict=True)):
        own = np.random.default_rng(seed).choice(train, size, replace=False)
        model = DecisionTreeClassifier(random_state=seed).fit(images[own], classes[own])
        answers[name] = model.predict(images[ids])
    return {"item": ids, **answers}, {"item": ids[::3], "true": true[::3]}


def cancer() -> dict[str, Any]:
    """Write the features and classes of tumours, for models to learn from."""
    data = load_breast_cancer()
    x, _, y, _ = train_test_split(data.data, data.target, train_size=300, random_state=0, stratify=data.target)
    names = [name.replace(" ", "_") for name in data.feature_names[:10]]
    return {**dict(zip(names, x.T, strict=False)), "class": np.asarray(data.target_names)[y]}


def suspects() -> tuple[dict[str, Any], dict[str, Any]]:
    """Make 8 % of the classes of tumours wrong, and let two people answer the first rows."""
    columns = cancer()
    true = columns["class"]
    wrong = np.random.default_rng(5).random(len(true)) < 0.08
    names = np.unique(true)
    columns["class"] = np.where(wrong, np.where(true == names[0], names[1], names[0]), true)
    rows = np.arange(1, 181)
    return columns, {"row": rows, "true": true[:180], "by": np.where(rows % 3, "Ann", "Bob")}


def shifted() -> tuple[dict[str, Any], dict[str, Any]]:
    """Give the probabilities of a model on digits with labels, and on noisier digits with labels of the first 80 only."""
    x, y = load_digits(return_X_y=True)
    model = LogisticRegression(max_iter=9000).fit(x[:600] / 16, y[:600])
    noise = np.random.default_rng(0).normal(0, 4, x[1200:].shape)
    parts = []
    for images, classes, known in ((x[600:1200], y[600:1200], 600), (x[1200:] + noise, y[1200:], 80)):
        shares = model.predict_proba(images / 16).round(6)
        label = [int(digit) if at < known else "" for at, digit in enumerate(classes)]
        parts.append({"label": label, **{f"p_{digit}": shares[:, digit] for digit in range(10)}})
    return parts[0], parts[1]


def events() -> dict[str, Any]:
    """Draw the outcomes of 4,000 events that two variants handled; the new one is right more often."""
    rng = np.random.default_rng(0)
    variant = rng.choice(["old", "new"], 4000)
    right = rng.random(4000) < np.where(variant == "new", 0.88, 0.8)
    return {"variant": variant, "outcome": right.astype(int)}


def judged() -> tuple[dict[str, Any], dict[str, Any]]:
    """Let a judge prefer one of two answers 800 times in both orders, often the first; people rate 200 of them."""
    rng = np.random.default_rng(0)
    pairs = np.array([("atlas", "birch"), ("atlas", "cedar"), ("birch", "cedar")])[np.arange(800) % 3]
    people = np.where(rng.random(800) < np.array([0.6, 0.75, 0.65])[np.arange(800) % 3], 1, 2)
    swapped = np.repeat([False, True], 800)
    right = rng.random(1600) < 0.85
    winner = np.where(right, np.tile(people, 2), 3 - np.tile(people, 2))
    winner = np.where(rng.random(1600) < 0.1, np.where(swapped, 2, 1), winner)
    rated = np.sort(rng.choice(800, 200, replace=False))
    one, two = np.tile(pairs, (2, 1)).T
    items = np.tile(np.arange(800), 2)
    verdicts = {"item": items, "model_1": one, "model_2": two, "swapped": swapped, "winner": winner}
    return verdicts, {"item": rated, "model_1": pairs[rated, 0], "model_2": pairs[rated, 1], "winner": people[rated]}
