"""Reference values at the edges of word error rates, BLEU and diarization for tests/lifelong/test_score_edges.py.

Empty and repeated answers, insertions only, ties of reference lengths, overlapping speakers, several recordings. The
packages are no dependencies of the tests, so their values are stored. To make them again, in an environment of its own:

    pip install pyannote.metrics simpleder sacrebleu nltk jiwer
    python tests/oracles/lifelong_edges.py > tests/oracles/lifelong_edges.json
"""

import json
import random
import warnings
from importlib.metadata import version

WORDS = (
    # right answers and the system's
    ("an empty answer", ["a b c"], [""]),
    ("all answers empty", ["a b c", "d"], ["", ""]),
    ("one empty answer of two", ["a b c", "d e"], ["", "d e"]),
    ("insertions only", ["a b c"], ["a x b y c z z"]),
    ("more insertions than words", ["a"], ["x y z w v a u"]),
    ("deletions only", ["a b c d e"], ["b d"]),
    ("replacements only", ["a b c d"], ["w x y z"]),
    ("swapped neighbours", ["a b c d"], ["b a d c"]),
    ("a word repeated", ["the the the"], ["the"]),
    ("repeated too often", ["the"], ["the the the"]),
    ("reversed", ["a b c d e f"], ["f e d c b a"]),
    ("case counts", ["The cat sat"], ["the cat sat"]),
    ("punctuation counts", ["stop ."], ["stop."]),
    ("more blanks", ["a  b   c"], [" a b c "]),
    ("accents", ["déjà vu à l'été"], ["deja vu a l'été"]),
    ("other scripts", ["мир и 世界 🙂"], ["мир 世界 🙂 🙂"]),
    ("shifted by one", ["a b c d e f g h"], ["x a b c d e f g"]),
    ("two ways with equal costs", ["a b"], ["b a"]),
    ("long and short together", ["a", "b c d e f g h i j k"], ["z", "b c d e f g h i j k"]),
    ("perfect", ["a b c d e", "f g"], ["a b c d e", "f g"]),
)
BLEU = (
    # references (a list for each of the references), answers
    ("an empty answer", [["the cat sat on the mat"]], [""]),
    ("one empty answer of two", [["the cat sat on the mat", "a dog ran to the park"]], ["", "a dog ran to the park"]),
    ("shorter than four words", [["the cat sat"]], ["the cat sat"]),
    ("short segments, long corpus", [["the cat", "sat on the mat today"]], ["the cat", "sat on the mat today"]),
    ("no word right", [["the cat sat on the mat"]], ["one two three four five six"]),
    ("words right, pairs wrong", [["a b c d e f"]], ["f e d c b a"]),
    ("one right 4-gram", [["a b c d e f g h"]], ["a b c d x y z w"]),
    ("no right 4-gram", [["a b c d e f g h"]], ["a b c x d e f y"]),
    ("insertions only", [["a b c d e"]], ["a b c d e x y z x y z"]),
    ("much too short", [["a b c d e f g h i j k l"]], ["a b c d"]),
    ("the same word", [["the cat is on the mat"]], ["the the the the the the the"]),
    ("two references of equal distance", [["a b c d e f g h"], ["a b c d"]], ["a b c d e f"]),
    ("the shorter reference is closer", [["a b c d e f g h i"], ["a b c d e"]], ["a b c d e f"]),
    ("counts of both references", [["a a b b c d"], ["a b b b c c"]], ["a a b b b c c d"]),
    ("case counts", [["The Cat Sat On The Mat"]], ["the cat sat on the mat"]),
    ("perfect", [["one two three four five", "six seven eight nine"]], ["one two three four five", "six seven eight nine"]),
)  # fmt: skip
SPEECH = (
    # reference and hypothesis of each recording
    ("nothing heard", [([("A", 0, 5), ("B", 5, 9)], [])]),
    ("speech where nobody speaks", [([("A", 0, 5)], [("1", 0, 5), ("2", 6, 9)])]),
    ("only speech where nobody speaks", [([("A", 0, 5)], [("1", 6, 9)])]),
    ("everybody at once", [([("A", 0, 6), ("B", 0, 6), ("C", 0, 6)], [("1", 0, 6)])]),
    ("one speaks, three are heard", [([("A", 0, 6)], [("1", 0, 6), ("2", 0, 6), ("3", 0, 6)])]),
    ("one name for two speakers", [([("A", 0, 4), ("B", 4, 10)], [("1", 0, 10)])]),
    ("two names for one speaker", [([("A", 0, 10)], [("1", 0, 5), ("2", 5, 10)])]),
    ("ties of the mapping", [([("A", 0, 5), ("B", 5, 10)], [("1", 2.5, 7.5), ("2", 7.5, 10), ("2", 0, 2.5)])]),
    ("names swapped between recordings", [([("A", 0, 5)], [("B", 0, 5)]), ([("B", 0, 5)], [("A", 0, 5)])]),
    ("the same name in two recordings", [([("A", 0, 5)], [("1", 0, 5)]), ([("B", 0, 5)], [("1", 0, 5)])]),
    ("overlap missed", [([("A", 0, 6), ("B", 4, 10)], [("1", 0, 5), ("2", 5, 10)])]),
    ("overlap heard where none is", [([("A", 0, 5), ("B", 5, 10)], [("1", 0, 6), ("2", 4, 10)])]),
    ("segments that meet", [([("A", 0, 3), ("A", 3, 6), ("B", 6, 9)], [("1", 0, 6), ("2", 6, 7), ("2", 7, 9)])]),
    ("shorter than the collar", [([("A", 0, 0.3), ("B", 1, 5)], [("1", 1, 5)])]),
    ("late by less than the collar", [([("A", 1, 5), ("B", 6, 9)], [("1", 1.2, 5.2), ("2", 6.2, 9.2)])]),
    ("an empty recording beside another", [([("A", 0, 5)], []), ([("A", 0, 5), ("B", 4, 8)], [("1", 0, 4), ("2", 4, 8)])]),
)  # fmt: skip
SCORINGS = ((0.0, True), (0.25, True), (0.0, False), (0.25, False))


def drawn(rng):
    """Draw recordings with more or fewer speakers than are heard, and much overlap."""
    cases = []
    for number in range(12):
        recordings = []
        for _ in range(1 + number % 3):
            reference, heard = (
                [
                    (rng.choice(names), start := round(rng.uniform(0, 20), 1), round(start + rng.uniform(0.3, 6), 1))
                    for _ in range(many)
                ]
                for names, many in (("ABCD"[: 1 + number % 4], 6), ("1234"[: 1 + number % 3], 5))
            )
            recordings.append((reference, heard))
        cases.append((f"drawn, {number}", recordings))
    return cases


def word_errors():
    import jiwer

    cases = []
    for name, right, answers in WORDS:
        parts = jiwer.process_words(right, answers)
        errors = parts.substitutions + parts.deletions + parts.insertions
        cases.append({"name": name, "right": right, "answers": answers, "errors": errors, "wer": parts.wer})
    return cases


def translations():
    import sacrebleu
    from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu

    cases = []
    for name, references, answers in BLEU:
        plain = {"tokenize": "none", "smooth_method": "none", "force": True}
        pairs = [[text.split() for text in texts] for texts in zip(*references, strict=True)]
        split = [answer.split() for answer in answers]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nltk = {
                "plain": float(corpus_bleu(pairs, split)),
                "smoothed": float(corpus_bleu(pairs, split, smoothing_function=SmoothingFunction().method3)),
            }
        cases.append(
            {
                "name": name,
                "references": references,
                "answers": answers,
                "sacrebleu": sacrebleu.corpus_bleu(answers, references).score / 100,
                "papineni": sacrebleu.corpus_bleu(answers, references, **plain).score / 100,
                "nltk": nltk,
            }
        )
    return cases


def diarization(rng):
    import simpleder
    from pyannote.core import Annotation, Segment, Timeline
    from pyannote.metrics.diarization import DiarizationErrorRate

    def annotation(segments):
        made = Annotation()
        for track, (speaker, start, end) in enumerate(segments):
            made[Segment(start, end), track] = speaker
        return made.support()  # a speaker who overlaps himself would count twice

    def listed(segments):
        return [(speaker, float(start), float(end)) for speaker, start, end in segments]

    cases = []
    for name, recordings in (*SPEECH, *drawn(rng)):
        case = {"name": name, "recordings": recordings, "pyannote": [], "simpleder": []}
        references, hypotheses = ([listed(recording[part]) for recording in recordings] for part in (0, 1))
        for collar, overlap in SCORINGS:
            metric = DiarizationErrorRate(collar=2 * collar, skip_overlap=not overlap)
            for reference, heard in recordings:
                metric(annotation(reference), annotation(heard), uem=Timeline([Segment(-10, 100)]))
            parts = {"missed": "missed detection", "false_alarm": "false alarm", "confusion": "confusion"}
            sums = {ours: metric.accumulated_[theirs] for ours, theirs in parts.items()}
            total = metric.accumulated_["total"]
            case["pyannote"].append(
                {"collar": collar, "overlap": overlap, "total": total, **sums, "rate": abs(metric) if total else None}
            )
            rate = simpleder.corpus_der(references, hypotheses, collar=collar, skip_overlap=not overlap)
            case["simpleder"].append(rate if total else None)
        cases.append(case)
    return cases


def main():
    packages = ("pyannote.metrics", "simpleder", "sacrebleu", "nltk", "jiwer")
    parts = {"words": word_errors(), "translations": translations(), "speech": diarization(random.Random(3))}
    lines = [
        f'"{name}": [\n' + ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases) + "\n]"
        for name, cases in parts.items()
    ]
    versions = json.dumps({name: version(name) for name in packages})
    print("{\n" + ",\n".join([f'"versions": {versions}', *lines]) + "\n}")


if __name__ == "__main__":
    main()
