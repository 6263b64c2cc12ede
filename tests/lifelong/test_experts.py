"""Simulated experts: seeded, and the same for every system."""

import pkgutil
import random

import numpy as np
import pytest

import justesse.lifelong.experts
from justesse.core.errors import OptionError
from justesse.lifelong.experts import ALL, expert_kinds, simulated_expert
from justesse.lifelong.item import Item

CLASSES = ("a", "b", "c")
LABELS = {str(at): CLASSES[at % 3] for at in range(2000)}
ITEMS = [Item(id, "1") for id in LABELS]


def expert(text, seed=0, cost=1.0):
    return simulated_expert(text, LABELS, CLASSES, seed=seed, cost=cost)


def test_every_kind_is_in_the_registry_and_describes_itself():
    files = {module.name for module in pkgutil.iter_modules(justesse.lifelong.experts.__path__)}
    assert {kind.name for kind in ALL} == files - {"expert"}
    assert all(kind.summary.endswith(".") for kind in ALL)


@pytest.mark.parametrize("text", ["perfect", "noisy", "refusing", "delayed:2", "costly", "noisy+refusing+costly:3"])
def test_the_answer_about_an_item_depends_neither_on_the_order_nor_on_the_number_of_questions(text):
    first, second = expert(text), expert(text)
    mixed = random.Random(1).sample(ITEMS, len(ITEMS))
    replies = dict(zip(LABELS, first.replies(1, ITEMS, [None] * len(ITEMS), 0), strict=True))
    for item in mixed[:300]:
        assert second.replies(9, [item], ["a"], 77) == [replies[item.id]]
        assert second.price(item.id) == first.price(item.id)


def test_a_tiring_expert_errs_more_with_every_answer_and_is_the_same_for_equal_histories():
    tired = expert("tiring:50")
    rates = [
        np.mean([tired.reply(id, before).label != label for id, label in LABELS.items()]) for before in (0, 50, 500)
    ]
    assert rates[0] == 0
    assert rates[1] == pytest.approx(0.25, abs=0.04)
    assert rates[2] == pytest.approx(0.5, abs=0.05)
    wrong = {id for id, label in LABELS.items() if tired.reply(id, 20).label != label}
    assert wrong <= {id for id, label in LABELS.items() if tired.reply(id, 60).label != label}
    assert tired.replies(1, ITEMS[:50], [None] * 50, 0)[49] == tired.reply("49", 49)


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5, 1.0])
def test_the_strength_is_the_share_of_wrong_answers_and_of_refusals(rate):
    wrong = np.mean([expert(f"noisy:{rate}").reply(id).label != label for id, label in LABELS.items()])
    refused = np.mean([expert(f"refusing:{rate}").reply(id).label is None for id in LABELS])
    assert wrong == pytest.approx(rate, abs=0.04)
    assert refused == pytest.approx(rate, abs=0.04)


def test_prices_do_not_hint_at_the_answer():
    prices = [expert("costly:4", cost=2).price(id) for id in LABELS]
    assert 2 <= min(prices) < 2.2 < 7.8 < max(prices) <= 8
    other = {id: CLASSES[(at + 1) % 3] for at, id in enumerate(LABELS)}
    assert prices == [simulated_expert("costly:4", other, CLASSES, cost=2).price(id) for id in LABELS]


def test_another_seed_gives_other_mistakes():
    mistakes = [
        {id for id, label in LABELS.items() if expert("noisy", seed).reply(id).label != label} for seed in (0, 1)
    ]
    assert mistakes[0] != mistakes[1]


def test_one_class_leaves_nothing_to_confuse():
    alone = simulated_expert("noisy:1", {"1": "a"}, ("a",))
    assert alone.reply("1").label == "a"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("lazy", "perfect, noisy, refusing, delayed, tiring, costly"),
        ("noisy:2", "takes a number from 0 to 1"),
        ("noisy:x", "takes a number from 0 to 1"),
        ("perfect:1", "takes no number"),
        ("noisy+noisy", "names noisy twice"),
        ("noisy:0.1+costly+noisy:0.2", "names noisy twice"),
        ("perfect+noisy", "perfect cannot be joined"),
        ("noisy+", "must be one of"),
    ],
)
def test_an_expert_that_cannot_be_read(text, words):
    with pytest.raises(OptionError, match=words):
        expert_kinds(text)
