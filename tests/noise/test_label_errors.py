import numpy as np
import pandas as pd
import pytest

from justesse.core.tally import Tally
from justesse.noise.label_errors import label_errors


@pytest.mark.parametrize("seed", range(3))
def test_every_wrong_label_is_listed_with_its_share_of_the_class(seed):
    generator = np.random.default_rng(seed)
    true, label = (generator.choice(list("abcd"), 300) for _ in range(2))
    rows = pd.DataFrame({"true": true, "label": label, "prediction": generator.choice(list("abcd"), 300)})
    cells = [(*names, n) for names, n in rows.value_counts().items()]
    table = pd.crosstab(rows["true"], rows["label"])
    errors = label_errors(Tally.of(["true", "label", "prediction"], cells))
    assert {(error.true, error.label): error.n for error in errors} == {
        (i, j): table.loc[i, j] for i in table.index for j in table.columns if i != j and table.loc[i, j]
    }
    assert all(error.share == error.n / table.loc[error.true].sum() for error in errors)
    assert [error.n for error in errors] == sorted((error.n for error in errors), reverse=True)
    assert label_errors(Tally.of(["true", "label", "prediction"], cells), 2) == errors[:2]


def test_right_labels_have_no_errors():
    assert label_errors(Tally.of(["true", "label"], [("a", "a", 3), ("b", "b", 4)])) == []
