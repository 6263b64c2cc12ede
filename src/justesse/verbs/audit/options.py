"""The options of audits."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from justesse.core.choices import ExpertRule
from justesse.verbs.options.columns import ClassReadingOptions, PredictionOptions
from justesse.verbs.options.intervals import LevelOptions
from justesse.verbs.options.pairs import GainOptions, OneCandidateOptions

AuditQuestion = Literal["test-set", "population"]


@dataclass(frozen=True)
class AuditColumnOptions(ClassReadingOptions, PredictionOptions, OneCandidateOptions):
    """Columns of ids, labels and answers.

    Parameters
    ----------
    on
        Column with the id of each row, to join files and to answer questions. Default: required; id for logs.
    incumbent
        Column of the incumbent's answers, if all answers are in one file; with --goal incumbent, its name.
    models
        For several classifiers in one file: their columns, such as net_a,net_b,net_c. Default: every other column that
        holds classes.
    cluster
        For several classifiers: column that says which rows are samples of one question. Their pass rates are compared,
        and one answer serves all samples. Default: none; for logs with epochs, the question.
    score
        For several classifiers: column with the score that each answer got, from 0 to 1 (partial credit). In one file,
        write * for the name of a classifier, as in score_*. Experts then give answers credits, such as B=1|C=0.5.
    """

    on: str | None = None
    incumbent: str | None = None
    models: list[str] | None = None
    cluster: str | None = None
    score: str | None = None


@dataclass(frozen=True)
class AuditFileOptions:
    """The audit file.

    Parameters
    ----------
    to
        Audit file to make, such as my.audit; with a store, the name of the audit in it. It must not exist.
    store
        Store that the audit goes into, such as project.db or postgresql://host/database. Default: a file of its own.
    """

    to: str
    store: str | None = None

    @property
    def file(self) -> Path | None:
        """The file that is written, if the audit does not go into a store."""
        from justesse.store.address import is_url  # late: help needs no database

        return None if self.store is not None or is_url(self.to) else Path(self.to)


@dataclass(frozen=True)
class ExpertOptions:
    """What the expert is asked and sees, and how often the expert may be wrong.

    Parameters
    ----------
    budget
        Number of questions at most. Default: 200, or all disputed rows if there are fewer.
    show
        Column with the text the expert sees. For several columns, repeat it: --show title --show text.
    image
        Column with the path of the image or sound that the expert gets.
    suspicion
        Column of numbers, higher where the label is more likely wrong. A good column saves questions, a bad one costs
        some.
    true
        Column whose values answer instead of an expert: the audit runs to its end at once. Several right classes: B|C.
    any_of
        Separator of several right classes, in the column --true and in answers. Default: |. If given, labels such as
        cat|dog accept any of their classes, too.
    expert_error
        Highest probability that an expert is wrong about a row, such as 0.02. Widens the interval. Default: 0.
    experts
        If experts disagree: unanimous (the worst of their answers counts), model (of their mistakes; the worst answer
        that it leaves possible) or majority (the most frequent answer; wrong more often). Default: unanimous.
    instructions
        What experts read before the first question, such as "Name the main object." The audit file keeps it.
    answers_each
        Number of experts who answer each question on the page of justesse serve. A question counts once all of them
        have answered. Default: 1.
    third
        If the experts of a question disagree, ask a third. Default: yes; --no-third lists the question for discussion.
    """

    budget: int | None = None
    show: list[str] | None = None
    image: str | None = None
    suspicion: str | None = None
    true: str | None = None
    any_of: str | None = None
    expert_error: float = 0.0
    experts: ExpertRule = "unanimous"
    instructions: str | None = None
    answers_each: int = 1
    third: bool = True


@dataclass(frozen=True)
class AuditDecisionOptions(LevelOptions, GainOptions):
    """What is decided, and how sure it must be.

    Parameters
    ----------
    level
        Confidence level that holds at all looks together, such as 0.9. Default: 0.95.
    measure
        Measure that decides: accuracy, error, cost, precision:CLASS, recall:CLASS, f1:CLASS, macro-precision,
        macro-recall or macro-f1. Default: accuracy; cost with --cost.
    cost
        CSV table of the cost of each prediction (columns) for each true class (rows).
    counts_within
        For recall and F1: how far the number of rows of each class may be from that of the labels. 0.1 allows 10 %
        more, or 1.1 times fewer, and at least three rows; 0 allows none. Default: 0.1.
    credit
        For several classifiers: CSV table of the credit of each answer (columns) for each true class (rows), 0 to 1.
    goal
        For several classifiers: what to settle. winner, top:K (such as top:3), pairs (all of them) or incumbent (each
        against it, by default the first). Default: pairs.
    question
        Is the candidate better on this test set, or in the population it was drawn from? Default: test-set.
    futility
        Stop if the remaining questions settle it with less than 3 % probability. Default: yes; --no-futility continues
        up to the budget.
    """

    level: float = LevelOptions.level
    measure: str | None = None
    cost: Path | None = None
    counts_within: float | None = None
    credit: Path | None = None
    goal: str | None = None
    question: AuditQuestion = "test-set"
    futility: bool = True


@dataclass(frozen=True)
class PersonOptions:
    """Who answers.

    Parameters
    ----------
    by
        Name of the person answering. Default: your login name.
    """

    by: str | None = None


@dataclass(frozen=True)
class RevealOptions:
    """What the expert may know.

    Parameters
    ----------
    reveal
        Show which classifier gave which answer, and the label. Experts should answer without knowing.
    """

    reveal: bool = False


@dataclass(frozen=True)
class QuestionOptions(RevealOptions):
    """Which questions to show.

    Parameters
    ----------
    n
        Number of questions, such as 20. Default: 10.
    """

    n: int = 10


@dataclass(frozen=True)
class AnswerKindOptions:
    """Answers that name no class.

    Parameters
    ----------
    both
        Both classifiers are right. Counts as a tie.
    neither
        Neither classifier is right. Counts as a tie.
    flawed
        The question has no right answer. Counts as a tie.
    cannot_say
        The true class cannot be determined. Counts against the side that is to be shown better.
    """

    both: bool = False
    neither: bool = False
    flawed: bool = False
    cannot_say: bool = False


@dataclass(frozen=True)
class AnswerChangeOptions:
    """Changes of answers, and new classes.

    Parameters
    ----------
    withdraw
        Withdraw your own answer. The file keeps it.
    correct
        Correct your own answer. The file keeps the old one.
    new_class
        Allow a class that neither labels nor classifiers use.
    """

    withdraw: bool = False
    correct: bool = False
    new_class: bool = False


@dataclass(frozen=True)
class ExtendOptions(PersonOptions):
    """What an extension changes.

    Parameters
    ----------
    by
        Name of the person extending it. Default: your login name.
    budget
        Number of questions in total, including those already asked. It can only grow, up to the number of disputed
        rows. Default: as before.
    futility
        Stop if the remaining questions settle it with less than 3 % probability; --no-futility continues up to the
        budget. Default: as before.
    expert_error
        Highest probability that an expert is wrong about a row, such as 0.05. It can only grow. All answers are judged
        again, so a settled audit may become open. Default: as before.
    """

    budget: int | None = None
    futility: bool | None = None
    expert_error: float | None = None


@dataclass(frozen=True)
class CopyOptions:
    """Where the copy goes.

    Parameters
    ----------
    to
        Copy to make: a file such as copy.audit, or an audit of a store as URL#NAME. It must not exist.
    """

    to: str
