"""The error on training rows beside the error on new ones, and what the gap means."""


def gap_in_words(train: float, test: float, *, numbers: bool = False) -> str:
    """Say what the difference between training error and test error means.

    The training error (resubstitution) is no estimate of anything by itself: a model that learns by heart has none. A
    gap is called wide when the test error is more than one and a half times the training error.

    >>> gap_in_words(0.0, 0.24)
    'It errs on 0.0 % of its own training rows and on 24.0 % of new ones: most of what it got right in training it ...'
    >>> gap_in_words(0.20, 0.21)
    'It errs on 20.0 % of its own training rows and on 21.0 % of new ones: hardly any over-fitting; ...'
    """
    if numbers:
        both = f"Its mean squared error is {train:.4g} on its own training rows and {test:.4g} on new ones"
    else:
        both = f"It errs on {100 * train:.1f} % of its own training rows and on {100 * test:.1f} % of new ones"
    if test < train:
        return f"{both}: no over-fitting to be seen; new rows were by luck the easier ones."
    if test > 1.5 * train and train < test / 4:
        why = "most of what it got right in training it had learnt by heart (over-fitting); only the second counts."
        return f"{both}: {why}"
    if test > 1.5 * train:
        return f"{both}: the gap is over-fitting; more rows or a simpler model would narrow it."
    return f"{both}: hardly any over-fitting; if the error is too high, a richer model or better features are needed."
