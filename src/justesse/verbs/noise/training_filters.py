"""The filters that `noise resist` cleans training labels with, made from their names."""

from collections.abc import Mapping, Sequence
from typing import Any

from justesse.cleaning.row_filter import ORACLE, OracleFilter, RowFilter, usual_models
from justesse.cleaning.written_filter import written_filter
from justesse.core.arrays import Array
from justesse.core.choice import check_choice
from justesse.core.choices import CleaningArm
from justesse.core.errors import OptionError
from justesse.core.results import ClassName
from justesse.frames.features import Features
from justesse.procedures.learners import learners
from justesse.procedures.training_arms import ARMS, LabelFilter


def checked_arms(arms: str | Sequence[str] | None) -> tuple[CleaningArm, ...]:
    """Return the arms asked for, all of them by default.

    >>> checked_arms("remove"), len(checked_arms(None))
    (('remove',), 4)
    """
    if arms is None:
        return tuple(ARMS)
    asked = [arms] if isinstance(arms, str) else list(dict.fromkeys(arms))
    if unknown := [arm for arm in asked if arm not in ARMS]:
        check_choice("arm", unknown[0], CleaningArm)
    if not asked:
        raise OptionError(f"arm (--arm) needs at least one of {', '.join(ARMS)}; got none.")
    return tuple(arm for arm in ARMS if arm in asked)


def check_filters(words: Sequence[str]) -> None:
    """Refuse filters that do not exist, or cannot be learnt from features, before anything is read."""
    if len(set(words)) < len(words):
        raise OptionError(f"Name each filter once; got {', '.join(words)}.")
    for word in words:
        if word.strip() != ORACLE:
            RowFilter(written_filter(word), None, (), {})


def training_filters(
    words: Sequence[str],
    columns: Features,
    true: Array,
    classes: tuple[ClassName, ...],
    model: str | Sequence[str] | Mapping[str, Any] | None = None,
    folds: int = 5,
) -> dict[str, LabelFilter]:
    """Make filters from text; `oracle` knows the true classes.

    Parameters
    ----------
    words
        Filters with their options, as users write them.
    columns
        Features of all rows.
    true
        True class of each row, for the oracle alone.
    classes
        Names of the classes.
    model
        Models that the filters train. Default: what each filter usually trains.
    folds
        Number of folds.
    """
    if folds < 2:
        raise OptionError(f"k (--k), the number of folds, must be 2 or more; got {folds!r}.")
    made: dict[str, LabelFilter] = {}
    for word in words:
        if word.strip() == ORACLE:
            made[ORACLE] = OracleFilter(true)
            continue
        chosen = written_filter(word)
        usual = usual_models(chosen.item)
        named = usual if model is None or not usual else [model] if isinstance(model, str) else model
        models = learners(named, text=columns.text) if named else {}
        made[chosen.words] = RowFilter(chosen, columns.matrix, classes, models, _scaled(columns.text), folds)
    return made


def _scaled(text: Sequence[int]) -> Any:
    """Give an unfitted transformer to numbers on one scale; names become columns of zeros and ones."""
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    if not text:
        return StandardScaler()
    names = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_pipeline(make_column_transformer((names, list(text)), remainder="passthrough"), StandardScaler())
