"""Reference values of pyannote.metrics, sacreBLEU, NLTK and JiWER for tests/lifelong.

They are no dependencies of the tests, so their values are stored. To make them again, in an environment of its own:

    pip install pyannote.metrics sacrebleu nltk jiwer
    python tests/oracles/lifelong_scores.py > tests/oracles/lifelong_scores.json
"""

import json
import random
from importlib.metadata import version

SENTENCES = (
    "The committee's 2,500 members met on 3-4 May; nothing was decided.",
    'He asked: "Is it well-known (or not)?" &quot;Yes&quot;, she said.',
    "Prices rose by 3.5% in the U.S. and fell by $1,000.00 elsewhere...",
    "A short one.",
    "the cat sat on the mat while the dog slept near the fire",
    "Ein <b>Satz</b> mit Umlauten: äöü, ß – und Gedankenstrich.",
    "one / two / three & four @ five # six * seven + eight = nine",
    "It's 10:30, isn't it? 7-bit words_and_underscores ~tilde~ [brackets] {braces}.",
)


def corrupted(rng, sentence, rate):
    """Drop, swap or repeat some words."""
    words = []
    for word in sentence.split():
        chance = rng.random()
        if chance < rate / 3:
            continue
        words.append(word if chance > rate else word[::-1])
        if rate / 3 < chance < 2 * rate / 3:
            words.append(word)
    return " ".join(words)


def segments(rng, speakers, count):
    """Draw who speaks when, with overlaps."""
    drawn, at = [], 0.0
    for _ in range(count):
        length = round(rng.uniform(0.5, 4.0), 2)
        drawn.append([rng.choice(speakers), round(at, 2), round(at + length, 2)])
        at += length * rng.choice([0.7, 1.0, 1.2])
    return drawn


def moved(rng, drawn):
    """Move ends, change speakers, drop and add segments."""
    names = dict(zip("ABCD", "3142", strict=True))
    answers = []
    for speaker, start, end in drawn:
        if rng.random() < 0.1:
            continue
        name = names[speaker] if rng.random() < 0.8 else rng.choice("12345")
        start, end = start + rng.uniform(-0.4, 0.4), end + rng.uniform(-0.4, 0.4)
        if start < end:
            answers.append([name, round(max(0.0, start), 2), round(end, 2)])
    return answers


def diarization(rng):
    from pyannote.core import Annotation, Segment, Timeline
    from pyannote.metrics.diarization import DiarizationErrorRate

    def annotation(drawn):
        made = Annotation()
        for track, (speaker, start, end) in enumerate(drawn):
            made[Segment(start, end), track] = speaker
        return made.support()  # a speaker who overlaps himself would count twice

    def written(made):
        return [[speaker, segment.start, segment.end] for segment, _, speaker in made.itertracks(yield_label=True)]

    cases = []
    for number in range(8):
        drawn = segments(rng, "ABCD"[: 2 + number % 3], 12)
        reference, answers = annotation(drawn), annotation(moved(rng, drawn))
        for collar, overlap in ((0.0, True), (0.25, True), (0.0, False), (0.25, False)):
            metric = DiarizationErrorRate(collar=2 * collar, skip_overlap=not overlap)
            whole = Timeline([Segment(0, 100)])
            parts = metric(reference, answers, uem=whole, detailed=True)
            cases.append(
                {
                    "reference": written(reference),
                    "hypothesis": written(answers),
                    "collar": collar,
                    "overlap": overlap,
                    "missed": parts["missed detection"],
                    "false_alarm": parts["false alarm"],
                    "confusion": parts["confusion"],
                    "total": parts["total"],
                }
            )
    return cases


def translation(rng):
    import jiwer
    import sacrebleu
    from nltk.translate.bleu_score import corpus_bleu
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    cases = []
    for rate in (0.0, 0.1, 0.25, 0.5, 0.9):
        first = list(SENTENCES)
        second = [corrupted(rng, sentence, 0.2) for sentence in SENTENCES]
        answers = [corrupted(rng, sentence, rate) for sentence in SENTENCES]
        plain = {"tokenize": "none", "smooth_method": "none", "force": True}
        pairs = [[one.split(), two.split()] for one, two in zip(first, second, strict=True)]
        split = [answer.split() for answer in answers]
        cases.append(
            {
                "references": [first, second],
                "answers": answers,
                "sacrebleu": sacrebleu.corpus_bleu(answers, [first]).score / 100,
                "sacrebleu, two references": sacrebleu.corpus_bleu(answers, [first, second]).score / 100,
                "papineni": sacrebleu.corpus_bleu(answers, [first], **plain).score / 100,
                "papineni, two references": sacrebleu.corpus_bleu(answers, [first, second], **plain).score / 100,
                "nltk": corpus_bleu(pairs, split),
                "wer": jiwer.wer(first, answers),
            }
        )
    single = {"references": [["a b c d e"]], "answers": ["a b x d e"]}
    single["sacrebleu"] = sacrebleu.corpus_bleu(single["answers"], single["references"]).score / 100
    tokens = {sentence: Tokenizer13a()(sentence) for sentence in SENTENCES}
    return cases, single, tokens


def main():
    cases, smoothed, tokens = translation(random.Random(1))
    packages = ("pyannote.metrics", "sacrebleu", "nltk", "jiwer")
    values = {
        "versions": {name: version(name) for name in packages},
        "diarization": diarization(random.Random(2)),
        "translation": cases,
        "smoothed": smoothed,
        "tokens": tokens,
    }
    print(json.dumps(values, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
