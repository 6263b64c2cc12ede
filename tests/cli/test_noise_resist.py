import jsonschema
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from justesse import noise_resist
from justesse.charts.resistance import resistance_points
from justesse.core.errors import OptionError
from justesse.noise.models import Uniform
from justesse.procedures.learners import ALL, USUAL, learners
from justesse.procedures.resist import resist
from justesse.verbs.schemas import schema

SCHEMA = schema("noise_resist")
IRIS = load_iris()
FRAME = pd.DataFrame(IRIS.data, columns=list("abcd")).assign(species=IRIS.target_names[IRIS.target], id=range(150))


@pytest.fixture
def iris(tmp_path):
    FRAME.to_csv(tmp_path / "iris.csv", index=False)
    return tmp_path / "iris.csv"


def test_json_is_what_the_library_gives_and_what_the_procedure_finds(run, iris):
    words = ["--model", "tree,bayes", "--noise-rates", "0,0.3", "--repeats", 3, "--seed", 4, "--json"]
    found = run("noise", "resist", iris, "--label", "species", *words).json
    jsonschema.validate(found, SCHEMA)
    options = {"model": ["tree", "bayes"], "noise_rates": [0, 0.3], "repeats": 3, "seed": 4}
    assert noise_resist(iris, label="species", **options).to_dict() == found
    assert found["features"] == list("abcd")
    assert "'id' (a different value in every row" in found["warnings"][0]
    expected = resist(IRIS.data, FRAME["species"], learners=learners(["tree", "bayes"]), rates=[0.0, 0.3],
                      noise=Uniform(0), repeats=3, seed=4)  # fmt: skip
    assert [row["error"] for row in found["resist"]] == [row.error.value for row in expected.rows]
    assert [row["n"] for row in found["resist"]] == [3] * 4


def test_words_and_chart(run, iris, tmp_path, monkeypatch):
    words = ["--label", "species", "--model", "tree", "--model", "neighbours", "--noise-rates", "0,0.4", "--repeats", 2]
    ran = run("noise", "resist", iris, *words, "--charts", tmp_path / "c")
    assert ran.code == 0
    assert ran.out.startswith("Errors on clean test labels, uniform noise from 0.0 % to 40.0 %: tree ")
    assert "learner noise rate in training test error 95 % CI splits" in " ".join(ran.out.split())
    assert "Seed 0" in ran.out
    assert "In training: the share of wrong labels" in ran.out
    monkeypatch.setenv("COLUMNS", "60")
    narrow = " ".join(run("noise", "resist", iris, *words).out.split())
    assert "Hidden columns: in training, splits." in narrow
    assert "In training: the share" not in narrow
    monkeypatch.delenv("COLUMNS")
    assert "Error of learners trained on wrong labels" in (tmp_path / "c" / "resistance.svg").read_text()
    assert (tmp_path / "c" / "resistance.png").read_bytes()[:4] == b"\x89PNG"
    assert run("noise", "resist", iris, *words, "--charts", tmp_path / "c", "--jobs", 1).out == ran.out
    assert "--chart " not in run("noise", "resist", "--help").out


def test_the_chart_tells_learners_apart_without_colour():
    many = {f"{at} neighbours": KNeighborsClassifier(at) for at in (1, 3, 5, 7, 9, 11, 13, 15, 17)}
    found = noise_resist(FRAME, label="species", model=many, noise_rates=[0, 0.4], repeats=2)
    spec = found.chart().to_dict()
    line, dots = spec["layer"][-2:]
    ways = list(zip(line["encoding"]["color"]["scale"]["range"], map(tuple, line["encoding"]["strokeDash"]["scale"]["range"]),
                    dots["encoding"]["shape"]["scale"]["range"], strict=True))  # fmt: skip
    assert len(ways) == len(set(ways)) == 9
    assert len({ways[at][2] for at in range(7)}) == 7
    rows = resistance_points(found.resistance.rows)
    assert [point["error"] for point in rows] == [row.error.value for row in found.resistance.rows]
    assert f"1 neighbours {rows[0]['error']:.1%} to {rows[1]['error']:.1%}" in spec["description"]
    achieved = max(row.realised for row in found.resistance.rows)
    assert f"from 0.0% to {achieved:.1%} of the training labels wrong (uniform noise)" in spec["description"]
    assert line["encoding"]["x"] == dots["encoding"]["x"]
    assert (line["encoding"]["x"]["field"], line["encoding"]["x"]["title"]) == (
        "realised", "share of wrong labels in training, as achieved"
    )  # fmt: skip


def test_a_missing_interval_does_not_stack_the_table_at_80_columns(run, iris, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    words = ["--label", "species", "--model", "tree,logistic", "--noise-rates", "0,0.1", "--repeats", 2, "--realism"]
    ran = run("noise", "resist", iris, *words)
    shown = run("noise", "resist", iris, *words, "--json").json["realism"]
    assert any(row["interval"] is None for row in shown)  # some learner repeats nothing in every split
    head = next(line for line in ran.out.splitlines() if line.startswith("noise ") and "F_n" in line)
    assert head.split()[:2] == ["noise", "learner"]
    assert "– means no interval: all scores are equal, so their spread is unknown." in " ".join(ran.out.split())


def test_noise_by_features_with_a_ranking_and_realism(run, iris, tmp_path):
    made = run("noise", "inject", iris, "--label", "species", "--to", tmp_path / "n.csv", "--noise", "features",
               "--noise-rate", 0.1, "--annotators", 6, "--ranking", tmp_path / "r.parquet", "--features", "a,b,c,d")  # fmt: skip
    assert made.code == 0
    words = [
        "--noise",
        "features",
        "--ranking",
        tmp_path / "r.parquet",
        "--model",
        "neighbours",
        "--noise-rates",
        "0,0.2",
    ]
    found = run("noise", "resist", iris, "--label", "species", *words, "--repeats", 3, "--realism", "--json").json
    jsonschema.validate(found, SCHEMA)
    assert "6 artificial annotators" in found["noise"]
    f_n = {row["noise"]: row["f_n"] for row in found["realism"]}
    assert set(f_n) == {"given", "by class", "uniform"}
    assert f_n["given"] > f_n["by class"]
    assert {row["rate"] for row in found["realism"]} == {0.2}
    shown = run("noise", "resist", iris, "--label", "species", *words, "--repeats", 2, "--realism").out
    assert "How often learners repeat wrong labels on unseen rows (F_n)" in shown


def test_names_become_zeros_and_ones_learnt_from_the_training_part_alone():
    rng = np.random.default_rng(0)
    rare = np.where(np.arange(150) % 50 == 0, [f"only {at}" for at in range(150)], rng.choice(["x", "y"], 150))
    frame = pd.DataFrame({"colour": FRAME["species"].str[:2], "rare": rare, "label": IRIS.target})
    found = noise_resist(frame, model=ALL, noise_rates=[0], repeats=2)
    for row in found.to_dict()["resist"]:
        assert row["error"] <= 0.05  # 'se', 've', 'vi' say it all, if they are not taken for amounts
    assert found.features == ("colour", "rare")
    ordered = learners({"stump": DecisionTreeClassifier(max_depth=1)}, text=(0,))["stump"]
    codes = np.repeat([0.0, 1.0, 2.0], 20)[:, None]
    assert ordered.fit(codes, codes[:, 0] == 1).score(codes, codes[:, 0] == 1) == 1


def test_old_names_of_the_options_still_work_with_a_hint():
    new = noise_resist(FRAME, label="species", model=["bayes"], noise_rates=[0.2], noise="pair-flip", repeats=2)
    with pytest.warns(FutureWarning) as hints:
        old = noise_resist(FRAME, target="species", learner=["bayes"], rates=[0.2], model="pair-flip", repeats=2)
    assert {str(hint.message).split(". ")[0] for hint in hints} == {
        f"noise_resist: {old!r} is now called {new!r}"
        for old, new in {"target": "label", "learner": "model", "rates": "noise_rates", "model": "noise"}.items()
    }
    assert old.to_dict() == new.to_dict()


def test_usual_learners_are_four_families():
    assert len(set(USUAL)) == 4
    assert set(USUAL) <= set(ALL)
    with pytest.raises(OptionError, match="At least one learner"):
        learners([])


BAD = {
    "unknown learner": (["--model", "tree,svm"], "There is no learner 'svm'. Learners: tree, forest"),
    "rate": (["--noise-rates", "0,1"], "A noise rate must be at least 0 and below 1"),
    "word": (["--noise-rates", "much"], "takes numbers separated by commas"),
    "target": (["--label", "specis"], "Did you mean 'species'"),
    "no guess": (["--label", "id", "--features", "id"], "cannot be both"),
    "one class": (["--label", "same"], "holds one class only"),
    "rare class": (["--label", "rare"], "Class 'z' needs at least two rows"),
    "gaps": (["--features", "gap"], "Column 'gap' of .* has no finite number in row 3"),
    "gaps unasked": ([], "Column 'gap' of .* has no finite number in row 3"),
    "repeats": (["--features", "a", "--repeats", 0], "repeats=0"),
    "test share": (["--features", "a", "--test-share", 0.001], "cannot be trained|test_size"),
    "level": (["--features", "a", "--level", 95], "level must lie"),
    "ranking for another model": (["--ranking", "r.parquet"], "is for noise by features"),
    "chart": (["--features", "a", "--chart", "c.svg"], "Did you mean --charts"),
    "charts in a file": (["--features", "a", "--charts", "in.csv"], "would replace a file that is read"),
    "only names for annotators": (["--noise", "features", "--features", "name"], "Add columns of numbers"),
    "nothing to learn from": (["--features", "when"], "Column 'when' not found"),
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_bad_input_is_one_sentence_and_writes_nothing(run, tmp_path, monkeypatch, name):
    import re

    monkeypatch.chdir(tmp_path)
    rare = ["z", *["x", "y"] * 74, "x"]
    frame = FRAME.assign(name="u", same="x", rare=rare, gap=[1.0, 2.0, None, *[3.0] * 147])
    if name in ("rare class", "one class"):
        frame = frame.drop(columns="gap")
    frame.to_csv("in.csv", index=False)
    words, reason = BAD[name]
    ran = run("noise", "resist", "in.csv", *([] if "--label" in words else ["--label", "species"]), *words)
    assert (ran.code, ran.out) == (2, "")
    assert re.search(reason, ran.err)
    assert len(ran.err.strip().splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_key_figures_name_the_share_of_wrong_labels_achieved():
    found = noise_resist(FRAME, label="species", model=["bayes"], noise_rates=[0.4], repeats=2)
    achieved = found.resistance.rows[0].realised
    assert achieved != 0.4
    figure = found.document().figures[0]
    assert figure.name == f"bayes, {100 * achieved:.1f} % wrong labels in training"
    assert (figure.estimate.n, figure.note) == (2, "random splits")


def test_cleaning_is_compared_with_none(run, iris, monkeypatch):
    words = ["--label", "species", "--model", "tree", "--noise-rates", "0.3", "--repeats", 3]
    filters = ["--filter", "confident-learning,edited-neighbours(neighbours=5,vote=mode)", "--filter", "oracle"]
    found = run("noise", "resist", iris, *words, *filters, "--arm", "remove,correct", "--json").json
    jsonschema.validate(found, SCHEMA)
    named = ["confident-learning", "edited-neighbours(neighbours=5, vote=mode)", "oracle"]
    assert [(row["filter"], row["arm"]) for row in found["cleaned"]] == [
        (name, arm) for name in named for arm in ("remove", "correct")
    ]
    library = noise_resist(iris, label="species", model="tree", noise_rates=[0.3], repeats=3, filter=named,
                           arm=["correct", "remove"])  # fmt: skip
    assert library.to_dict() == found
    oracle = found["cleaned"][-1]
    assert oracle["difference"] > 0.1
    assert oracle["error"] + oracle["difference"] == pytest.approx(found["resist"][0]["error"])
    plain = run("noise", "resist", iris, *words, "--json").json
    assert plain["cleaned"] is None
    assert plain["resist"] == found["resist"]
    assert set(library.drawings()) == {"resistance", "cleaned"}
    spec = library.chart("cleaned").to_dict()
    assert "What cleaning is worth, 30 % wrong labels" in str(spec["title"])
    monkeypatch.setenv("COLUMNS", "80")
    shown = run("noise", "resist", iris, *words, *filters).out
    assert "Cleaning the training labels at 30.0 %: clearly better in" in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 80


def test_one_split_is_said_to_be_one(run, iris):
    words = ["--model", "tree", "--noise-rates", "0.3", "--filter", "edited-neighbours", "--arm", "remove"]
    one = run("noise", "resist", iris, "--label", "species", *words, "--repeats", 1).out
    assert "test rows" in next(line for line in one.splitlines() if line.startswith("learner"))
    assert "on the test rows of one split, another training set can differ" in " ".join(one.split())
    several = run("noise", "resist", iris, "--label", "species", *words, "--repeats", 3).out
    assert "splits" in next(line for line in several.splitlines() if line.startswith("learner"))
    assert "one split" not in several


BAD_FILTERS = {
    "unknown": (["--filter", "nearest"], "There is no filter 'nearest'. Filters: confident-learning"),
    "needs a file": (["--filter", "forgetting"], "needs what only a file can give (--history)"),
    "arm": (["--filter", "entropy", "--arm", "burn"], "arm (--arm) must be one of remove, weight, correct, drop-label"),
    "arm alone": (["--arm", "remove"], "--arm and --filter-model need a filter. Name one with --filter"),
    "twice": (["--filter", "entropy,entropy"], "Name each filter once"),
    "folds": (["--filter", "entropy", "--k", 1], "number of folds, must be 2 or more"),
    "option": (["--filter", "entropy(k=1)"], "has no option k. Its options: at_most"),
    "no probabilities": (["--filter", "entropy", "--filter-model", "svm"], "There is no learner 'svm'"),
}


@pytest.mark.parametrize("name", sorted(BAD_FILTERS))
def test_filters_that_cannot_be_used_are_refused(run, iris, name):
    words, reason = BAD_FILTERS[name]
    ran = run("noise", "resist", iris, "--label", "species", "--model", "bayes", "--noise-rates", "0.2", *words)
    assert (ran.code, ran.out) == (2, "")
    assert reason in " ".join(ran.err.split())
