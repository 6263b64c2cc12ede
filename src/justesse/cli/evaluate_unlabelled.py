"""`justesse evaluate-unlabelled FILE …`."""

from dataclasses import asdict
from typing import Annotated, Any

from justesse.cli.delivery import Delivery
from justesse.cli.evaluate import class_names
from justesse.cli.groups import INPUT, INTERVALS, MISTAKES, REFERENCE
from justesse.cli.output import listed, patience
from justesse.core.errors import OptionError
from justesse.verbs.unlabelled.options import (
    AgreementModelOptions,
    ErrorIntervalOptions,
    ReferenceRowOptions,
    UnlabelledColumnOptions,
)


def evaluate_unlabelled(
    *files: str,
    columns: Annotated[UnlabelledColumnOptions, INPUT] = UnlabelledColumnOptions(),
    labelled: Annotated[ReferenceRowOptions, REFERENCE] = ReferenceRowOptions(),
    mistakes: Annotated[AgreementModelOptions, MISTAKES] = AgreementModelOptions(),
    intervals: Annotated[ErrorIntervalOptions, INTERVALS] = ErrorIntervalOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Estimate how accurate classifiers are on rows without labels.

    From the answers of three or more classifiers: error rates from how often they agree. This assumes that they err
    independently. Classifiers that share mistakes look better than they are: the output says what can be tested, and
    bounds the error rates if they do not err independently.

    From one classifier's probabilities and a labelled reference: its accuracy and expected confusion matrix. This
    assumes that predictions of the same confidence are right as often as in the reference; labels for some rows test
    it.

    For example:

      justesse evaluate-unlabelled answers.parquet --models a,b,c,d

      justesse evaluate-unlabelled a.csv b.csv c.csv --on id --dependence 2%

      justesse evaluate-unlabelled answers.csv --label label --report page.html

      justesse evaluate-unlabelled target.csv --reference labelled.csv --proba p_

    Parameters
    ----------
    files
        One file with a column of answers for each classifier, or three or more files, one for each. With --reference:
        one file of one classifier.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.unlabelled.evaluate import evaluate_unlabelled as run

    delivery.check(*files, *([labelled.reference] if labelled.reference else []))
    if not files:
        raise OptionError(
            "Name a file with the answers of three classifiers or more: justesse evaluate-unlabelled answers.csv."
        )
    options: dict[str, Any] = {
        name: value for group in (columns, labelled, mistakes, intervals) for name, value in asdict(group).items()
    }
    options |= {"models": listed(columns.models) or None, "classes": class_names(columns.classes, columns.as_text)}
    with patience("Reading and resampling", progress):
        evaluation = run(*files, **options)
    delivery.deliver(evaluation)
