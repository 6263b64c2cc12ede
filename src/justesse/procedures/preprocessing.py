"""Numbers, names and texts made ready for a model, inside every training set."""

from collections.abc import Sequence
from typing import Any

MOST_NAMES = 100  # rarer ones share a column
MOST_WORDS = 5000


def prepared(
    model: Any, *, numbers: Sequence[int] = (), categories: Sequence[int] = (), texts: Sequence[int] = ()
) -> Any:
    """Put before a model what makes columns fit for it, as one pipeline that learns from training rows alone.

        numbers       gaps filled with the median, each column with gaps marked by another; then (x - mean)/deviation
        categories    a column of zeros and ones for each of the hundred most frequent names, one for all others
        texts         tf-idf of the five thousand most frequent words

    Columns are given by position, in an array of numbers or of objects. Wrong to use for models that want the columns
    as they came. Without texts the result is dense; with texts it is sparse for models that say they take that.

    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> x = np.array([[1.0, "red"], [np.nan, "blue"], [3.0, "red"]], dtype=object)
    >>> model = prepared(DecisionTreeClassifier(), numbers=[0], categories=[1]).fit(x, [0, 1, 0])
    >>> model[0].transform(x).round(1).tolist()
    [[-1.2, -0.7, 0.0, 1.0], [0.0, 1.4, 1.0, 0.0], [1.2, -0.7, 0.0, 1.0]]
    """
    from sklearn.compose import ColumnTransformer
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import Pipeline, make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    parts: list[tuple[str, Any, Any]] = []
    if numbers:
        filled = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
        parts.append(("numbers", make_pipeline(filled, StandardScaler()), list(numbers)))
    if categories:
        coded = OneHotEncoder(max_categories=MOST_NAMES, handle_unknown="infrequent_if_exist", sparse_output=False)
        parts.append(("categories", coded, list(categories)))
    parts += [(f"text {at}", TfidfVectorizer(max_features=MOST_WORDS, sublinear_tf=True), at) for at in texts]
    sparse = bool(texts) and takes_sparse(model)
    return Pipeline([("prepare", ColumnTransformer(parts, sparse_threshold=1.0 if sparse else 0.0)), ("model", model)])


def takes_sparse(model: Any) -> bool:
    """Say whether a model takes sparse columns, as far as it tells.

    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> takes_sparse(LogisticRegression()), takes_sparse(GaussianNB())
    (True, False)
    """
    try:
        from sklearn.utils import get_tags

        return bool(get_tags(model).input_tags.sparse)
    except Exception:  # an older scikit-learn, or a model that is none of its own: dense suits all
        return False
