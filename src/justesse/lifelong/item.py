"""An item of a stream, as a system and an expert see it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Item:
    """Something to classify, to transcribe, to translate, or to say who speaks in.

    Parameters
    ----------
    id
        Its id.
    time
        Its time, as it is written.
    values
        What is known of it, by column.
    label
        The right answer, such as its class, where a system is given it; otherwise `None`.

    >>> Item("7", "2024-05-17", {"size": 3}).labelled("cat").to_dict()
    {'id': '7', 'time': '2024-05-17', 'values': {'size': 3}, 'label': 'cat'}
    """

    id: str
    time: str
    values: Mapping[str, Any] = field(default_factory=dict)
    label: Any = None

    def labelled(self, label: Any) -> "Item":
        """Return the item with its right answer."""
        return Item(self.id, self.time, self.values, label)

    def to_dict(self) -> dict[str, Any]:
        """Return the item as it is sent to a command; without a label unless it is known."""
        known = {} if self.label is None else {"label": self.label}
        return {"id": self.id, "time": self.time, "values": dict(self.values), **known}
