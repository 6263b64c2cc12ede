"""The units of one model as rows of an audit: what the judge says of each, how sure it is, and what a rating means."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import OptionError
from justesse.core.first_names import first_names
from justesse.verbs.llm_judge.units import JudgeUnits

TIE, RIGHT, WRONG, CANNOT_SAY = "tie", "right", "wrong", "?"
CENTRE = 0.5


@dataclass(frozen=True, eq=False)
class AskedUnits:
    """The units that people are asked about.

    Parameters
    ----------
    units
        All units of the judge.
    places
        Which of them the model is part of.
    model
        Name of the model; nothing if the table names none.
    against
        Only its comparisons with this model; nothing: with all.
    """

    units: JudgeUnits
    places: Array
    model: str | None
    against: str | None = None

    @classmethod
    def of(cls, units: JudgeUnits, model: str | None, against: str | None) -> "AskedUnits":
        """Choose the units of a model; the only one, if the table names none or one."""
        verdicts = units.verdicts
        models = verdicts.models
        for option, name in (("ask_about", model), ("against", against)):
            if name is not None and name not in models:
                known = f"Models: {first_names(models, 10)}." if models else "The table names no models."
                raise OptionError(f"No model is called {name!r} ({option}, --{option.replace('_', '-')}). {known}")
        if against is not None and (not verdicts.pairs or against == model):
            raise OptionError(
                "against (--against) names the other model of pairs. Name another model, or leave it out."
            )
        if model is None and len(models) > 1:
            raise OptionError(
                f"Ask about one model at a time: name it with ask_about=… (--ask-about). Models: {first_names(models, 10)}."
            )
        if not models:
            return cls(units, np.arange(len(units.units)), None)
        name = model or models[0]
        at = models.index(name)
        own = (units.first == at) | (units.second == at)
        if against is not None:
            other = models.index(against)
            own &= (units.first == other) | (units.second == other)
        if not own.any():
            raise OptionError(f"The judge has no verdict on {name!r}{f' against {against!r}' if against else ''}.")
        return cls(units, np.flatnonzero(own), name, against)

    @property
    def pairs(self) -> bool:
        return self.units.verdicts.pairs

    @cached_property
    def is_first(self) -> Array:
        """Whether the model is the first of each pair."""
        if not self.pairs or self.model is None:
            return np.ones(len(self.places), dtype=bool)
        return np.asarray(self.units.first[self.places] == self.units.verdicts.models.index(self.model))

    @cached_property
    def value(self) -> FloatArray:
        """Mean verdict on each unit: 1 if the model wins or is right."""
        value = self.units.value[self.places]
        return np.asarray(np.where(self.is_first, value, 1 - value))

    @property
    def repeated_items(self) -> bool:
        """Whether several units belong to one item, so that they are not independent."""
        items = self.units.item[self.places]
        return len(np.unique(items)) < len(items)

    @cached_property
    def ids(self) -> list[str]:
        """Name each unit: its item, and its models if the item does not tell."""
        verdicts = self.units.verdicts
        names = [verdicts.items[code] for code in self.units.item[self.places].tolist()]
        if not self.repeated_items:
            return names
        return [f"{name}: {' against '.join(self._models(at))}" for at, name in enumerate(names)]

    def _models(self, at: int) -> list[str]:
        """Return the models of a unit, as its first row names them."""
        models, place = self.units.verdicts.models, self.places[at]
        codes = [self.units.first[place], *([self.units.second[place]] if self.pairs else [])]
        return [models[int(code)] for code in codes if code >= 0]

    @property
    def classes(self) -> list[str]:
        """What people may answer."""
        return ["1", "2", TIE] if self.pairs else [RIGHT, WRONG]

    def rows(self, wins: str, loses: str) -> dict[str, list[Any]]:
        """Lay the units out as rows of an audit: one column claims that the model always wins, one that it never does."""
        won = np.where(self.is_first, "1", "2") if self.pairs else np.full(len(self.places), RIGHT)
        lost = np.where(self.is_first, "2", "1") if self.pairs else np.full(len(self.places), WRONG)
        even = TIE if self.pairs else WRONG
        says = np.where(self.value > CENTRE, won, np.where(self.value < CENTRE, lost, even))
        doubt = 1 - np.abs(2 * self.value - 1)
        return {
            "id": self.ids,
            "label": says.tolist(),
            loses: lost.tolist(),
            wins: won.tolist(),
            "doubt": doubt.round(9).tolist(),
        }

    def answers(self) -> dict[str, list[str]]:
        """Write people's ratings as answers to the questions of the audit."""
        rating = self.units.rating[self.places]
        words = {1.0: "1", 0.0: "2", 0.5: TIE} if self.pairs else {1.0: RIGHT, 0.0: WRONG, 0.5: CANNOT_SAY}
        rated = np.flatnonzero(~np.isnan(rating)).tolist()
        return {"id": [self.ids[at] for at in rated], "class": [words[float(rating[at])] for at in rated]}

    def to_rate(self, ids: list[str]) -> dict[str, list[str]]:
        """Lay out a table to fill in: item, models, and an empty column for the rating."""
        columns, place = self.units.verdicts.columns, {name: at for at, name in enumerate(self.ids)}
        asked = [place[name] for name in ids]
        items = self.units.verdicts.items
        table = {columns["item"]: [items[int(self.units.item[self.places[at]])] for at in asked]}
        parts = [part for part in ("model", "model_1", "model_2") if part in columns]
        for number, part in enumerate(parts):
            table[columns[part]] = [self._models(at)[number] for at in asked]
        table[columns["winner" if self.pairs else "verdict"]] = ["" for _ in asked]
        return table
