"""What `justesse.inspect` returns."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from justesse.core.version import SCHEMA, __version__
from justesse.procedures.conditions import LEAKS, STATES, Check, Condition, State
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.report.writing import message, paragraph
from justesse.store.datasheet import Datasheet

PRACTICES: dict[str, tuple[str, ...]] = {
    "document how the rows were collected and how annotators were instructed": ("JU301", "JU302"),
    "document legal and ethical questions, and what was done about them": ("JU303",),
    "use annotators with varied profiles": ("JU304",),
    "consider which labels are likely to be wrong, and put quality first if they are not uniform": ("JU306",),
    "use different annotators for the test and training rows": ("JU007",),
}
ASSUMPTIONS = (
    "the rows given are the rows that were, or will be, used",
    "test rows are independent draws, except for what the checks report",
    "columns of the same name mean the same in every file",
)


@dataclass(frozen=True, repr=False)
class Inspection(Result):
    """Every check with its state, the good practices of annotation, and the data sheet if there is one."""

    checks: tuple[Check, ...]
    rows: Mapping[str, int]
    columns: Mapping[str, Any]
    settings: Mapping[str, Any]
    datasheet: Datasheet | None = None
    warnings: tuple[str, ...] = ()
    sources: tuple[Any, ...] = ()

    assumptions = ASSUMPTIONS

    def __getitem__(self, code: str) -> Check:
        """Return a check by its code; the failed one first if there are several."""
        own = [check for check in self.checks if check.code == code]
        if not own:
            codes = ", ".join(dict.fromkeys(check.code for check in self.checks))
            raise KeyError(f"There is no check {code!r}. Codes: {codes}.")
        return min(own, key=lambda check: STATES.index(check.state))

    def of(self, state: State) -> tuple[Check, ...]:
        """Return the checks in one state."""
        return tuple(check for check in self.checks if check.state == state)

    @property
    def undecided(self) -> tuple[Check, ...]:
        """The checks that found rows which may be copies of training rows, without being able to tell."""
        return tuple(check for check in self.of("not applicable") if check.code in LEAKS and check.figures.get("rows"))

    @property
    def inapplicable(self) -> tuple[Check, ...]:
        """The checks that have nothing to judge here."""
        return tuple(check for check in self.of("not applicable") if check not in self.undecided)

    @property
    def native(self) -> Any:
        return self.sources[0] if self.sources else None

    @property
    def passed(self) -> bool:
        """Whether no check failed; skipped checks do not count."""
        return not self.of("failed")

    @property
    def title(self) -> str:
        """The answer in a few words."""
        if self.passed and not self.of("passed") and not self.undecided:
            return "Nothing could be checked yet"
        if not self.passed:
            return _doubt({check.condition for check in self.of("failed")})
        return "No check failed, but some rows may be copies of training rows" if self.undecided else "No check failed"

    @property
    def headline(self) -> str:
        """The number of checks in each state."""
        failed, passed, skipped = (len(self.of(state)) for state in ("failed", "passed", "not checked"))
        sentences = [message("{n:count check} passed.", n=passed)]
        if failed:
            template = "{failed:count} of {n:count} checks failed ({codes:list})."
            sentences = [message(template, failed=failed, n=failed + passed, codes=_codes(self.of("failed")))]
        if self.undecided:
            template = "{n:count check} undecided ({codes:list})."
            sentences.append(message(template, n=len(self.undecided), codes=_codes(self.undecided)))
        if skipped:
            sentences.append(message("{n:count check} skipped: required input missing.", n=skipped))
        if self.inapplicable:
            template = "{n:count check} {n:plural does|do} not apply ({codes:list})."
            sentences.append(message(template, n=len(self.inapplicable), codes=_codes(self.inapplicable)))
        return str(paragraph(*sentences))

    @property
    def practices(self) -> list[dict[str, Any]]:
        """The good practices of annotation, each with the worst state of its checks."""
        order: Sequence[State] = ("failed", "not checked", "not applicable", "passed")
        codes_made = {check.code for check in self.checks}
        practices = []
        for practice, codes in PRACTICES.items():
            states = [self[code].state for code in codes if code in codes_made]
            state = min(states, key=order.index) if states else "not checked"
            practices.append({"practice": practice, "state": state, "checks": list(codes)})
        return practices

    @property
    def compared_shares(self) -> list[tuple[str, list[tuple[Any, float, float]]]]:
        """For each column compared with the population: value, share of the test set, share of the population."""
        return [
            (str(check.figures["column"]), [(name, here, there) for name, here, there in check.figures["cells"]])
            for check in self.checks
            if "cells" in check.figures
        ]

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "passed": self.passed,
            "answer": str(message("{title}. {headline}", title=self.title, headline=self.headline)),
            "rows": dict(self.rows),
            "columns": dict(self.columns),
            "counts": {state: len(self.of(state)) for state in STATES},
            "checks": [check.to_dict() for check in self.checks],
            "practices": self.practices,
            "datasheet": self.datasheet.to_dict() if self.datasheet else None,
            **self.settings,
            "assumptions": list(self.assumptions),
            "warnings": list(self.warnings),
        }

    def to_columns(self) -> dict[str, list[Any]]:
        names = ("code", "condition", "title", "state", "sentence", "remedy")
        rows = [check.to_dict() for check in self.checks]
        return {name: [row[name] for row in rows] for name in names}

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        return {
            f"shares_{column}": partial(charts.shares_chart, column, shares) for column, shares in self.compared_shares
        }

    def document(self) -> Document:
        from justesse.verbs.inspect.document import inspection_document

        return inspection_document(self)


def _doubt(conditions: Collection[Condition]) -> str:
    """Tell what failed checks mean: rows that mislead, too few rows, or missing documentation.

    >>> _doubt(["large enough"]), _doubt(["disjoint", "documented"])
    ('This test set is too small for the precision or power required', 'This test set cannot be trusted ...')
    """
    lesser = {
        "large enough": "too small for the precision or power required",
        "documented": "not fully documented",
    }
    faults = " and ".join(fault for condition, fault in lesser.items() if condition in conditions)
    if set(conditions) <= set(lesser):
        return str(message("This test set is {faults}", faults=faults))
    template = (
        "This test set cannot be trusted as it is. It is also {faults}"
        if faults
        else "This test set cannot be trusted as it is"
    )
    return str(message(template, faults=faults))


def _codes(checks: Sequence[Check]) -> list[str]:
    return list(dict.fromkeys(check.code for check in checks))
