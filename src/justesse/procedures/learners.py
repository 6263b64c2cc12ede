"""Ready-made learners by short name: different families, default settings."""

from collections.abc import Mapping, Sequence
from typing import Any

from justesse.core.errors import OptionError

TOLERANT = ("bagging", "bounded", "forward", "backward")  # made for wrong training labels (thesis 3.4.1)
ALL = ("tree", "forest", "logistic", "neighbours", "bayes", "boosting", "network", *TOLERANT)
USUAL = ("tree", "neighbours", "logistic", "bayes")  # four families, all quick
UNSCALED = ("tree", "forest", "boosting", "bagging")  # scaling does not change their splits


def learners(models: Sequence[str] | Mapping[str, Any] = USUAL, *, text: Sequence[int] = ()) -> dict[str, Any]:
    """Return learners by their names, or your own scikit-learn estimators, for a table of numbers.

    The columns at the positions in `text` hold codes of categories and are one-hot encoded. Learners other than trees
    get standardised columns. All preprocessing is fitted on the training rows only.

    >>> list(learners(["tree", "bayes"]))
    ['tree', 'bayes']
    >>> learners(["svm"])
    Traceback (most recent call last):
    justesse.core.errors.OptionError: There is no learner 'svm'. Learners: tree, forest, logistic, ...
    """
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    unknown = [] if isinstance(models, Mapping) else [name for name in models if name not in ALL]
    if unknown or not models:
        what = f"There is no learner {unknown[0]!r}." if unknown else "At least one learner is required."
        raise OptionError(f"{what} Learners: {', '.join(ALL)}.")
    chosen = (
        dict(models)
        if isinstance(models, Mapping)
        else {
            name: learner(name) if name in UNSCALED else make_pipeline(StandardScaler(), learner(name))
            for name in models
        }
    )
    if not text:
        return chosen
    names = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return {
        name: make_pipeline(make_column_transformer((names, list(text)), remainder="passthrough"), model)
        for name, model in chosen.items()
    }


def learner(name: str) -> Any:
    """Return one learner without preprocessing; all but trees need scaled columns.

    >>> learner("tree")
    DecisionTreeClassifier()
    """
    from sklearn.ensemble import BaggingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.neural_network import MLPClassifier
    from sklearn.tree import DecisionTreeClassifier

    from justesse.procedures.noise_tolerant import NoiseTolerant

    made: dict[str, Any] = {
        "tree": DecisionTreeClassifier(),
        "forest": RandomForestClassifier(),
        "logistic": LogisticRegression(max_iter=1000),
        "neighbours": KNeighborsClassifier(),
        # one-hot columns often do not vary within a class: without smoothing one of them would decide alone
        "bayes": GaussianNB(var_smoothing=0.01),
        "boosting": HistGradientBoostingClassifier(),
        "network": MLPClassifier(),
        "bagging": BaggingClassifier(DecisionTreeClassifier(), n_estimators=50),
        "bounded": NoiseTolerant("bounded"),
        "forward": NoiseTolerant("forward"),
        "backward": NoiseTolerant("backward"),
    }
    return made[name]
