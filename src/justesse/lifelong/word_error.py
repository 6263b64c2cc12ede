"""Word errors of a sequence: insertions, deletions and replacements."""

from collections.abc import Sequence


def word_errors(reference: Sequence[str], answer: Sequence[str]) -> int:
    """Count the fewest words to insert, delete or replace that turn one sequence into the other (Levenshtein 1966).

    >>> word_errors("the cat sat".split(), "a cat sat down".split())
    2
    """
    row = list(range(len(answer) + 1))
    for i, right in enumerate(reference, start=1):
        above, row[0] = row[0], i
        for j, word in enumerate(answer, start=1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (right != word))
    return row[-1]
