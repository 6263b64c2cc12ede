"""Tournaments on labels and true classes that accept several classes, against a count row by row."""

import itertools

import numpy as np
import pytest

import justesse
from justesse.core.answer_policy import AnswerPolicy
from justesse.core.errors import OptionError
from justesse.frames.entrants import read_entrants
from justesse.frames.pair_disagreements import count_disagreements
from justesse.frames.pairwise import count_pairs

CLASSES = ("a", "b", "c", "d")


def random_rows(seed, n=None, names=CLASSES, models=3):
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(10, 40))

    def cell():
        return [names[k] for k in rng.permutation(len(names))[: rng.integers(1, 4)]]

    labels, truth = ([cell() for _ in range(n)] for _ in range(2))
    answers = {f"m{at}": [names[k] for k in rng.integers(len(names), size=n)] for at in range(models)}
    return labels, truth, answers


def written(sets):
    return ["|".join(map(str, one)) for one in sets]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("names", [CLASSES, (0, 1, 2, 3)])
def test_all_pairs_are_counted_as_the_sets_say(seed, names):
    labels, truth, answers = random_rows(seed, names=names)
    table = {"label": written(labels), "true": written(truth), **answers}
    found = read_entrants({"": table}, policy=AnswerPolicy(any_of="|"), classes=list(names), models=list(answers))
    for column, sets, codes in (("label", labels, found.labels["label"]), ("true", truth, found.true)):
        counted = count_pairs(codes, found.judged_by(column))
        for (i, one), (j, other) in itertools.product(enumerate(answers.values()), repeat=2):
            pairs = [(a in accepted, b in accepted) for accepted, a, b in zip(sets, one, other, strict=True)]
            assert int(counted.only_incumbent[i, j]) == pairs.count((True, False))
            assert int(counted.only_candidate[i, j]) == pairs.count((False, True))
            assert int(counted.both_right[i, j]) == pairs.count((True, True))
            alike = sum(a == b and a not in s for s, a, b in zip(sets, one, other, strict=True))
            assert int(counted.both_wrong_alike[i, j]) == alike
    wrong = np.mean([not set(a) & set(b) for a, b in zip(labels, truth, strict=True)])
    assert found.judged.wrong["label"] == pytest.approx(wrong)
    by_label, by_truth = found.judged_by("label") == found.labels["label"], found.judged_by("true") == found.true
    disputes = count_disagreements(by_label, by_truth, found.answers)
    for (i, one), (j, other) in itertools.product(enumerate(answers.values()), repeat=2):
        expected = np.zeros((3, 3), dtype=int)
        for accepted, right, a, b in zip(labels, truth, one, other, strict=True):
            if a != b:
                expected[1 + (b in accepted) - (a in accepted), 1 + (b in right) - (a in right)] += 1
        assert disputes[i, j].tolist() == expected.tolist()


def test_judges_agree_with_compare_on_every_pair():
    labels, truth, answers = random_rows(1, n=150)
    rng = np.random.default_rng(2)
    for skill, name in zip((0.3, 0.6, 0.9), answers, strict=True):  # some clearly better
        answers[name] = [t[0] if rng.random() < skill else a for t, a in zip(truth, answers[name], strict=True)]
    table = {"label": written(labels), "true": written(truth), **answers}
    held = justesse.tournament(table, judges=["paired", "classical", "audited"], any_of="|", models=list(answers))
    first = held.rounds[0]
    for (i, old), (j, new) in itertools.permutations(enumerate(answers), 2):
        for at, judge in enumerate(("paired", "classical")):
            pair = justesse.compare(table, incumbent=old, candidate=new, any_of="|", judge=judge).best
            assert bool(first.judged[at].replaces[i, j]) == pair.verdict.replaces
            form = "paired" if judge == "paired" else "overlap"
            assert bool(first.references[form][i, j]) == pair.truth.replaces
            assert first.version.realised == pytest.approx(pair.wrong_labels)
    right = [np.mean([a in t for a, t in zip(said, truth, strict=True)]) for said in answers.values()]
    assert first.values.tolist() == pytest.approx(right)
    assert first.references["paired"].any()


def test_what_needs_one_class_is_left_out_or_refused(write, run):
    labels, truth, answers = random_rows(3, n=60)
    table = {"label": written(labels), "true": written(truth), **answers}
    held = justesse.tournament(table, any_of="|", models=list(answers))
    names = [one.name for one in held.rounds[0].judged]
    assert "paired" in names
    assert not [name for name in names if name.startswith(("cleaned", "sharp", "prudent_v1"))]
    told = " ".join(held.warnings)
    assert "Left out: prudent_v1, sharp, cleaned" in told
    assert "true classes accept several classes" in told
    with pytest.raises(OptionError, match="The judge sharp needs one label and one true class per row"):
        justesse.tournament(table, any_of="|", judges="sharp", models=list(answers))
    assert justesse.tournament(table, any_of="|", judges="sharp", rate=0.1, models=list(answers)).pairs == 6
    with pytest.raises(OptionError, match="needs one class per row"):
        justesse.tournament(table, any_of="|", measure="recall", models=list(answers))
    with pytest.raises(OptionError, match="noise_rates makes true classes wrong"):
        justesse.tournament(table, any_of="|", noise_rates=[0.1], models=list(answers))
    lines = [",".join(table), *(",".join(map(str, row)) for row in zip(*table.values(), strict=True))]
    shown = run("tournament", write("rows.csv", "\n".join(lines) + "\n"), "--any-of", "|", "--judge", "paired")
    assert shown.code == 0
    assert "3 classifiers, 6 ordered pairs, accuracy, n = 60" in " ".join(
        shown.out.split()
    )  # columns found without --model
