"""What a judge is: its name, what it needs and assumes, its options, and how it decides one pair or many."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from justesse.core.errors import OptionError

if TYPE_CHECKING:
    from justesse.core.all_pairs import AllPairs
    from justesse.core.arrays import Array
    from justesse.core.case import Case
    from justesse.core.verdict import Verdict
    from justesse.judges.entrant import Entrant, Settings
    from justesse.judges.evidence import Rule

LABELS = "the labels"


@dataclass(frozen=True)
class Judge:
    """Decide whether a candidate should replace an incumbent.

    The functions are in the file named after the judge and load when it first decides, so that describing a judge
    loads nothing: `NAME(case, **options)` decides one pair, `NAME_replaces(pairs, rule, **options)` all ordered pairs
    of many classifiers at once, and `NAME_entrants(settings)`, if `has_variants`, lists the forms in which the judge
    takes part in a tournament.

    Parameters
    ----------
    name
        What users call it, and the name of its file and function.
    summary
        What it goes by, in one sentence for `--help`.
    needs, assumes, errs_when
        The cells of the table of judges in the documentation.
    evidence
        What its verdict is about, if not the labels.
    compares
        Whether it looks at the paired difference or at the overlap of two intervals.
    options
        Options of `compare` that only this judge takes.
    takes_noise
        Whether it uses the noise rate or a transition table.
    trusts_labels
        Whether it assumes that every label is right.
    only_accuracy
        Whether it decides on accuracy alone.
    caution
        What to warn of whenever it judges.
    in_tournaments
        Whether it takes part in tournaments; the reference is what the others are measured against.
    most_pairs
        Number of pairs above which `tournament` leaves it out unless it is named.
    has_variants
        Whether its file lists the forms in which it takes part in a tournament.
    respects_clusters
        Whether it allows for rows of one cluster being alike.
    """

    name: str
    summary: str
    needs: str
    assumes: str
    errs_when: str
    evidence: str = LABELS
    compares: Literal["paired", "overlap"] = "paired"
    options: tuple[str, ...] = ()
    takes_noise: bool = False
    trusts_labels: bool = False
    only_accuracy: bool = False
    caution: str = ""
    in_tournaments: bool = True
    most_pairs: int | None = None
    has_variants: bool = False
    respects_clusters: bool = False

    @property
    def on_truth(self) -> bool:
        """Whether its own verdict is about the true classes."""
        return self.evidence != LABELS

    def check_clusters(self) -> None:
        """Refuse rows that come in clusters if it takes them as independent."""
        if not self.respects_clusters:
            raise OptionError(
                f"The judge {self.name} takes rows as independent, so it cannot be combined with clusters (--cluster). "
                "Use the judge paired, or leave the clusters out."
            )

    def decide(self, case: "Case", **options: Any) -> "Verdict":
        """Decide one pair.

        Parameters
        ----------
        case
            The counted rows: labels, the answers of both classifiers, and the true classes if they are known.
        measure
            What to compare, by its name (`accuracy`, `recall:spam`) or as a `Quantity`. Default: accuracy.
        rate
            Largest share of wrong labels, for judges that allow for them. Default: from the true classes.
        transition
            Transition table of true classes and labels, used instead of `rate`.
        **options
            The rule (see `Rule`), and the judge's own options.
        """
        if case.clustered:
            self.check_clusters()
        verdict: Verdict = self._function(self.name)(case, **options)
        return verdict

    def decide_many(self, pairs: "AllPairs", rule: "Rule", **options: Any) -> "Array":
        """Decide all ordered pairs: [i, j] is true where candidate j replaces incumbent i."""
        replaces: Array = self._function(f"{self.name}_replaces")(pairs, rule, **options)
        return replaces

    def entrants(self, settings: "Settings") -> "list[Entrant]":
        """List the forms in which it takes part in a tournament: one, unless it has variants."""
        from justesse.judges.entrant import plain_entrant

        if not self.has_variants:
            return [plain_entrant(self, settings)]
        variants: list[Entrant] = self._function(f"{self.name}_entrants")(settings)
        return variants

    def _function(self, name: str) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(importlib.import_module(f"justesse.judges.{self.name}"), name)
        return function
