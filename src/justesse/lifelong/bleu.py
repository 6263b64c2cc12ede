"""BLEU of a whole corpus, in the two forms in use: as published, and as sacreBLEU computes it."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError

ORDER = 4  # longest n-grams that count
BleuForm = Literal["papineni", "sacrebleu"]
ReferenceLength = Literal["closest", "shortest"]
ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}
ALONE = re.compile(r"([{|}~\[\\\]^_`!\"#$%&()*+:;<=>?@/])")  # each of these is a token


def bleu_counts(
    references: Sequence[Sequence[str]], answer: Sequence[str], *, length: ReferenceLength = "closest"
) -> tuple[float, ...]:
    """Count what BLEU needs of one segment: its length, that of the reference, matching and all n-grams, n = 1 to 4.

    Parameters
    ----------
    references
        Tokens of each right translation of the segment.
    answer
        Tokens of the translation.
    length
        Which reference counts for the brevity penalty: the one closest in length, the shorter of two equally close, or
        the shortest.

    >>> bleu_counts([["a", "b", "c"]], ["a", "b"])
    (2, 3, 2, 1, 0, 0, 2, 1, 0, 0)
    """
    sizes = [len(reference) for reference in references]
    closest = min(sizes, key=lambda size: (abs(size - len(answer)), size))
    matches, possible = [], []
    for n in range(1, ORDER + 1):
        grams = _grams(answer, n)
        allowed: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            allowed |= _grams(reference, n)
        matches.append((grams & allowed).total())
        possible.append(grams.total())
    return (len(answer), closest if length == "closest" else min(sizes), *matches, *possible)


def _grams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))


def bleu_value(sums: FloatArray, *, smoothed: bool = False) -> FloatArray:
    """Compute BLEU, from 0 to 1, from counts that were added up over all segments.

        BLEU = min(1, exp(1 - r/c))·(p_1·p_2·p_3·p_4)^(1/4)

    Parameters
    ----------
    sums
        Sums of `bleu_counts` on the last axis; other axes are a batch.
    smoothed
        Whether the k-th order without a match counts as 2^-k matches, as in mteval-v13a and sacreBLEU.

    >>> bleu_value(np.array([[4, 4, 4, 2, 1, 1, 4, 3, 2, 1.0], [4, 5, 4, 3, 2, 1, 4, 3, 2, 1]])).round(4).tolist()
    [0.7598, 0.7788]
    """
    size, reference = sums[..., 0], sums[..., 1]
    matches, possible = sums[..., 2 : 2 + ORDER], sums[..., 2 + ORDER :]
    empty = matches == 0
    none = ~(matches.any(axis=-1) & possible.all(axis=-1))
    if smoothed:
        matches = np.where(empty, 0.5 ** np.cumsum(empty, axis=-1), matches)
    with np.errstate(divide="ignore", invalid="ignore"):
        brevity = np.minimum(1.0, np.exp(1 - reference / size))
        value = brevity * np.exp(np.mean(np.log(matches / possible), axis=-1))
    return np.where(none, 0.0, value)


def corpus_bleu(
    references: Sequence[Sequence[Sequence[str]]],
    answers: Sequence[Sequence[str]],
    *,
    form: BleuForm = "papineni",
    length: ReferenceLength = "closest",
) -> float:
    """Compute BLEU of a corpus, from 0 to 1.

    Parameters
    ----------
    references
        Tokens of the right translations of each segment, one or more.
    answers
        Tokens of the translation of each segment.
    form
        "papineni", as published: an order without a match makes the score 0. "sacrebleu": such an order is smoothed.
        Split the text of both into words with `str.split`, or with `mteval_tokens` for values that equal sacreBLEU's.
    length
        Which reference counts for the brevity penalty if there are several: "closest" as published and in sacreBLEU,
        "shortest" as in NIST's mteval-v11.

    Notes
    -----
    Papineni et al. (2002); Post (2018). Counts are added up before they are divided: it is not a mean over sentences.

    >>> reference = "the cat is on the mat today".split()
    >>> round(corpus_bleu([[reference]], ["the cat is on a mat today".split()]), 4)
    0.4889
    """
    if len(references) != len(answers):
        raise InputError(f"{len(references)} segments have references, {len(answers)} are answered. Pair them.")
    if not len(answers) or not all(references):
        raise InputError("BLEU needs at least one segment, and a reference for each.")
    counts = [
        bleu_counts(known, answer, length=length) for known, answer in zip(references, answers, strict=True)
    ]  # fmt: skip
    return float(bleu_value(np.sum(counts, axis=0, dtype=float), smoothed=form == "sacrebleu"))


def mteval_tokens(text: str) -> list[str]:
    """Split a text into tokens by the rules of NIST's mteval-v13a, the default of sacreBLEU.

    Punctuation becomes a token, except full stops and commas between digits, and hyphens and apostrophes within words.

    >>> mteval_tokens("It's 3,000 &quot;well-known&quot; cats.")
    ["It's", '3,000', '"', 'well-known', '"', 'cats', '.']
    """
    line = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in ENTITIES.items():
        line = line.replace(entity, character)
    line = ALONE.sub(r" \1 ", f" {line} ")
    line = re.sub(r"([^0-9])([.,])", r"\1 \2 ", line)
    line = re.sub(r"([.,])([^0-9])", r" \1 \2", line)
    line = re.sub(r"([0-9])(-)", r"\1 \2 ", line)
    return line.split()
