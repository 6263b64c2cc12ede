"""Read what the user knows about the labels."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from justesse.core.choices import TransitionOf
from justesse.core.errors import OptionError
from justesse.core.recording import remembered
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.noise.claim import Claim
from justesse.noise.label_knowledge import LabelKnowledge, parse_rate

if TYPE_CHECKING:
    from justesse.frames.drawn_sample import DrawnSample


def label_knowledge(
    classes: Sequence[ClassName], *, noise_rate: Any = None, transition: Any = None,
    transition_of: TransitionOf | None = None, sample: Tally | None = None, claim: str | None = None,
    audited: Any = None, drawn: "DrawnSample | None" = None,
) -> LabelKnowledge:  # fmt: skip
    """Read and check what the user knows about the labels.

    Parameters
    ----------
    classes
        Classes of the labels.
    noise_rate
        Share of wrong labels: 0.03 for at most 3 %, "0.01:0.05" for a range.
    transition
        Table of true classes (rows) and labels (columns): a file, a table or a `Transition`.
    transition_of
        Rows that the counts of the table come from: a random "sample", or exactly "these" rows.
    sample
        Re-checked rows, counted.
    claim
        Claim about the classifier, such as "accuracy>=0.9".
    audited
        File the re-checked rows come from.
    drawn
        How they were drawn, if some were likelier than others.

    >>> label_knowledge(["a", "b"], noise_rate="0.01:0.05").rate
    (0.01, 0.05)
    >>> label_knowledge(["a", "b"], noise_rate=0.03).rate
    (0.0, 0.03)
    """
    table = None
    if transition is not None:
        from justesse.frames.transition_table import transition_table
        from justesse.noise.transition import Transition

        table = (
            transition if isinstance(transition, Transition)
            else Transition.from_table(*remembered("transition", transition_table, transition, classes))
        )  # fmt: skip
    if transition_of is not None:
        if table is None:
            raise OptionError("transition_of (--transition-of) needs a transition table: transition=… (--transition).")
        table = table.counted_on(transition_of)
    design = None
    if drawn is not None:
        from justesse.noise.sample_design import SampleDesign

        design = SampleDesign(drawn.names, drawn.sizes, drawn.chances, drawn.fixed)
    return LabelKnowledge(
        None if noise_rate is None else parse_rate(noise_rate),
        table,
        sample,
        None if claim is None else Claim.parse(claim),
        (transition, audited),
        design,
    )
