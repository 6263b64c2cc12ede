"""Preprocessing of numbers, categories and texts, fitted within each training set."""

from collections.abc import Sequence
from typing import Any

MOST_NAMES = 100  # rarer ones share a column
MOST_WORDS = 5000


def prepared(
    model: Any, *, numbers: Sequence[int] = (), categories: Sequence[int] = (), texts: Sequence[int] = ()
) -> Any:
    """Return a pipeline of preprocessing and model, fitted on training rows only.

        numbers       missing values replaced by the median and marked in another column; then (x - mean)/deviation
        categories    one-hot columns for the hundred most frequent categories, and one for all others
        texts         tf-idf of the five thousand most frequent words

    Columns are positions in an array of numbers or of objects. Not for models that need the raw columns. Without texts
    the columns are dense; with texts they are sparse for models that accept that.

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
    """Tell whether a model accepts sparse columns, according to its scikit-learn tags.

    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> takes_sparse(LogisticRegression()), takes_sparse(GaussianNB())
    (True, False)
    """
    try:
        from sklearn.utils import get_tags

        return bool(get_tags(model).input_tags.sparse)
    except Exception:  # an older scikit-learn, or a model from elsewhere: all accept dense columns
        return False
