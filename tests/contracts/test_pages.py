"""What the page of every result keeps: it addresses no developer before its last section, and tears no number apart."""

import ast
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import justesse
from justesse.report.audience import BRACKETS, OPTION, SENTENCES, for_page
from justesse.report.result import Result

PACKAGE = Path(justesse.__file__).parent
LAST_SECTION = "Data and settings"
HIDDEN = {"style", "script", "title"}


def _spoken():
    """Two recordings, heard wrongly at first; the expert corrects two seconds of one."""
    rows = [("a", "reference", "Ann", 0, 9), ("a", "base", "1", 0, 8), ("a", "adapted", "1", 0, 9), ("a", "touched", None, 7, 9),
            ("b", "reference", "Ben", 0, 5), ("b", "base", "1", 0, 7), ("b", "adapted", "1", 0, 6)]  # fmt: skip
    return dict(zip(("recording", "part", "speaker", "start", "end"), map(list, zip(*rows, strict=True)), strict=True))


def _over_time(wrong):
    """Two versions on 20 items of each of two periods."""
    items = [(version, time, item) for version in ("v1", "v2") for time in (1, 2) for item in range(20)]
    return {
        "id": [f"{time}-{item}" for _, time, item in items],
        "version": [version for version, _, _ in items],
        "time": [time for _, time, _ in items],
        "label": ["x"] * len(items),
        "prediction": [wrong if item % 3 == (version == "v1") else "x" for version, _, item in items],
    }


class _Constant:
    """A system that asks and learns nothing."""

    def predict(self, items):
        return ["x"] * len(items)

    def adapt(self, items, because):
        pass

    def ask(self, items, most):
        return [item.id for item in items[:3]]


def _answers(n: int = 60) -> dict[str, list[object]]:
    rng = np.random.default_rng(0)
    rows = [(item, who) for item in range(n) for who in range(4)]
    answers = [("A " if rng.random() < 0.2 else "a") if item % 3 else "b" for item, _ in rows]
    return {"item": [item for item, _ in rows], "worker": [f"w{who}" for _, who in rows], "label": answers}


def _dossiers(folder: Path) -> dict[str, Result]:
    """Write two dossiers, and look at them in every way."""
    project = folder / "project"
    project.mkdir()
    rows = {"id": list(range(90)), "label": ["a", "b", "b"] * 30, "prediction": ["a", "b", "a"] * 30}
    key = justesse.dossier_key(project / "me.key")
    plan = justesse.dossier_plan(project / "plan.json", verb="evaluate", level=0.9, sign=key.file)
    first = justesse.evaluate(rows).dossier(
        project / "a.json", plan=plan.file, command="justesse evaluate a.csv --level 0.95"
    )
    corrected = {**rows, "label": ["a", "b", "a", "a", "b", "b"] * 15}
    second = justesse.evaluate(corrected, level=0.9).dossier(project / "b.json", plan=plan.file, sign=key.file)
    checked = justesse.inspect(rows).dossier(project / "i.json")
    return {
        "dossier key": key,
        "dossier plan": plan,
        "dossier verify": justesse.dossier_verify(second),
        "dossier departs from its plan": justesse.dossier_verify(first),
        "dossier replay": justesse.dossier_replay(first, data={"data": corrected}),
        "dossier diff": justesse.dossier_diff(first, second),
        "dossier show": justesse.dossier_show(first),
        "dossier of an inspection": justesse.dossier_show(checked),
        "dossier export": justesse.dossier_export(first, to=project / "a.dsse.json"),
        "dossier datasheet": justesse.dossier_datasheet(project / "test.yaml", inspection=checked),
        "dossier reevaluate": justesse.dossier_reevaluate(first, corrected, old_data={"data": rows}),
    }


def _results(folder: Path) -> dict[str, Result]:
    """Make every result that has a page, from data that cause warnings."""
    rng = np.random.default_rng(1)
    n = 90
    true = rng.integers(0, 3, n)
    names = np.array(["a", "b", "None"])
    label, one, two = (names[np.where(rng.random(n) < share, (true + 1) % 3, true)] for share in (0.05, 0.3, 0.2))
    rows = {"id": np.arange(n), "site": np.where(np.arange(n) % 3, "x", "y"), "true": names[true], "label": label,
            "one": one, "two": two, "x1": true + rng.normal(0, 0.5, n), "x2": rng.normal(0, 1, n)}  # fmt: skip
    unknown = {key: values for key, values in rows.items() if key != "true"}
    learnt = {key: rows[key] for key in ("id", "x1", "x2", "label")}
    numbers = {"y": rng.normal(0, 1, n), "one": rng.normal(0, 1, n), "two": rng.normal(0, 1, n)}
    folds = {"one": rng.normal(0.7, 0.02, 4), "two": rng.normal(0.9, 0.02, 4), "three": rng.normal(0.8, 0.02, 4)}
    crowd = _answers()
    predicted = {"id": np.arange(60), "one": rng.choice(["a", "b"], 60), "two": rng.choice(["a", "b"], 60)}
    audit = folder / "a.audit"
    pair = {"incumbent": "one", "candidate": "two", "label": "label"}
    started = justesse.audit_start(unknown, **pair, on="id", to=audit, budget=9, level=0.9999)
    asked = justesse.audit_next(audit, 2)
    listed = folder / "ask.recheck"
    flagged = {"y": ["a", "a", "b", "b"] * 5, "p_a": [0.9, 0.1, 0.2, 0.3] * 5, "p_b": [0.1, 0.9, 0.8, 0.7] * 5}
    justesse.clean(flagged, label="y", proba="p_", recheck=6, recheck_to=listed)
    results = {
        "evaluate": justesse.evaluate(unknown, label="label", prediction="one", by="site", noise_rate=0.1),
        "evaluate integers": justesse.evaluate(y_true=np.arange(80) % 40, y_pred=np.arange(80) % 37),
        "evaluate any-of": justesse.evaluate(y_true=["a", "b", "a|b"] * 9, y_pred=["a", "b", "a"] * 9),
        "evaluate scores": justesse.evaluate(y_true=true > 0, y_score=rng.random(n), positive=True),
        "compare": justesse.compare(rows, **pair, true="true", margin=0.01),
        "compare noise": justesse.compare(unknown, **pair, noise_rate=0.02),
        "compare-folds": justesse.compare_folds(folds, incumbent="one", candidate=["two", "three"]),
        "evaluate-regression": justesse.evaluate_regression(numbers, label="y", prediction="one"),
        "compare-regression": justesse.compare_regression(numbers, label="y", incumbent="one", candidate="two"),
        "ab": justesse.ab(
            {"variant": ["old", "old", "new"] * 400, "outcome": [0, 1, 1, None] * 300}, missing="random", margin=0.01
        ),
        "ab proxy": justesse.ab(
            {"variant": ["old", "old", "new"] * 400, "outcome": [0, 1, 1, None] * 300, "cost": [0, 0, 1] * 400,
             "grade": [0, 1, 1, 1] * 300},
            proxy="grade", guardrail=["cost<0.1", "outcome>-0.5"],
        ),
        "ab start": justesse.ab_start(folder / "my.ab", {"id": [1, 2], "variant": ["a", "b"], "outcome": [0, 1]}),
        "ab shadow": justesse.ab({"old": [0, 1] * 60, "new": [1, 1] * 60}, shadow=True, incumbent="old", candidate="new"),
        "lifelong": justesse.lifelong_score(_over_time("a"), policy="recent"),
        "lifelong compare": justesse.lifelong_compare(_over_time("a"), _over_time("b"), policy="recent"),
        "alarms": justesse.lifelong_alarms({"time": [3, 9]}, {"time": [2, 6]}, max_delay=2, start=0, end=20),
        "lifelong policies": justesse.lifelong_policies(),
        "prequential": justesse.lifelong_prequential(_over_time("a")),
        "lifelong run": justesse.lifelong_run(_Constant(), _over_time("b") | {"id": range(80)}, budget=7, restarts=True),
        "lifelong map": justesse.lifelong_map(_over_time("a"), _over_time("b")),
        "lifelong wrong labels": justesse.lifelong_score(_over_time("a"), noise_rate=0.1, claim="error<=0.5"),
        "lifelong run wer": justesse.lifelong_run(_Constant(), _over_time("b") | {"id": range(80)}, budget=7, score="wer"),
        "penalise": justesse.lifelong_penalise(adapt=0.2, false=0.3, cor=0.1, base=0.5),
        "curve": justesse.lifelong_curve(
            {"system": ["random"] * 6 + ["<b>margin"] * 6, "seed": [0, 0, 1, 1, 2, 2] * 2, "cost": [0, 50] * 6,
             "error": [0.5, 0.3, 0.48, 0.32, 0.51, 0.3, 0.5, 0.2, 0.46, 0.22, 0.5, 0.21]}, reach=0.25,
        ),
        "penalise der": justesse.lifelong_penalise(_spoken(), score="der"),
        "inspect": justesse.inspect(rows, label="label"),
        "inspect all": justesse.inspect(
            rows, train={key: value[30:] for key, value in rows.items()}, population={**rows, "site": ["z"] * n},
            label="label", by="site",
        ),
        "assess": justesse.assess(learnt, label="label", model=["tree"], k=3),
        "resist": justesse.noise_resist(learnt, label="label", model=["tree"], noise_rates=[0.0, 0.2], repeats=2),
        "tournament": justesse.tournament(rows, label="label", true="true", models=["one", "two"]),
        "bias": justesse.noise_bias(rows, label="label", prediction="one", true="true"),
        "bounds": justesse.noise_bounds(unknown, label="label", prediction="one", noise_rate=0.02),
        "breakdown": justesse.noise_breakdown(unknown, label="label", prediction="one", claim="accuracy>=0.5"),
        "estimate": justesse.noise_estimate(rows, label="label", true="true"),
        "estimate-model": justesse.noise_estimate(
            {"label": ["a", "b"] * 30, "true": ["a", "b"] * 29 + ["b", "a"], "p_a": [0.9, 0.2] * 30, "p_b": [0.1, 0.8] * 30},
            source="clean", proba="p_", true="true",
        ),
        "profile": justesse.noise_profile(rows, label="label", prediction="one", true="true"),
        "inject": justesse.noise_inject(unknown, label="label", noise="uniform", noise_rate=0.1),
        "plan": justesse.plan_difference(difference=0.02, disagreement=0.08),
        "plan-active": justesse.plan_labels(
            {"id": range(60), "prediction": ["a", "b"] * 30, "pseudo": ["a"] * 30 + ["b"] * 30},
            active=True, budget=20, label="pseudo",
        ),
        "evaluate answers": justesse.evaluate(predicted, prediction="one", on="id", answers=crowd),
        "evaluate unlabelled": justesse.evaluate_unlabelled(
            {"one": one, "two": two, "three": label, "label": names[true]}, label="label", draws=100
        ),
        "evaluate by a reference": justesse.evaluate_unlabelled(
            {"one": one, "sure": rng.uniform(0.3, 0.8, n), "label": [*label[:30], *[None] * 60]},
            reference={"one": two, "sure": rng.uniform(0.5, 1, n), "label": label},
            prediction="one", confidence="sure", draws=100,
        ),
        "llm-judge": justesse.llm_judge(
            {"item": np.arange(n), "judge": ["<b>j"] * n, "model": ["m", "n"] * 45, "verdict": [*rng.integers(0, 2, n - 1), None],
             "stratum": rows["site"]},
            human={"item": np.arange(40), "verdict": rng.integers(0, 2, 40)}, draws=100,
        ),
        "llm-judge ask": justesse.llm_judge(
            {"item": np.arange(n), "judge": ["<b>j"] * n, "verdict": rng.integers(0, 2, n)},
            ask=folder / "judged.audit", ask_next=3, draws=100,
        ),
        "compare unlabelled": justesse.compare(
            unknown, incumbent="one", candidate="two", judge="unsupervised", reference="label"
        ),
        "compare answers": justesse.compare(
            predicted, incumbent="one", candidate="two", on="id", answers=crowd, margin=0.01
        ),
        "agree": justesse.annotators_agree(crowd, draws=2),
        "infer": justesse.annotators_infer(crowd, draws=4),
        "next": justesse.annotators_next(crowd),
        "annotators-compare": justesse.annotators_compare(crowd, draws=100),
        "clean": justesse.clean(
            {**learnt, "t": names[true]}, label="label", id="id", true="t", model="bayes", features=["x1", "x2"], k=3,
            audited={"id": np.arange(40), "true": names[true][:40]}, action="remove",
            cleaned_to=folder / "cleaned.csv",
        ),
        "audit start": started,
        "audit stopped": justesse.audit_start(rows, **pair, on="id", true="true", to=folder / "b.audit", budget=5),
        "recheck": justesse.recheck_next(listed, n=3),
        "audit next": asked,
        "audit answer": justesse.audit_answer(audit, asked.questions[0].id, "a", by="Ann"),
        "audit status": justesse.audit_status(audit),
        "audit of several": justesse.audit_start(
            unknown | {"three": names[true]}, models=["one", "two", "three"], label="label", on="id", to=folder / "c.audit"
        ),
        "audit export": justesse.audit_export(audit, folder / "audit.csv"),
        **_dossiers(folder),
    }  # fmt: skip
    return {name: result for name, result in results.items() if isinstance(result, Result)}


class Texts(HTMLParser):
    """Collect the texts of a page before its last section, and in it."""

    def __init__(self) -> None:
        super().__init__()
        self.before: list[str] = []
        self.last: list[str] = []
        self.tags: list[str] = []
        self.main = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.main = self.main or tag == "main"

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] in HIDDEN:
            return
        if self.last or (self.main and data == LAST_SECTION):
            self.last.append(data)
        else:
            self.before.append(data)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return _results(tmp_path_factory.mktemp("audit"))


@pytest.fixture(scope="module")
def pages(results, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    made = {}
    for at, (name, result) in enumerate(results.items()):
        made[name] = Texts()
        made[name].feed(result.report(folder / f"{at}.html", command="justesse --again").read_text())
    return made


def test_every_kind_of_result_has_its_page_here(results):
    kinds = {
        kind
        for module in ("verbs",)
        for kind in _subclasses(Result)
        if kind.__module__.startswith(f"justesse.{module}")
    }
    assert {kind.__name__ for kind in kinds} - {type(result).__name__ for result in results.values()} == set()


def _subclasses(kind: type) -> set[type]:
    """List the classes that make results: those that others are made of are abstract."""
    below = kind.__subclasses__()
    return {kind} if not below else set().union(*map(_subclasses, below))


def test_options_are_named_only_in_the_last_section(pages):
    early = {name: [text for text in page.before if OPTION.search(text)] for name, page in pages.items()}
    assert {name: texts for name, texts in early.items() if texts} == {}
    assert all("justesse --again" in "".join(page.last) for page in pages.values())


def test_no_text_loses_its_advice_on_a_page(results):
    """Whatever a text advises, it does so in plain words, with the option in brackets."""
    hints = {name: for_page(result.document())[1] for name, result in results.items()}
    lost = {
        (name, text)
        for name, texts in hints.items()
        for hint in texts
        for text in SENTENCES.split(hint)
        if OPTION.search(BRACKETS.sub("", text))
    }
    assert lost == set()


def _templates(node: ast.AST) -> list[tuple[int, str]]:
    """List the texts that results show: those of `message(…)`."""
    calls = [each for each in ast.walk(node) if isinstance(each, ast.Call) and each.args]
    return [
        (call.lineno, call.args[0].value)
        for call in calls
        if ast.unparse(call.func).endswith("message")
        and isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[0].value, str)
    ]


def test_templates_say_what_to_do_in_plain_words():
    wrong = [
        f"{file.relative_to(PACKAGE)}:{line}: {sentence}"
        for file in sorted((PACKAGE / "verbs").rglob("*.py"))
        for line, text in _templates(ast.parse(file.read_text()))
        for sentence in SENTENCES.split(text)
        if OPTION.search(BRACKETS.sub("", sentence)) and not sentence.startswith(("To continue: ", "What `justesse"))
    ]
    assert wrong == [], "write the option in brackets: Collect more rows (--train)."


def test_the_page_of_an_inspection_says_what_to_do(pages):
    before, last = (
        re.sub(r"\s+", " ", "".join(texts)) for texts in (pages["inspect all"].before, pages["inspect all"].last)
    )
    assert "weight them by population share over test share, and report" in before
    assert "weight them by population share over test share (evaluate --weight), and report" in last
