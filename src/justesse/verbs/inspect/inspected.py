"""What `justesse inspect` found."""

import html
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from justesse.core.version import SCHEMA, __version__
from justesse.frames.native import native_frame, write_table
from justesse.procedures.conditions import STATES, Check, State
from justesse.store.datasheet import Datasheet

CONDITIONS = {
    "disjoint": "Disjoint from training",
    "large enough": "Large enough",
    "representative": "Representative",
    "documented": "Documented",
}
PRACTICES: dict[str, tuple[str, ...]] = {
    "say how the rows were collected, and what annotators were told": ("JU301", "JU302"),
    "write down legal and ethical questions, and what was done about them": ("JU303",),
    "let annotators of varied profiles annotate": ("JU304",),
    "think of the form of wrong labels, and put quality first where they are not uniform": ("JU306",),
    "keep the annotators of the test apart from those of training": ("JU007",),
}
ASSUMPTIONS = (
    "the rows given are the rows that were, or will be, used",
    "test rows are independent draws, but for what the checks say",
    "columns with the same name mean the same on every side",
)


@dataclass(frozen=True, repr=False)
class Inspection:
    """Every check with its state, the good practices of annotation, and the data sheet if there is one."""

    checks: tuple[Check, ...]
    rows: Mapping[str, int]
    columns: Mapping[str, Any]
    settings: Mapping[str, Any]
    datasheet: Datasheet | None = None
    warnings: tuple[str, ...] = ()
    sources: tuple[Any, ...] = ()

    def __getitem__(self, code: str) -> Check:
        """Give a check by its code, the failed one first where there are several."""
        own = [check for check in self.checks if check.code == code]
        if not own:
            raise KeyError(
                f"no check has the code {code!r}; there are {', '.join(dict.fromkeys(c.code for c in self.checks))}"
            )
        return min(own, key=lambda check: STATES.index(check.state))

    def of(self, state: State) -> tuple[Check, ...]:
        """Give the checks in one state."""
        return tuple(check for check in self.checks if check.state == state)

    @property
    def passed(self) -> bool:
        """Say that no check failed; those that were not made say nothing."""
        return not self.of("failed")

    @property
    def title(self) -> str:
        """Say it in one line."""
        if self.passed and not self.of("passed"):
            return "Nothing could be checked yet"
        return "No check failed" if self.passed else "This test cannot be trusted as it stands"

    @property
    def headline(self) -> str:
        """Count the checks by state."""
        failed, passed, skipped = (len(self.of(state)) for state in ("failed", "passed", "not checked"))
        more = (
            f" {skipped} {'was' if skipped == 1 else 'were'} not made, for want of what {'it needs' if skipped == 1 else 'they need'}."
            if skipped
            else ""
        )
        codes = ", ".join(dict.fromkeys(check.code for check in self.of("failed")))
        which = f" ({codes})" if failed else ""
        if not failed:
            return f"{passed} check{'' if passed == 1 else 's'} passed.{more}"
        return f"{failed} of {failed + passed} checks failed{which}.{more}"

    @property
    def practices(self) -> list[dict[str, Any]]:
        """Say which good practices of annotation are kept: the worst state of the checks behind each."""
        found = []
        for practice, codes in PRACTICES.items():
            states = [self[code].state for code in codes if any(check.code == code for check in self.checks)]
            order: Sequence[State] = ("failed", "not checked", "not applicable", "passed")
            state = min(states, key=order.index) if states else "not checked"
            found.append({"practice": practice, "state": state, "checks": list(codes)})
        return found

    def to_dict(self) -> dict[str, Any]:
        """Give exactly what `--json` prints."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "passed": self.passed,
            "answer": f"{self.title}. {self.headline}",
            "rows": dict(self.rows),
            "columns": dict(self.columns),
            "counts": {state: len(self.of(state)) for state in STATES},
            "checks": [check.to_dict() for check in self.checks],
            "practices": self.practices,
            "datasheet": self.datasheet.to_dict() if self.datasheet else None,
            **self.settings,
            "assumptions": list(ASSUMPTIONS),
            "warnings": list(self.warnings),
        }

    def table(self) -> dict[str, list[Any]]:
        """Give a column for each property of the checks."""
        names = ("code", "condition", "title", "state", "sentence", "remedy")
        rows = [check.to_dict() for check in self.checks]
        return {name: [row[name] for row in rows] for name in names}

    def to_frame(self) -> Any:
        """Give the checks as a data frame of the caller's kind."""
        return native_frame(self.table(), like=self.sources[0] if self.sources else None)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the checks as a table: csv or parquet, by the ending."""
        return write_table(self.table(), Path(path))

    def report(self, path: str | os.PathLike[str], *, command: str | None = None) -> Path:
        """Write a page to read, one HTML file that opens offline."""
        from justesse.verbs.inspect.page import write_page

        return write_page(self, Path(path), command=command)

    def __repr__(self) -> str:
        lines = [f"{self.title}. {self.headline}"]
        for condition, title in CONDITIONS.items():
            own = [check for check in self.checks if check.condition == condition]
            lines += ["", title] if own else []
            for check in sorted(own, key=lambda check: STATES.index(check.state)):
                lines.append(f"  {check.state:<14}  {check.code}  {check.sentence}")
                if check.state == "failed":
                    lines.append(f"  {'':<14}         {check.remedy}")
        return "\n".join([*lines, *(f"! {warning}" for warning in self.warnings)])

    def _repr_html_(self) -> str:
        cells = [
            "".join(f"<td>{html.escape(text)}</td>" for text in (check.code, check.state, check.sentence, check.remedy))
            for check in self.checks
        ]
        rows = "".join(f"<tr>{row}</tr>" for row in cells)
        head = "<tr><th>code</th><th>state</th><th>what was found</th><th>remedy</th></tr>"
        return f"<p>{html.escape(f'{self.title}. {self.headline}')}</p><table>{head}{rows}</table>"
