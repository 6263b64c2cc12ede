"""Files of one classifier each whose labels differ."""

import pytest

from justesse import tournament
from justesse.core.errors import InputError

FIRST = {"id": [1, 2, 3], "label": ["a", "b", "a"], "prediction": ["a", "b", "b"]}
OTHER = {"id": [1, 2, 3], "label": ["a", "b", "b"], "prediction": ["a", "a", "b"]}


@pytest.mark.parametrize(("on", "remedy"), [("id", "Correct them."), (None, "Correct them, or join the rows by an id")])
def test_an_id_is_advised_only_if_none_was_named(on, remedy):
    with pytest.raises(InputError, match="differs between") as caught:
        tournament(FIRST, OTHER, on=on)
    assert remedy in str(caught.value)
