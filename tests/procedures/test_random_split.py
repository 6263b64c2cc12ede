"""The chance of equal rows under a random split: permutations as the oracle."""

import numpy as np
import pytest

from justesse.frames.fingerprints import copies
from justesse.frames.sides import side
from justesse.procedures.disjoint import check_near, check_repeated, check_shared
from justesse.procedures.random_split import as_many_repeated, as_many_shared


def shared(test, train):
    return int(np.isin(test, train).sum())


def repeated(test, train):
    return len(test) - len(np.unique(test))


@pytest.mark.parametrize(("chance_of", "counted"), [(as_many_shared, shared), (as_many_repeated, repeated)])
@pytest.mark.parametrize(("values", "rows"), [(400, 200), (60, 200), (3000, 6000)])
def test_chances_are_those_of_permutations(chance_of, counted, values, rows):
    rng = np.random.default_rng(values)
    pool = rng.integers(0, values, rows)
    cut = rows // 4
    drawn = []
    for _ in range(400):
        mixed = rng.permutation(pool)
        drawn.append(counted(mixed[:cut], mixed[cut:]))
    found = copies(side({"x": pool[:cut]}, "test"), side({"x": pool[cut:]}, "train"), ["x"])
    chance = chance_of(found.test, found.train, found.many)
    assert chance == pytest.approx(np.mean(np.array(drawn) >= counted(pool[:cut], pool[cut:])), abs=0.1)


def test_a_test_of_its_own_rows_alone_is_no_surprise():
    assert as_many_shared(np.array([1]), np.array([0]), np.array([9])) == 1
    assert as_many_shared(np.array([0, 2]), np.array([1, 0]), np.array([9, 3])) == 1


def coarse(rng, n):
    return {
        "sex": rng.integers(0, 2, n),
        "job": rng.integers(0, 30, n),
        "hours": rng.integers(30, 45, n),
        "label": rng.integers(0, 2, n),
    }


def test_equal_rows_of_different_records_are_no_leak_and_no_label_is_called_wrong():
    rng = np.random.default_rng(1)
    test, train = side(coarse(rng, 100), "test"), side(coarse(rng, 900), "train")
    found = check_shared(test, train, ["sex", "job", "hours"], how="exact", digits=6, label="label")
    assert found.figures["rows"] > 30
    assert found.state == "not applicable"
    assert "not clearly more often than training rows equal each other" in found.sentence
    assert "wrong" not in found.sentence


def test_copies_are_found_among_equal_rows_of_different_records():
    rng = np.random.default_rng(2)
    train = coarse(rng, 300)
    test = {name: np.concatenate([values[:40], coarse(rng, 60)[name]]) for name, values in train.items()}
    options = {"digits": 6, "label": "label"}
    columns = ["sex", "job", "hours"]
    found = check_shared(side(test, "test"), side(train, "train"), columns, how="exact", **options)
    assert found.state == "failed"
    assert "of the training rows equal each other" in found.sentence
    assert "wrong" not in found.sentence
    twice = {name: np.concatenate([values[-60:], values[-60:]]) for name, values in test.items()}
    assert check_repeated(side(twice, "test"), columns, train=side(train, "train"), **options).state == "failed"


FORM = "dear customer, thank you for your order {} which will be sent within {} days, yours sincerely, the {} team"


def test_form_letters_are_no_leak_and_a_changed_word_is():
    def letters(n, seed):
        rng = np.random.default_rng(seed)
        return [FORM.format(*rng.integers(0, 10_000, 3)) for _ in range(n)]

    test, train = side({"x": letters(60, 0)}, "test"), side({"x": letters(200, 1)}, "train")
    found = check_near(test, train, "x", near=0.7)
    assert found.state == "not applicable"
    assert "not clearly more often than training texts do with each other" in found.sentence
    rng = np.random.default_rng(2)
    own = [" ".join("".join(rng.choice(list("abcdefghij"), 6)) for _ in range(15)) for _ in range(260)]
    planted = [own[0].replace(own[0].split()[7], "other"), *own[201:]]
    assert check_near(side({"x": planted}, "test"), side({"x": own[:200]}, "train"), "x", near=0.7).state == "failed"
