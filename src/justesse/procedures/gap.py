"""The error on training rows and on new rows, and what the gap between them means."""


def gap_in_words(train: float, test: float, *, numbers: bool = False) -> str:
    """Explain the difference between training error and test error.

    The training error (resubstitution) alone estimates nothing: a model that memorises its rows has none. A gap counts
    as over-fitting if the test error is more than one and a half times the training error.

    >>> gap_in_words(0.0, 0.24)
    'Error 0.0 % on its training rows, 24.0 % on new rows: it over-fits and memorises most of its training rows.'
    >>> gap_in_words(0.20, 0.21)
    'Error 20.0 % on its training rows, 21.0 % on new rows: hardly any over-fitting; to lower the error, try ...'
    """
    if numbers:
        errors = f"Mean squared error {train:.4g} on its training rows, {test:.4g} on new rows"
    else:
        errors = f"Error {100 * train:.1f} % on its training rows, {100 * test:.1f} % on new rows"
    if test < train:
        return f"{errors}: no over-fitting; the test rows happened to be easier."
    if test > 1.5 * train and train < test / 4:
        return f"{errors}: it over-fits and memorises most of its training rows."
    if test > 1.5 * train:
        return f"{errors}: it over-fits; a simpler model would narrow the gap."
    return f"{errors}: hardly any over-fitting; to lower the error, try a richer model or better features."
