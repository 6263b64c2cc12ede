"""What is read of an event file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from justesse.core.event_blocks import EventBlocks


@dataclass(frozen=True)
class StoredEvents:
    """What the figures of an event file follow from: its settings, and its events by variant and block."""

    settings: Mapping[str, Any]
    blocks: EventBlocks
    where: str
