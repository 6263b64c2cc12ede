"""Judges: rules that decide whether a candidate should replace the incumbent. One judge per file, all listed in `ALL`.

The command line's choices, the errors, the JSON schema and the table in the documentation come from `ALL`. To add a
judge, write its file (see `Judge`), its entry here and its test. `tournament.py` measures how often a judge errs. The
`audit_*.py` files choose the questions of an audit and decide when it stops.
"""

import difflib
from typing import TYPE_CHECKING, Any

from justesse.core.errors import OptionError
from justesse.core.room import files_of, load_on_use
from justesse.judges.judge import Judge

DEFAULT = "paired"
NOISE = "the largest plausible share of wrong labels (`--noise-rate`), `--transition` or `--true`"

ALL = (
    Judge(
        "classical",
        "do the two confidence intervals overlap?",
        needs="labels and both predictions",
        assumes="the labels are right, and the two classifiers err independently",
        errs_when="as `paired`; it also misses gains, because it ignores that both predicted the same rows",
        compares="overlap",
        trusts_labels=True,
        caution=(
            "Overlap of intervals treats the two classifiers as independent, but they predicted the same rows: it "
            "misses differences that the judge paired finds (docs/validity.md)."
        ),
    ),
    Judge(
        "paired",
        "confidence interval of the difference on the same rows.",
        needs="labels and both predictions",
        assumes="the labels are right",
        errs_when="wrong labels favour one of the two: it can replace a better incumbent, however many rows there are",
        trusts_labels=True,
        respects_clusters=True,
    ),
    Judge(
        "prudent_v1",
        "overlap, with each classifier's bias at its worst.",
        needs=NOISE,
        assumes="no more labels are wrong than stated; they may be anywhere, for each classifier separately",
        errs_when="as `sharp`; it also counts worst cases that cannot occur together (Benjelloun 2021; prefer `sharp`)",
        compares="overlap",
        takes_noise=True,
    ),
    Judge(
        "prudent_v2",
        "overlap, with the incumbent right wherever the two disagree on a hard row.",
        needs="which rows are hard (`--hard`)",
        assumes="labels are right, except on hard rows where the two disagree: there the incumbent is right",
        errs_when="labels of easy rows are wrong; with many hard rows it refuses most gains",
        compares="overlap",
        options=("hard", "pc"),
        has_variants=True,
    ),
    Judge(
        "sharp",
        "paired, with the wrong labels where they hurt the candidate most.",
        needs=NOISE,
        assumes="no more labels are wrong than stated; they may be anywhere",
        errs_when="more labels are wrong than stated; otherwise it errs by refusing, as the worst case is rare",
        takes_noise=True,
    ),
    Judge(
        "cleaned",
        "the judge classical after a filter left out labels (--flagged), or after a simulated cleaning step.",
        needs="which rows a filter flagged (`--flagged`), or `--true` to simulate a filter (`--cleaning`)",
        assumes="the labels that are left are right",
        errs_when="the filter resembles one of the two: it then favours that one",
        compares="overlap",
        options=("cleaning", "flagged"),
        has_variants=True,
    ),
    Judge(
        "reference",
        "decides on the true classes.",
        needs="the true classes (`--true`)",
        assumes="the true classes are right",
        errs_when="for experiments: what the other judges are measured against",
        evidence="the true classes",
        compares="overlap",
        in_tournaments=False,
    ),
    Judge(
        "audited",
        "asks for the true class of a few rows, until it can decide (to ask a person: justesse audit start).",
        needs="answers about some of the rows on which the two disagree: an expert's, or `--true`",
        assumes="the answers are right, up to `--expert-error`; it assumes nothing about the labels",
        errs_when="the answers are wrong more often than stated",
        evidence="answers about some rows",
        options=("budget", "futility"),
        only_accuracy=True,
        most_pairs=20_000,
        has_variants=True,
    ),
    Judge(
        "unsupervised",
        "needs no labels: which of the two agrees more often with a reference classifier (--reference)?",
        needs="the answers of a third classifier (`--reference`); no labels",
        assumes="the reference errs independently of both, and is better than chance; three classifiers cannot show it",
        errs_when="the reference resembles one of the two: it then sides with that one, however many rows there are",
        evidence="agreement with a reference classifier",
        options=("reference",),
        only_accuracy=True,
        in_tournaments=False,
    ),
)

FUNCTIONS = files_of(*(judge.name for judge in ALL), judge_pairs="pairs")
load_on_use(__name__, FUNCTIONS)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


def judge_named(name: str) -> Judge:
    """Return the judge with this name.

    >>> judge_named("prudent-v1").compares
    'overlap'
    """
    plain = name.strip().lower().replace("-", "_")
    for judge in ALL:
        if judge.name == plain:
            return judge
    names = [judge.name for judge in ALL]
    near = difflib.get_close_matches(plain, names, n=1, cutoff=0.4)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise OptionError(f"Unknown judge {name!r}.{hint} Judges: {', '.join(names)}.")


def trusting(compares: str) -> Judge:
    """Return the judge that trusts its labels and looks at the difference in this way: for known true classes.

    >>> trusting("paired").name, trusting("overlap").name
    ('paired', 'classical')
    """
    return next(judge for judge in ALL if judge.trusts_labels and judge.compares == compares)


def judges_in_help() -> str:
    """Describe every judge in a sentence, for the help of an option.

    >>> judges_in_help().partition(".")[0]
    'paired: confidence interval of the difference on the same rows'
    """
    default_first = sorted(ALL, key=lambda judge: judge.name != DEFAULT)
    return " ".join(f"{judge.name}: {judge.summary}" for judge in default_first)
