"""The options of `compare` that no other verb has, and those it shares with `compare_folds`."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from justesse.judges import ALL, DEFAULT, judges_in_help
from justesse.judges.quantity import known_measures
from justesse.verbs.options.pairs import GainOptions, JoiningOptions

if TYPE_CHECKING:
    JudgeName = str
else:
    JudgeName = Literal[tuple(judge.name for judge in ALL)]


@dataclass(frozen=True)
class MarginOptions(GainOptions):
    """What counts as better, and out of how many.

    Parameters
    ----------
    tried
        Number of candidates that were tried, if more than are given here. Default: as many as are given.
    """

    tried: int | None = None


@dataclass(frozen=True)
class PairingOptions(JoiningOptions):
    """How the answers of both classifiers are found.

    Parameters
    ----------
    candidate
        Columns of the candidates' answers in that file, such as b or b,c.
    score
        Column with scores of the class --positive; with one file, of the incumbent.
    candidate_score
        Column with the candidate's scores, if all are in one file.
    """

    candidate: list[str] | None = None
    score: str | None = None
    candidate_score: list[str] | None = None


@dataclass(frozen=True)
class DecisionOptions(MarginOptions):
    """What is compared, and who judges.

    Parameters
    ----------
    measure
        Measure that decides: MEASURES. Default: accuracy; cost with --cost.
    judge
        Who decides. JUDGES Default: paired.
    cost
        CSV table of the cost of each prediction (columns) for each label (rows).
    """

    measure: str | None = None
    judge: JudgeName = DEFAULT
    cost: Path | None = None


# the registries say which measures and judges there are
DecisionOptions.__doc__ = (
    str(DecisionOptions.__doc__).replace("MEASURES", known_measures()).replace("JUDGES", judges_in_help())
)


@dataclass(frozen=True)
class JudgeOptions:
    """Options of single judges.

    Parameters
    ----------
    hard
        For prudent_v2: column that marks hard rows with 1, or gives the share of rows that are harder.
    pc
        For prudent_v2: share of the rows to doubt, such as 0.2, if --hard is a share. Default: 0.1.
    cleaning
        For cleaned: s:e or s:e:c, such as 0.75:0.25:0.5: the chances to detect a wrong label, to suspect a right one, and
        to correct what was detected (without c, the row is removed).
    flagged
        For cleaned: column that marks rows whose label a filter holds to be wrong with 1, as justesse clean --cleaned-to
        writes it. These rows are left out.
    budget
        For audited: number of rows to ask about at most. Default: 200.
    futility
        For audited: stop if the remaining questions settle it with less than 3 % probability. Default: yes;
        --no-futility continues up to the budget.
    reference
        For unsupervised: file of the reference classifier, or its column if all are in one file. The first one judges;
        with two or more, independence is tested.
    """

    hard: str | None = None
    pc: float | None = None
    cleaning: str | None = None
    flagged: str | None = None
    budget: int | None = None
    futility: bool | None = None
    reference: list[str] | None = None
