"""Texts that are nearly the same, found among millions by hashes of their pieces (MinHash) and checked one by one."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.frames.fingerprints import normalised
from justesse.frames.sides import Side

PIECE = 5  # bytes of normalised text in a piece
BANDS, HASHES = 25, 5  # two texts are looked at if all hashes of one band agree
WIDTH = BANDS * HASHES
CHUNK = 20_000  # texts or pairs held open at once
MOST = 10  # partners looked at for one text and band: of a thousand copies of a form letter ten are enough
MOST_LOOKED_AT = 2_000
EMPTY = np.uint32(0xFFFFFFFF)


@dataclass(frozen=True, eq=False)
class NearDuplicates:
    """Test rows (from 0) with a text nearly the same elsewhere, where it is, and how alike the two are (0 to 1)."""

    rows: NDArray[np.int64]
    partners: NDArray[np.int64]
    similarity: NDArray[np.float64]


def check_similarity(near: float) -> None:
    """Refuse a similarity at which hashes would miss too many pairs, or that no pair has."""
    if not 0.5 <= near <= 1:
        raise OptionError(
            f"The similarity of near-duplicate texts must be between 0.5 and 1, such as 0.7; got {near!r}."
        )


def near_duplicates(test: Side, train: Side, text: str, *, near: float = 0.7) -> NearDuplicates:
    """Find test rows whose text shares at least `near` of its pieces with a training row.

        similarity = |A ∩ B| / |A ∪ B|,   A and B the sets of pieces of five bytes of the normalised texts

    Candidates come from one-permutation MinHash with 25 bands of 5 hashes, which miss a pair of similarity .8 once in
    some ten thousand and of .7 once in a hundred; each candidate is then compared exactly, so nothing reported is below
    `near`. One partner is given, not always the nearest. Texts shorter than five bytes are too short to be nearly the
    same. Wrong to use for meaning: a paraphrase shares few pieces. Broder (1997); Shrivastava and Li (2014).

    >>> from justesse.frames.sides import side
    >>> text = "The patient complains of a sharp pain in the left shoulder since Monday"
    >>> test = side({"x": [text + " morning.", "No complaints at all were noted."]}, "test")
    >>> result = near_duplicates(test, side({"x": ["Nothing else to report today.", text]}, "train"), "x")
    >>> result.rows.tolist(), result.partners.tolist(), result.similarity.round(2).tolist()
    ([0], [1], [0.89])
    """
    check_similarity(near)
    return _near(_texts(test, text), _texts(train, text), near)


def near_within(side: Side, text: str, *, near: float = 0.7, seed: int = 0) -> tuple[int, int]:
    """Say how many of the texts of a set are nearly the same as another of it, among how many looked at.

    At most two thousand, drawn at random and at most a half, are each compared with all others of the set.

    >>> from justesse.frames.sides import side
    >>> near_within(side({"x": ["the quick brown fox", "The quick brown fox!"] * 2}, "train"), "x")
    (2, 2)
    """
    texts = _texts(side, text)
    looked_at = min(MOST_LOOKED_AT, len(texts) // 2)
    drawn = np.sort(np.random.default_rng(seed).permutation(len(texts))[:looked_at])
    return (len(_near(texts.take(drawn), texts, near, themselves=drawn).rows) if looked_at else 0), looked_at


def _near(ours: Any, theirs: Any, near: float, themselves: Array | None = None) -> NearDuplicates:
    """Find for each of our texts the most similar of theirs; `themselves` are the places of ours among theirs."""
    our_keys, our_bytes = _signatures(ours)
    their_keys, their_bytes = _signatures(theirs)
    # three standard errors below what is wanted, so that the quick look hardly ever loses a pair
    agree = (near - 3 * np.sqrt(near * (1 - near) / WIDTH)) * WIDTH
    partner = np.full(len(ours), -1, dtype=np.int64)
    similarity = np.zeros(len(ours))
    their_rows = np.flatnonzero(their_keys[:, 0] != EMPTY)
    for band in range(BANDS):
        open_rows = np.flatnonzero((partner < 0) & (our_keys[:, 0] != EMPTY))
        order = their_rows[np.argsort(their_keys[their_rows, band], kind="stable")]
        keys = their_keys[order, band]
        our_band = our_keys[open_rows, band]
        left = np.searchsorted(keys, our_band, "left")
        many = np.minimum(np.searchsorted(keys, our_band, "right") - left, MOST)
        our_rows = np.repeat(open_rows, many)
        their_partners = order[np.repeat(left - np.cumsum(many) + many, many) + np.arange(many.sum())]
        for at in range(0, len(our_rows), CHUNK):
            a, b = our_rows[at : at + CHUNK], their_partners[at : at + CHUNK]
            likely = (our_bytes[a] == their_bytes[b]).sum(axis=1) >= agree
            if themselves is not None:
                likely &= themselves[a] != b
            a, b = a[likely], b[likely]
            alike = _similarity(ours.take(a), theirs.take(b))
            result = alike >= near
            better = result & (alike > similarity[a])
            partner[a[better]], similarity[a[better]] = b[better], alike[better]
    rows = np.flatnonzero(partner >= 0)
    return NearDuplicates(rows, partner[rows], similarity[rows])


def _texts(side: Side, column: str) -> Any:
    """Fetch the normalised texts."""
    import pyarrow as pa

    try:
        result = side.in_order([column]).project(f"coalesce({normalised('c0')}, '') AS c0").to_arrow_table()["c0"]
    except Exception as error:
        raise side.explained(error) from error
    return pa.concat_arrays([chunk.cast(pa.large_string()) for chunk in result.chunks])


def _pieces(texts: Any) -> tuple[Array, Array]:
    """Give a hash for every piece of five bytes, and the text it stands in."""
    offsets = np.frombuffer(texts.buffers()[1], dtype=np.int64)[texts.offset : texts.offset + len(texts) + 1]
    start, end = int(offsets[0]), int(offsets[-1])
    if end - start < PIECE:
        return np.empty(0, np.uint64), np.empty(0, np.int64)
    data = np.frombuffer(texts.buffers()[2], dtype=np.uint8)[start:end].astype(np.uint64)
    count = len(data) - PIECE + 1
    pieces = data[:count].copy()
    for at in range(1, PIECE):
        pieces |= data[at : at + count] << np.uint64(8 * at)
    row = np.repeat(np.arange(len(texts)), np.diff(offsets))[:count]
    whole = np.arange(count) + PIECE <= offsets[row + 1] - start
    return _mixed(pieces[whole]), row[whole]


def _mixed(values: Array) -> Array:
    """Spread bits so that every bit of the outcome depends on all (the finishing step of SplitMix64)."""
    with np.errstate(over="ignore"):
        values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(values ^ (values >> np.uint64(31)))


def _signatures(texts: Any) -> tuple[Array, Array]:
    """Give the key of each band and the lowest byte of each hash; all keys are EMPTY for a text too short."""
    keys = np.full((len(texts), BANDS), EMPTY, dtype=np.uint32)
    low = np.zeros((len(texts), WIDTH), dtype=np.uint8)
    for at in range(0, len(texts), CHUNK):
        smallest = _smallest(texts.slice(at, CHUNK))
        filled = smallest[:, 0] != EMPTY
        low[at : at + CHUNK] = smallest.astype(np.uint8)
        with np.errstate(over="ignore"):
            key = np.zeros((len(smallest), BANDS), dtype=np.uint64)
            for step in range(HASHES):
                key = _mixed(key * np.uint64(0x9E3779B97F4A7C15) + smallest[:, step::HASHES].astype(np.uint64))
        short = np.minimum(key >> np.uint64(32), np.uint64(EMPTY - 1)).astype(np.uint32)
        keys[at : at + CHUNK] = np.where(filled[:, None], short, EMPTY)
    return keys, low


def _smallest(texts: Any) -> Array:
    """Give the smallest hash in each of the bins; an empty bin borrows from the next, and notes how far that is."""
    hashes, row = _pieces(texts)
    smallest = np.full(len(texts) * WIDTH, EMPTY, dtype=np.uint32)
    bins = (hashes >> np.uint64(32)) % np.uint64(WIDTH)
    value = np.minimum(hashes & np.uint64(EMPTY), np.uint64(EMPTY - 1)).astype(np.uint32)
    np.minimum.at(smallest, row * WIDTH + bins.astype(np.int64), value)
    table = smallest.reshape(len(texts), WIDTH).T.copy()
    empty = table == EMPTY
    with np.errstate(over="ignore"):
        for at in [*range(WIDTH - 2, -1, -1), *range(WIDTH - 1, -1, -1)]:
            following = table[(at + 1) % WIDTH]
            borrowed = np.where(following == EMPTY, EMPTY, np.minimum(following + np.uint32(0x9E3779B1), EMPTY - 1))
            table[at] = np.where(empty[at] & (table[at] == EMPTY), borrowed, table[at])
    return table.T


def _similarity(ours: Any, theirs: Any) -> Array:
    """Compare texts pair by pair, exactly but for clashes of 32-bit hashes."""
    if not len(ours):
        return np.empty(0)
    sets = []
    for texts in (ours, theirs):
        hashes, pair = _pieces(texts)
        sets.append(np.unique((pair.astype(np.uint64) << np.uint64(32)) | (hashes >> np.uint64(32))))
    both = np.intersect1d(sets[0], sets[1], assume_unique=True)
    sizes = [np.bincount((item >> np.uint64(32)).astype(np.int64), minlength=len(ours)) for item in (*sets, both)]
    return np.asarray(sizes[2] / np.maximum(sizes[0] + sizes[1] - sizes[2], 1))
