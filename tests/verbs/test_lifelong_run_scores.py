"""Runs that are scored by word errors, BLEU or diarization errors, against definitions written out by hand."""

import json
import math
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

import justesse
from justesse.core.errors import InputError
from learners.speakers_and_words import Dictionary, Voices, recordings, sentences


def distance(left, right):
    """Edit distance by a table, each cell from its three neighbours."""
    table = {(i, 0): i for i in range(len(left) + 1)} | {(0, j): j for j in range(len(right) + 1)}
    for i in range(1, len(left) + 1):
        for j in range(1, len(right) + 1):
            same = table[i - 1, j - 1] + (left[i - 1] != right[j - 1])
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, same)
    return table[len(left), len(right)]


def wer(reference, answers):
    texts = list(zip(reference, answers, strict=True))
    return sum(distance(r.split(), a.split()) for r, a in texts) / sum(len(r.split()) for r in reference)


def bleu(reference, answers):
    logs = []
    for n in range(1, 5):
        right = every = 0
        for r, a in zip(reference, answers, strict=True):
            grams = [Counter(tuple(t.split()[i : i + n]) for i in range(len(t.split()) - n + 1)) for t in (r, a)]
            right += sum(min(count, grams[0][gram]) for gram, count in grams[1].items())
            every += sum(grams[1].values())
        if not right:
            return 0.0
        logs.append(math.log(right / every))
    r, a = (sum(len(t.split()) for t in texts) for texts in (reference, answers))
    return math.exp(min(0.0, 1 - r / a) + sum(logs) / 4)


FRAME = 0.5


def frames(speech, end):
    """Who speaks in each frame."""
    return [
        frozenset(name for name, low, high in speech if low <= at * FRAME < high - 1e-9)
        for at in range(round(end / FRAME))
    ]


def rate(reference, hypotheses):
    """Diarization error rate by frames: all ways to name the speakers of each recording are tried."""
    wrong = total = 0
    for id, right in reference.items():
        heard = hypotheses[id]
        end = max(high for _, _, high in [*right, *heard])
        truth, guess = frames(right, end), frames(heard, end)
        names, voices = (sorted({name for part in parts for name in part}) for parts in (truth, guess))
        padded = [*names, *(f"none{i}" for i in range(len(voices)))]
        best = min(
            sum(
                max(len(t), len(g)) - len(t & {named[v] for v in g})
                for t, g in zip(truth, guess, strict=True)
            )
            for order in permutations(padded, len(voices))
            for named in [dict(zip(voices, order, strict=True))]
        )  # fmt: skip
        wrong, total = wrong + best, total + sum(map(len, truth))
    return wrong / total


SCORES = {"wer": (wer, False), "bleu": (bleu, True)}
KINDS = [
    {"learning": "active"},
    {"learning": "active", "budget": 7, "expert": "noisy:0.5"},
    {"learning": "interactive", "expert": "refusing:0.3"},
    {"learning": "unsupervised"},
    {"learning": "active", "mode": "off-line", "round_cost": 1.0},
]


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("options", KINDS)
def test_penalised_scores_of_texts_by_hand(score, options):
    scored, higher = SCORES[score]
    result = justesse.lifelong_run(Dictionary(), sentences(), score=score, **options)
    data = result.to_dict()
    assert data["score"]["higher_is_better"] is higher
    touched = 0
    for episode, row in zip(result.record.episodes, data["periods"], strict=True):
        right = list(episode.reference)
        here = [item.id in episode.answers for item in episode.items]
        touched += sum(here)
        cor = [r if t else b for r, b, t in zip(right, episode.base, here, strict=True)]
        false = ["wrong " * len(r.split()) if t else b for r, b, t in zip(right, episode.base, here, strict=True)]
        assert row["adapt"] == pytest.approx(scored(right, episode.adapted))
        assert row["base"] == pytest.approx(scored(right, episode.base))
        assert row["penalty"] == pytest.approx(scored(right, false) - scored(right, cor))
        assert row["penalised"] == pytest.approx(row["adapt"] + row["penalty"])
        gain = row["penalised"] - row["base"] if higher else row["base"] - row["penalised"]
        assert row["gain"] == pytest.approx(gain)
        if row["interval"]:
            assert row["interval"]["low"] <= row["adapt"] <= row["interval"]["high"]
    assert (touched > 0) == (options["learning"] != "unsupervised" and options.get("mode") != "off-line")
    mean = np.mean([row["adapt"] for row in data["periods"]])
    assert data["mean"]["value"] == pytest.approx(mean)
    assert data["error"] is None
    assert "labels" not in str(data["classes"])
    tests = result.stream.tests
    last = scored([result.stream.labels[item.id] for item in tests], result.record.versions[-1].predictions)
    assert data["curve"][-1]["score"] == pytest.approx(last)
    assert json.dumps(data, allow_nan=False)


@pytest.mark.parametrize("stretch", [None, 4.0])
@pytest.mark.parametrize("options", KINDS)
def test_penalised_diarization_by_frames(tmp_path, stretch, options):
    rows, path = recordings(tmp_path)
    result = justesse.lifelong_run(Voices(), rows, score="der", reference=path, stretch=stretch, **options)
    truth, windows = result.task.labels, result.task.windows
    touched = 0
    for episode, row in zip(result.record.episodes, result.to_dict()["periods"], strict=True):
        ids = [item.id for item in episode.items]
        right = {id: truth[id] for id in ids}
        assert row["adapt"] == pytest.approx(rate(right, dict(zip(ids, episode.adapted, strict=True))))
        assert row["base"] == pytest.approx(rate(right, dict(zip(ids, episode.base, strict=True))))
        # the price of the help is the share of the speech in the times touched
        speech = sum(high - low for id in ids for _, low, high in truth[id])
        inside = 0.0
        for question in episode.answers:
            id, start, end = windows[question]
            inside += sum(max(0.0, min(high, end) - max(low, start)) for _, low, high in truth[id])
        touched += len(episode.answers)
        assert row["penalty"] == pytest.approx(inside / speech)
    assert (touched > 0) == (options["learning"] != "unsupervised" and options.get("mode") != "off-line")


@pytest.mark.parametrize("stretch", [None, 3.0])
def test_interactive_learning_of_voices_ends_when_all_is_right(tmp_path, stretch):
    rows, path = recordings(tmp_path, seed=3)

    class Obedient(Voices):
        """Also keeps the corrections of the recordings themselves."""

        def __init__(self):
            super().__init__()
            self.corrected = {}

        def adapt(self, items, because):
            super().adapt(items, because)
            for item in items:
                if because == "correction":
                    start = item.values.get("start", 0.0)
                    end = item.values.get("end") or math.inf
                    name = item.values.get("recording", item.id)
                    self.corrected.setdefault(name, []).append((start, end, item.label))

        def predict(self, items):
            answers = []
            for item, speech in zip(items, super().predict(items), strict=True):
                for start, end, label in self.corrected.get(item.id, []):
                    cut = [[n, a, min(b, start)] for n, a, b in speech if a < start]
                    cut += [[n, max(a, end), b] for n, a, b in speech if b > end]
                    speech = [*cut, *label]
                answers.append(speech)
            return answers

    result = justesse.lifelong_run(
        Obedient(), rows, score="der", reference=path, stretch=stretch, learning="interactive", collar=0.0
    )
    for episode in result.record.episodes:
        assert episode.all_right
        assert episode.score.adapt == pytest.approx(0.0, abs=1e-9)
    assert result.supervision == result.record.ledger.spent > 0


def test_a_budget_holds_and_a_stopped_run_of_speech_goes_on(tmp_path):
    rows, path = recordings(tmp_path)
    options = {"score": "der", "reference": path, "stretch": 4.0, "budget": 5, "expert": "noisy:0.4+costly:3"}
    whole = justesse.lifelong_run(Voices(), rows, **options)
    assert whole.record.ledger.spent <= 5

    class Crash(Voices):
        left = 9

        def predict(self, items):
            Crash.left -= 1
            if Crash.left < 0:
                raise RuntimeError("power cut")
            return super().predict(items)

    with pytest.raises(InputError, match="power cut"):
        justesse.lifelong_run(Crash(), rows, checkpoint=tmp_path / "my.run", name="v", **options)
    Crash.left = 1000
    again = justesse.lifelong_run(Crash(), rows, checkpoint=tmp_path / "my.run", name="v", **options)
    assert again.record.ledger.charges == whole.record.ledger.charges
    assert again.to_dict()["periods"] == whole.to_dict()["periods"]
    assert again.answers() == whole.answers()


@pytest.mark.parametrize("convention", ["through-next", "paper"])
def test_equation_3_weighs_restarted_scores(tmp_path, convention):
    rows = sentences()
    result = justesse.lifelong_run(
        Dictionary(), rows, score="wer", restarts=True, budget=9, policy="recent", convention=convention
    )
    cells = {(cell.version, cell.episode.period): cell.episode for cell in result.record.restarted}
    for episode in cells.values():  # each begins from its version: before help it answers as the version does
        version = next(
            v
            for v in result.record.versions
            if (v.name, episode.period) in cells and cells[v.name, episode.period] is episode
        )
        own = dict(zip((item.id for item in result.stream.tests), version.predictions, strict=True))
        assert episode.base == tuple(own[item.id] for item in episode.items)
    scores = {score["version"]: score for score in result.to_dict()["policy"]["scores"]}
    last = (
        {"v0": 1, "v1": 2, "v2": 3, "v3": 3} if convention == "through-next" else {"v0": 0, "v1": 1, "v2": 2, "v3": 3}
    )
    for name, periods in last.items():
        if not periods:
            assert scores[name]["value"] is None
            assert "no test period" in scores[name]["undefined"]
            continue
        weights = np.exp2(np.arange(periods)) / np.exp2(np.arange(periods)).sum()
        values = []
        for period in range(1, periods + 1):
            episode = cells[name, str(period)]
            here = [item.id in episode.answers for item in episode.items]
            right = list(episode.reference)
            words = sum(len(text.split()) for text in right)
            price = sum(len(text.split()) for text, t in zip(right, here, strict=True) if t) / words
            values.append(wer(right, episode.adapted) + price)
        assert scores[name]["value"] == pytest.approx(float(weights @ values))
        assert scores[name]["interval"]["low"] < scores[name]["value"] < scores[name]["interval"]["high"]
    assert result.to_dict()["policy"]["penalised"] is True


def test_equation_2_of_a_run_is_that_of_lifelong_score(tmp_path):
    from learners.systems import Nearest
    from learners.systems import rows as items

    result = justesse.lifelong_run(Nearest(), items(), policy="recent", to=tmp_path / "answers.csv")
    other = justesse.lifelong_score(tmp_path / "answers.csv", trained="trained", policy="recent", period=1).to_dict()
    for mine, theirs in zip(result.to_dict()["policy"]["scores"], other["score"], strict=True):
        assert mine["value"] == pytest.approx(theirs["value"])
        assert mine["interval"]["low"] == pytest.approx(theirs["interval"]["low"])
        assert mine["interval"]["high"] == pytest.approx(theirs["interval"]["high"])
        assert {key: mine[key] for key in ("version", "n", "weights")} == {
            key: theirs[key] for key in ("version", "n", "weights")
        }


def test_scores_written_are_read_by_lifelong_score(tmp_path):
    path = tmp_path / "scores.csv"
    result = justesse.lifelong_run(Dictionary(), sentences(), score="bleu", policy="past", to=path)
    scored = justesse.lifelong_score(
        path, score="bleu", higher_is_better=True, trained="trained", period=1, policy="past"
    )
    mine = [score["value"] for score in result.to_dict()["policy"]["scores"]]
    assert [score.value for score in scored.scores] == pytest.approx(mine)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (lambda items: ["a"] * (len(items) - 1), "replied with 11 texts to 12 items"),
        (lambda items: [7] * len(items), "answered 7 for item .* which is no text"),
        (lambda items: None, "list of texts, one per item; got nothing"),
        (lambda items: {"0-0": "a"}, "gave no text for"),
    ],
)
def test_systems_that_reply_no_texts(reply, words):
    class Odd(Dictionary):
        def predict(self, items):
            return reply(items)

    with pytest.raises(InputError, match=words):
        justesse.lifelong_run(Odd(), sentences(), score="wer")


@pytest.mark.parametrize(
    ("speech", "words"),
    [
        ("Ann", "answered 'Ann' for recording 'r1-.'. Reply with a list of segments"),
        ([["Ann", 1]], "answered the segment"),
        ([["Ann", 3, 1]], "its start 0 or more and before its end"),
        ([["Ann", -3, 1]], "its start 0 or more"),
        ([["Ann", "x", 1]], "answered the segment"),
        ([["Ann", 0, math.inf]], "answered the segment"),
        ([{"speaker": "Ann", "start": 1}], "answered the segment"),
    ],
)
def test_systems_that_reply_no_speech(tmp_path, speech, words):
    rows, path = recordings(tmp_path)

    class Odd(Voices):
        def predict(self, items):
            return [speech] * len(items)

    with pytest.raises(InputError, match=words):
        justesse.lifelong_run(Odd(), rows, score="der", reference=path)


def test_streams_that_cannot_be_scored(tmp_path):
    rows, path = recordings(tmp_path)
    with pytest.raises(InputError, match="Recording 'other' of .* has no SPEAKER line"):
        justesse.lifelong_run(Voices(), rows | {"id": ["other", *rows["id"][1:]]}, score="der", reference=path)
    with pytest.raises(InputError, match="stretch .* must be a time above 0"):
        justesse.lifelong_run(Voices(), rows, score="der", reference=path, stretch=0.0)
    with pytest.raises(
        InputError, match=r"stretch .* 1e-09 cuts the recordings into .* stretches.*Choose a longer one"
    ):
        justesse.lifelong_run(Voices(), rows, score="der", reference=path, stretch=1e-9)
    with pytest.raises(InputError, match="The collar must be a time of 0 or more"):
        justesse.lifelong_run(Voices(), rows, score="der", reference=path, collar=-1.0)
    with pytest.raises(
        InputError, match="items of period 1 in .* nothing that the diarization error rate is counted of"
    ):
        justesse.lifelong_run(Voices(), rows, score="der", reference=path, collar=50.0)
    texts = sentences()
    label = ["" if time == 2 else text for time, text in zip(texts["time"], texts["label"], strict=True)]
    with pytest.raises(InputError, match="Missing values in column 'label' of .*: rows 33, 34"):
        justesse.lifelong_run(Dictionary(), texts | {"label": label}, score="wer")


def test_right_answers_are_never_sent_before_they_are_asked_for(tmp_path):
    rows, path = recordings(tmp_path)
    seen = []

    class Watched(Voices):
        def start(self, about):
            seen.append(dict(about))

        def predict(self, items):
            assert all(item.label is None for item in items)
            return super().predict(items)

        def ask(self, items, most):
            assert all(item.label is None for item in items)
            return super().ask(items, most)

    justesse.lifelong_run(Watched(), rows, score="der", reference=path, stretch=4.0)
    assert seen[0]["answers"] == "speech"
    assert "p1" not in json.dumps(seen[0])


def test_pages_and_words_of_other_scores(tmp_path):
    rows, path = recordings(tmp_path)
    speech = justesse.lifelong_run(Voices(), rows, score="der", reference=path, stretch=4.0, budget=9, restarts=True)
    assert "Mean diarization error rate of Voices over 3 periods: 0." in repr(speech)
    text = speech.report(tmp_path / "page.html").read_text()
    for words in ("Under your policy", "equation 3", "stretch of a question", "diarization error rate"):
        assert words in text
    assert "Mean BLEU" in repr(justesse.lifelong_run(Dictionary(), sentences(), score="bleu"))
