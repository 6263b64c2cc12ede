"""What `dossier_verify` returns: each check, and what is wrong."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from justesse.core.version import SCHEMA, __version__
from justesse.report.document import Column, Document, Section, Table
from justesse.report.result import Result
from justesse.report.writing import Message, message
from justesse.verbs.dossier.repeat import basis
from justesse.verbs.dossier.upgraded import upgraded

CheckName = Literal["form", "seal", "signature", "chain", "figures", "plan"]
CheckState = Literal["passed", "failed", "none", "skipped"]
TITLES: Mapping[CheckName, str] = {
    "form": "Form of the file",
    "seal": "Content as sealed",
    "signature": "Signature",
    "chain": "Earlier dossiers",
    "figures": "Figures computed again",
    "plan": "Plan",
}
Computed = Literal["all", "part", "none"]  # which figures were computed again
CHECKSUM = "checksum"
OUTSIDE = ("run", "version", "schema")  # of the results: no figures
STATES: Mapping[CheckState, str] = {"passed": "passed", "failed": "FAILED", "none": "none", "skipped": "skipped"}


@dataclass(frozen=True)
class Fault:
    """What is wrong, and where."""

    check: CheckName
    sentence: Message
    where: str = ""


@dataclass(frozen=True)
class DossierCheck:
    """One check: its state, what it found in words, and the places that are wrong."""

    name: CheckName
    state: CheckState
    sentences: tuple[Message, ...] = ()
    places: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        return self.state == "failed"

    def to_dict(self) -> dict[str, Any]:
        return {
            "check": self.name,
            "state": self.state,
            "places": list(self.places),
            "findings": list(map(str, self.sentences)),
        }


@dataclass(frozen=True, repr=False)
class Verification(Result):
    """Whether a dossier is what was written, and whether its figures follow from its counts."""

    file: str
    content: Mapping[str, Any]
    checks: tuple[DossierCheck, ...]

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return not any(check.failed for check in self.checks)

    @property
    def faults(self) -> list[Fault]:
        """What is wrong, in the order of the checks."""
        return [
            Fault(check.name, sentence, check.places[at] if at < len(check.places) else "")
            for check in self.checks
            if check.failed
            for at, sentence in enumerate(check.sentences)
        ]

    def basis(self) -> list[dict[str, Any]]:
        """Say for each part of the results how it was checked: computed again from the counts, or by its checksum alone."""
        if not self.content or self.content.get("kind") != "result":
            return []
        record = upgraded(dict(self.content))
        computed = any(check.name == "figures" and check.state == "passed" for check in self.checks)
        again, places = record["recomputed"]["from"], record["recomputed"]["except"]
        listed = []
        for key in record["results"]:
            where = f"/results/{key}"
            whole = not computed or not again or places == [""] or where in places or key in OUTSIDE
            parts = [place for place in places if place.startswith(f"{where}/")]
            how = CHECKSUM if whole else ", ".join(basis(record))
            listed.append({"figure": key, "checked": how, "except": [] if whole else parts})
        return listed

    @property
    def computed(self) -> Computed:
        """Whether the figures were computed again."""
        if not self.passed or self.only_as_written or not self.basis():
            return "none"
        return "part" if self.hashed else "all"

    @property
    def hashed(self) -> list[str]:
        """The parts of the results that were not computed again: their checksum alone protects them."""
        parts = [part for part in self.basis() if part["figure"] not in OUTSIDE]
        whole = [part["figure"] for part in parts if part["checked"] == CHECKSUM]
        return whole + [place.removeprefix("/results/") for part in parts for place in part["except"]]

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "file": self.file,
            "passed": self.passed,
            "computed": self.computed,
            "sha256": self.content["seal"]["sha256"] if self._is_sealed else None,
            "checks": [check.to_dict() for check in self.checks],
            "figures": self.basis() if self.passed else [],
            "checksum_only": self.hashed if self.passed else [],
        }

    @property
    def _is_sealed(self) -> bool:
        seal = self.content.get("seal")
        return isinstance(seal, dict) and isinstance(seal.get("sha256"), str)

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the checks out as columns, one row each."""
        return {
            "check": [check.name for check in self.checks],
            "state": [check.state for check in self.checks],
            "findings": [" ".join(map(str, check.sentences)) for check in self.checks],
        }

    @property
    def headline(self) -> Message:
        """The answer in a sentence or two."""
        if not self.passed:
            faults = self.faults
            return message(
                "{file} does not verify: {first}",
                file=self.file,
                first=str(faults[0].sentence) if faults else "a check failed.",
            )
        if self.content["kind"] == "plan":
            return message("{file} is a plan, whole and as it was written.", file=self.file)
        again = [part for part in self.basis() if part["checked"] != CHECKSUM]
        if not again:
            template = (
                "{file} is as it was written. Its figures were not computed again: their {what} alone protects them."
            )
            return message(template, file=self.file, what="signature" if self.content["signature"] else "checksum")
        template = (
            "{file} is as it was written, and {parts:count} of {all:count} parts of its results follow from its {what}."
        )
        what = " and ".join(dict.fromkeys(part["checked"] for part in again))
        hashed = self.hashed
        if hashed:
            template += " Only their checksum protects the others: {hashed:names}."
        everything = [part for part in self.basis() if part["figure"] not in OUTSIDE]
        return message(template, file=self.file, parts=len(again), all=len(everything), what=what, hashed=hashed)

    @property
    def only_as_written(self) -> bool:
        """Whether there are figures, and none was computed again."""
        return self.content.get("kind") == "result" and all(part["checked"] == CHECKSUM for part in self.basis())

    @property
    def _verdict(self) -> Message:
        if not self.passed:
            return message("Not verified.")
        if self.only_as_written:
            what = "signature" if self.content["signature"] else "checksum"
            return message("Not computed again: only the {what} protects these figures.", what=what)
        return message("Verified.")

    @property
    def _cautions(self) -> list[Message]:
        """Say what makes a dossier odd among others: it alone is not signed, or another version wrote it."""
        unlike = [
            check.sentences[-1]
            for check in self.checks
            if check.name == "signature" and check.state == "none" and check.places
        ]
        written_by = str(self.content["versions"]["justesse"]) if self.passed else __version__
        if written_by == __version__:
            return unlike
        template = (
            "The dossier names justesse {old} as its writer, and this is {new}: sentences such as warnings were not "
            "compared with those that come out again. Verify with {old}, too."
        )
        return [*unlike, message(template, old=written_by, new=__version__)]

    def document(self) -> Document:
        rows = [[TITLES[check.name], STATES[check.state], " ".join(map(str, check.sentences))] for check in self.checks]
        checks = Table("", ["check", "result", Column("finding", "sentence")], rows)
        sections = [Section("checks", "Checks", [checks], "headline")]
        if self.passed and (parts := self.basis()):
            listed = [[part["figure"], part["checked"], ", ".join(part["except"])] for part in parts]
            table = Table(
                "", ["part of the results", "computed again from", Column("except", "words")], listed, most=60
            )
            sections.append(Section("figures", "How each figure was checked", [table], "full"))
        return Document(
            "Verification of a dossier",
            self.headline,
            sections,
            self.to_dict(),
            verdict=self._verdict,
            tone="equivalent" if self.passed and not self.only_as_written else "keep",
            cautions=self._cautions,
            name="verification",
            assumptions=(
                "nobody who could change the file also holds the key that signed it"
                if self.content.get("signature")
                else "nobody changed the file and sealed it again: only a signature excludes that",
            ),
            facts=[("file", self.file), ("justesse", __version__)],
        )
