"""Place wrong labels so that the lower end of the difference of two precisions is lowest."""

import numpy as np

from justesse.core.arrays import Array
from justesse.core.case import Disagreement
from justesse.core.one_vs_rest import OneVsRestPair

REACH = 32  # rows to each side that are tried one by one
CHUNK = 2**22


def worst_precision(table: OneVsRestPair, rows: int, leaving: int, joining: int, z: float) -> OneVsRestPair:
    """Re-label at most so many rows so that difference - z·error of the two precisions is lowest.

        p_1 = (B + I)/n_1,   p_2 = (B + C)/n_2,   error² = p_1(1-p_1)/n_1 + p_2(1-p_2)/n_2
                                                          - 2·[B - B(p_1 + p_2) + M·p_1·p_2]/(n_1·n_2)

    B, I and C count the rows of the class that both, only the incumbent and only the candidate assign to it.
    Re-labelling changes only these three, not how many rows each assigns to it (n_1, n_2, and M for both). Every B and
    I is tried. For each, the best C is known: the lower end is convex in C, with its minimum at a root of a quadratic.
    The result is exact up to 32 wrong labels; with more, B and I are searched on a grid that becomes finer.

    >>> table = OneVsRestPair(Disagreement(50, 4, 9, 2, 0), Disagreement(3, 2, 1, 29, 0))
    >>> worst = worst_precision(table, 3, 3, 3, 1.96)
    >>> [worst.labelled.both_right, worst.labelled.only_incumbent, worst.labelled.only_candidate]
    [50, 4, 6]
    """
    parts = [vars(part) for part in (table.labelled, table.others)]
    names = ("both_right", "only_incumbent", "only_candidate")
    shape = np.shape(table.n)
    inside, outside = (np.array([np.broadcast_to(part[name], shape).ravel() for name in names]) for part in parts)
    total = inside + outside
    if not total.shape[1]:
        return table
    reach = min(rows, max(leaving, joining))
    each = (2 * min(reach, REACH) + 1) ** 2
    size = max(1, CHUNK // each)
    placed = np.concatenate(
        [
            _placed(inside[:, at : at + size], total[:, at : at + size], (rows, leaving, joining), reach, z)
            for at in range(0, inside.shape[1], size)
        ],
        axis=1,
    )
    moved = [dict(part) for part in parts]
    for name, now, most in zip(names, placed, total, strict=True):
        moved[0][name], moved[1][name] = (part.reshape(shape) if shape else int(part[0]) for part in (now, most - now))
    return OneVsRestPair(*(Disagreement(**part) for part in moved))


def _placed(inside: Array, total: Array, most: tuple[int, int, int], reach: int, z: float) -> Array:
    """Find B, I and C of many pairs, on a grid that becomes finer around the best."""
    step = -(-reach // REACH) or 1
    best = np.zeros((2, inside.shape[1]), dtype=np.int64)
    pair = np.arange(inside.shape[1])
    while True:
        tried = step * np.arange(-min(reach, REACH), min(reach, REACH) + 1)
        moves = [np.clip(best[part][:, None] + tried, -inside[part][:, None], (total - inside)[part][:, None])
                 for part in (0, 1)]  # fmt: skip
        ends, only_candidate = _lowest(inside, total, moves[0][:, :, None], moves[1][:, None, :], most, z)
        at = ends.reshape(len(pair), -1).argmin(axis=1)
        first, second = np.unravel_index(at, ends.shape[1:])
        best = np.array([moves[0][pair, first], moves[1][pair, second]])
        if step == 1:
            return np.array([*(inside[:2] + best), only_candidate[pair, first, second]])
        step = max(1, step // (REACH // 2))


def _lowest(
    inside: Array, total: Array, both: Array, incumbent: Array, most: tuple[int, int, int], z: float
) -> tuple[Array, Array]:
    """Return the lower end for these moves of B and I with the best C, and that C; infinite for too many moves."""
    rows, leaving, joining = most
    b0, i0, c0 = (cell[:, None, None] for cell in inside)
    shared, mine, yours = (cell[:, None, None] for cell in total)
    n1, n2 = (np.maximum(shared + own, 1).astype(float) for own in (mine, yours))
    leave, join = (np.maximum(sign * both, 0) + np.maximum(sign * incumbent, 0) for sign in (-1, 1))
    left = rows - leave - join
    allowed = (left >= 0) & (leave <= leaving) & (join <= joining)
    fewest = np.maximum(c0 - np.clip(np.minimum(leaving - leave, left), 0, None), 0)
    highest = np.minimum(c0 + np.clip(np.minimum(joining - join, left), 0, None), yours)
    right = b0 + both
    p1 = (right + i0 + incumbent) / n1
    # error² = level + slope·p2 - p2²/n2, and the derivative of p2 - z·error is 0 where slope - 2·p2/n2 = steep
    level = p1 * (1 - p1) / n1 - 2 * right * (1 - p1) / (n1 * n2)
    slope = 1 / n2 + 2 * (right - shared * p1) / (n1 * n2)
    steep = 2 * np.sqrt(np.maximum(level + n2 * slope**2 / 4, 0.0) / (z**2 + n2))
    turn = np.floor((slope - steep) * n2**2 / 2 - right)
    lowest, chosen = np.full(turn.shape, np.inf), np.zeros(turn.shape)
    for number in (fewest, np.clip(turn, fewest, highest), np.clip(turn + 1, fewest, highest), highest):
        p2 = (right + number) / n2
        end = p2 - p1 - z * np.sqrt(np.maximum(level + slope * p2 - p2**2 / n2, 0.0))
        better = allowed & (end < lowest)
        lowest, chosen = np.where(better, end, lowest), np.where(better, number, chosen)
    return lowest, chosen.astype(np.int64)
