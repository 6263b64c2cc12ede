"""Runs over a stream: budgets, questions, corrections, versions, restarts, and runs that were stopped."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse.core.errors import InputError, OptionError
from justesse.frames.stream_rows import timed_rows
from justesse.lifelong.experts import simulated_expert
from justesse.lifelong.item import Item
from justesse.lifelong.journal import MemoryJournal
from justesse.lifelong.ledger import Ledger
from justesse.lifelong.run import StreamRun
from justesse.lifelong.session import Session
from justesse.lifelong.stream import stream_of
from justesse.lifelong.supervision import minimal_supervision_cost
from justesse.lifelong.system import PythonSystem
from justesse.lifelong.tasks.classes import ClassTask
from learners.systems import Nearest, Static, rows

STREAM = stream_of(timed_rows(rows()))


def record(
    system, expert="perfect", budget=None, journal=None, stream=STREAM, restarts=False, cost=1.0, seed=0, **options
):
    task = ClassTask(stream.labels, stream.classes)
    session = Session(PythonSystem(system), {}, task, journal or MemoryJournal(), restarts=restarts)
    answering = simulated_expert(expert, stream.labels, stream.classes, seed=seed, cost=cost)
    return StreamRun(session, stream, answering, Ledger(budget), restarts=restarts, **options).run()


def plain(made):
    """A record without the times that it took."""
    cells = [(cell.version, replace(cell.episode, seconds=0.0)) for cell in made.restarted]
    episodes = [replace(episode, seconds=0.0) for episode in made.episodes]
    return episodes, made.versions, made.curve, cells, made.ledger.charges, made.skipped_rounds


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["perfect", "noisy", "refusing", "delayed:2", "tiring:3", "costly", "noisy+costly+delayed"]),
    st.integers(0, 60),
    st.sampled_from([("on-line", "active"), ("on-line", "interactive"), ("off-line", "active")]),
    st.integers(1, 9),
    st.sampled_from([0.5, 1.0, 2.3]),
)
def test_the_budget_is_never_exceeded_and_no_answer_is_free(expert, budget, kinds, each, cost):
    mode, learning = kinds
    seen = []

    class Watched(Nearest):
        def adapt(self, items, because):
            seen.extend(item.id for item in items if item.label is not None and because != "initial")
            super().adapt(items, because)

        def __deepcopy__(self, memo):
            return self

    made = record(
        Watched(each), expert, budget, mode=mode, learning=learning, round_cost=1.5 * (mode == "off-line"), cost=cost
    )
    assert made.ledger.spent <= budget
    charged = [charge.id for charge in made.ledger if charge.id is not None]
    assert len(charged) == len(set(charged))
    assert set(seen) <= set(charged)
    assert len(seen) == len(set(seen))


@pytest.mark.parametrize("system", [Nearest(5, 10), Nearest(1, 3), Nearest(20, 20, memory=5)])
@pytest.mark.parametrize("expert", ["noisy:0.3", "refusing:0.4", "costly", "delayed"])
def test_every_system_gets_the_same_answer_about_an_item(system, expert):
    other = record(Nearest(7, 30), expert)
    made = record(system, expert)

    def answers(run):
        charges = {charge.number: charge for charge in run.ledger}
        return {
            charges[outcome.charge].id: (outcome.label, outcome.delay, charges[outcome.charge].cost)
            for episode in run.episodes
            for outcome in episode.outcomes
        }

    both = answers(made).keys() & answers(other).keys()
    assert both
    assert all(answers(made)[id] == answers(other)[id] for id in both)


@pytest.mark.parametrize("learning", ["active", "unsupervised"])
def test_without_a_correction_the_penalised_score_is_the_score_after_adaptation(learning):
    made = record(Static(), learning=learning)
    assert not len(made.ledger)
    for episode in made.episodes:
        assert episode.score.value == episode.score.adapt == episode.score.base
        assert episode.score.penalty == 0


@pytest.mark.parametrize("expert", ["perfect", "noisy:0.4"])
def test_the_penalty_is_the_share_of_items_touched(expert):
    made = record(Nearest(), expert)
    for episode in made.episodes:
        assert episode.score.penalty == pytest.approx(len(episode.answers) / len(episode.items))
        assert episode.cost == len(episode.answers) == 10
    realised = [episode.score.realised_cor - episode.score.cor for episode in made.episodes]
    assert (max(realised) > 0) == (expert != "perfect")


def test_a_system_that_ignores_corrections_pays_for_each_of_its_errors():
    made = record(Static(), learning="interactive")
    for episode in made.episodes:
        errors = sum(answer != right for answer, right in zip(episode.base, episode.reference, strict=True))
        assert episode.cost == errors == len(episode.answers)
        assert episode.all_right


def test_an_expert_corrects_the_first_wrong_item_in_order():
    made = record(Nearest(), learning="interactive")
    order = {item.id: at for batch in STREAM.batches for at, item in enumerate(batch.items)}
    for episode in made.episodes:
        assert episode.all_right
        wrong_at_first = [
            item.id
            for item, answer, right in zip(episode.items, episode.base, episode.reference, strict=True)
            if answer != right
        ]
        first = next(charge.id for charge in made.ledger if charge.period == episode.period)
        assert order[first] == order[wrong_at_first[0]]
        # whoever learns from corrections needs fewer of them than it made errors
        assert len(episode.answers) <= len(wrong_at_first) + 3


def test_the_minimal_supervision_cost_by_hand():
    class Threshold:
        """Answers yes above a bound that it moves to the item corrected."""

        bound = 10.0

        def predict(self, items):
            return ["yes" if item.values["x"] >= self.bound else "no" for item in items]

        def adapt(self, items, because):
            self.bound = items[-1].values["x"]

    items = [Item(str(x), "1", {"x": x}) for x in (8, 3, 9, 5, 1)]
    labels = ["yes", "no", "yes", "yes", "no"]
    # at bound 10 all yes are wrong: 8 is corrected, which puts 9 right; then 5, and all is right
    assert minimal_supervision_cost(Threshold(), items, labels) == 2
    assert minimal_supervision_cost(Threshold(), items, labels, cost=2.5) == 5
    with pytest.raises(InputError, match="5 items"):
        minimal_supervision_cost(Threshold(), items, labels[:3])


def test_a_stop_in_the_middle_of_corrections_tells_the_system_nothing():
    made = record(Static(), budget=3, learning="interactive")
    assert made.ledger.spent == 3
    assert [episode.all_right for episode in made.episodes] == [False] * 4


def test_questions_on_line_are_only_about_the_current_batch():
    class Curious(Nearest):
        def ask(self, items, most):
            return ["i45"] if self.reasons.count(("batch", 30)) == 2 else []

    with pytest.raises(InputError, match="'i45'. Questions are only about items of the current batch"):
        record(Curious())

    class Everything(Nearest):
        def ask(self, items, most):
            return [items[0].id] if items else []

    made = record(Everything(), mode="off-line", budget=35)
    asked = [(charge.period, charge.id) for charge in made.ledger]
    assert asked[0][0] == "1"
    assert len(asked) == 35


def test_off_line_the_system_may_ask_about_earlier_periods_and_pays_for_rounds():
    class Later(Nearest):
        def ask(self, items, most):
            return [items[0].id] if len(items) == 59 or len(items) == 60 else []

    made = record(Later(), mode="off-line", round_cost=2.5)
    assert [charge.kind for charge in made.ledger] == ["round", "round", "question", "question", "round", "round"]
    first = {item.id for item in STREAM.batches[0].items}
    assert {charge.id for charge in made.ledger if charge.kind == "question"} <= first
    assert made.ledger.spent == 4 * 2.5 + 2
    assert all(episode.score.penalty == 0 for episode in made.episodes)


def test_a_round_that_cannot_be_paid_does_not_take_place():
    made = record(Nearest(), mode="off-line", round_cost=4, budget=9)
    assert made.skipped_rounds == ("2", "3", "4")
    assert [version.predictions for version in made.versions[1:]] == [made.versions[1].predictions] * 4


def test_answers_that_come_late_are_handed_over_in_a_later_period():
    history = []

    class Watched(Nearest):
        def adapt(self, items, because):
            history.append((because, [item.id for item in items]))
            super().adapt(items, because)

        def __deepcopy__(self, memo):
            return self

    made = record(Watched(), "delayed:2")
    kinds = [because for because, _ in history]
    assert kinds == ["initial", "batch", "batch", "answers", "batch", "answers", "batch"]
    assert history[3][1] == [charge.id for charge in made.ledger if charge.period == "1"]


def test_versions_are_tested_on_all_periods_and_never_learn_from_tests():
    history = []

    class Watched(Nearest):
        def adapt(self, items, because):
            history.extend(item.id for item in items)
            super().adapt(items, because)

        def __deepcopy__(self, memo):
            return self

    made = record(Watched())
    tests = STREAM.tests
    assert len(tests) == 40
    assert not {item.id for item in tests} & set(history)
    assert [version.name for version in made.versions] == ["v0", "v1", "v2", "v3", "v4"]
    assert [version.trained for version in made.versions] == ["0", "1", "2", "3", "4"]
    assert all(len(version.predictions) == 40 for version in made.versions)
    reference = STREAM.labels_of(tests)
    for version, point in zip(made.versions, made.curve, strict=True):
        assert point.score == np.mean([a != b for a, b in zip(version.predictions, reference, strict=True)])


@pytest.mark.parametrize("learning", ["active", "interactive", "unsupervised"])
def test_every_restart_begins_from_the_state_of_its_version(learning):
    made = record(Nearest(), "noisy", learning=learning, restarts=True, restart_budget=6)
    assert [(cell.version, cell.episode.period) for cell in made.restarted] == [
        (f"v{i}", str(j)) for i in range(5) for j in range(1, min(i + 1, 4) + 1)
    ]
    tests, versions = STREAM.tests, {version.name: version for version in made.versions}
    for cell in made.restarted:
        # before any help, M_ij answers as M_i does
        answers = dict(zip((item.id for item in tests), versions[cell.version].predictions, strict=True))
        assert cell.episode.base == tuple(answers[item.id] for item in cell.episode.items)
        assert cell.episode.cost <= 6
    without = record(Nearest(), "noisy", learning=learning)
    assert plain(without)[:3] == plain(made)[:3]
    assert without.ledger.charges == made.ledger.charges


@pytest.mark.parametrize(
    ("expert", "options"),
    [
        ("noisy+costly", {"budget": 40}),
        ("perfect", {"learning": "interactive", "budget": 30}),
        ("delayed:1+refusing", {"mode": "off-line", "round_cost": 1, "budget": 30}),
        ("noisy", {"restarts": True, "restart_budget": 5}),
    ],
)
def test_a_run_that_was_stopped_anywhere_goes_on_to_the_same_end(expert, options):
    journal = MemoryJournal()
    whole = record(Nearest(), expert, journal=journal, **options)
    steps = journal.read()
    for cut in {0, 1, 2, len(steps) // 3, len(steps) // 2, len(steps) - 1, len(steps)}:
        again = MemoryJournal(steps[:cut])
        assert plain(record(Nearest(), expert, journal=again, **options)) == plain(whole)
        assert [replace(step, seconds=0.0) for step in again.read()] == [replace(step, seconds=0.0) for step in steps]


def test_a_complete_run_is_not_run_again():
    journal = MemoryJournal()
    whole = record(Nearest(), "noisy", journal=journal)

    class Broken(Nearest):
        def predict(self, items):
            raise AssertionError

    assert plain(record(Broken(), "noisy", journal=journal)) == plain(whole)


def test_a_system_that_answers_otherwise_after_a_restart_is_refused():
    journal = MemoryJournal()
    record(Nearest(), "noisy", journal=journal)
    half = MemoryJournal(journal.read()[:9])
    with pytest.raises(InputError, match="was started again and answers .* otherwise"):
        record(Nearest(memory=1), "noisy", journal=half)


def test_a_journal_of_other_settings_is_refused():
    journal = MemoryJournal()
    record(Nearest(), "noisy", journal=journal, budget=20)
    with pytest.raises(InputError, match="other data or settings"):
        record(Nearest(), "noisy", journal=journal, stream=stream_of(timed_rows(rows(seed=3))))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"predict": lambda self, items: ["no"] * (len(items) - 1)},
            "replied with 39 classes to 40 items. Reply with one per item",
        ),
        (
            {"predict": lambda self, items: ["maybe"] * len(items)},
            "'maybe' for item .* none of the classes of the stream: 'no', 'yes'",
        ),
        ({"predict": lambda self, items: None}, "list of classes, one per item; got nothing"),
        ({"predict": lambda self, items: {"i1": "no"}}, "gave no class for"),
        ({"predict": lambda self, items: [None] * len(items)}, "predicted nothing for item"),
        ({"predict": lambda self, items: 1 / 0}, "failed in predict: ZeroDivisionError"),
        ({"ask": lambda self, items, most: "i1"}, "list of ids"),
        ({"ask": lambda self, items, most: [items[0].id] * 2}, "twice at once"),
        ({"ask": lambda self, items, most: ["nobody"]}, "asked about item 'nobody'"),
    ],
)
def test_a_system_that_replies_nonsense(change, words):
    with pytest.raises(InputError, match=words):
        record(type("Odd", (Nearest,), change)())


def test_a_system_needs_its_methods():
    with pytest.raises(OptionError, match="object has no predict"):
        PythonSystem(object())

    class Mute:
        def predict(self, items):
            return ["no"] * len(items)

        def adapt(self, items, because):
            pass

    with pytest.raises(OptionError, match="add a method ask"):
        record(Mute())
    assert len(record(Mute(), learning="unsupervised").episodes) == 4


def test_predictions_may_be_arrays_objects_or_other_spellings():
    items = [Item("a", "1"), Item("b", "1")]
    assert ClassTask({}, (0, 1)).checked(np.array([0, 1]), items, "s") == [0, 1]
    assert ClassTask({}, (0, 1)).checked({"b": "1", "a": 0.0}, items, "s") == [0, 1]
    assert ClassTask({}, (False, True)).checked((True, False), items, "s") == [True, False]


def test_a_stream_needs_more_periods_than_are_initial():
    with pytest.raises(InputError, match="nothing is left to run on"):
        stream_of(timed_rows(rows(periods=2)), initial=2)
    for share in (-0.1, 1.0):
        with pytest.raises(OptionError, match="test_share"):
            stream_of(timed_rows(rows()), test_share=share)
    assert not stream_of(timed_rows(rows()), test_share=0).tests
    none = stream_of(timed_rows(rows()), initial=0)
    assert (len(none.initial), len(none.batches), none.trained) == (0, 5, "-1")
