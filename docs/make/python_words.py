"""Texts of options that read differently in Python: lists, tables and functions instead of words and files."""

from justesse.verbs.annotators import options as annotators
from justesse.verbs.assess import options as assessing
from justesse.verbs.audit import options as audit
from justesse.verbs.clean import options as cleaning
from justesse.verbs.compare import options as comparing
from justesse.verbs.evaluate.options import MeasureOptions
from justesse.verbs.inspect import options as inspecting
from justesse.verbs.llm_judge import options as judging
from justesse.verbs.noise import options as noise
from justesse.verbs.options.annotators import AnnotatorAnswerOptions
from justesse.verbs.options.columns import (
    ClassOptions,
    SliceOptions,
)
from justesse.verbs.regression import options as regression
from justesse.verbs.tournament import options as tournaments
from justesse.verbs.unlabelled import options as unlabelled

# keywords whose values are written otherwise in Python, by the group that has them
PYTHON: dict[type, dict[str, str]] = {
    annotators.AnswerColumnOptions: {
        "classes": "All classes in order, such as ['low', 'mid', 'high']. Default: those answered.",
    },
    cleaning.CleaningColumnOptions: {
        "features": "List of columns to learn from. Default: all, except identifiers and columns that look like predictions, probabilities or the label under another name.",
        "answers": "Path, data frame or dict of arrays with annotators' answers: item, annotator and answer. The id of the rows (`id`) is the item.",
    },
    cleaning.FilterOptions: {
        "model": 'Model, list of models, or dict of name → estimator, if there are no probabilities. Names are tree, forest, logistic, neighbours, bayes, boosting and network, or a scikit-learn estimator such as "sklearn.svm.SVC(C=10)". Default: logistic for probabilities; tree, neighbours, logistic and bayes for votes.',
    },
    annotators.GoldOptions: {
        "gold": "Column with the true class where it is known, or a table with items and true classes. The model takes them as certain. Default: none.",
    },
    annotators.CheckOptions: {
        "check": "Column with the true class where it is known, or a table with items and true classes. The model does not see them: they check and calibrate its probabilities. Default: none.",
    },
    annotators.FeatureOptions: {
        "features": "List of columns with numeric features of the items, for item-response. Default: none.",
        "counts": "List of columns with counts, such as those of words, for item-response. Default: none.",
    },
    annotators.GoalInputOptions: {
        "incumbent": "For comparison: column with the incumbent's predictions, or a table with items and predictions.",
        "candidate": "For comparison: column with the candidate's predictions, or a table with items and predictions.",
        "noise_of": "For noise: whose labels may be wrong: 'majority' (the majority vote), the name of an annotator, a column with the recorded label of each item, or a table with items and labels. Default: majority.",
        "probabilities": "For training: table with items and a column for each class, the classifier's probabilities.",
        "features": "For training: list of columns with numeric features of the items. A logistic regression on them is the classifier.",
    },
    annotators.StoppingOptions: {
        "check": "Column with the true class of items checked by an expert, or a table with items and true classes in the order of the checks. Draw them at random: the result lists which to check next. The model does not see them. Default: none.",
    },
    annotators.ComparedClassifierOptions: {
        "prediction": "Column with a classifier's answers, or a table with items and predictions. Default: only models are compared.",
        "check": "Column with the true class where it is known, or a table with items and true classes, to judge classifier and annotators by. Default: they are judged by the other annotators.",
    },
    unlabelled.UnlabelledColumnOptions: {
        "models": "List of the columns of the classifiers, if all answers are in one table. Default: every other column.",
        "label": "Column with labels for some of the rows, to check the error rates with. Default: no labels are read; with a reference, the column of its labels, if the table has it, too.",
        "classes": "All classes, also those that do not occur, such as ['low', 'high']. Default: those of the answers.",
    },
    unlabelled.ReferenceRowOptions: {
        "reference": "Path, data frame or dict of arrays: rows with labels, predicted by the same classifier. Default: error rates come from the agreement of several classifiers.",
        "proba": "With a reference: start of the names of the columns with probabilities, one for each class, such as 'p_' for p_cat and p_dog.",
        "confidence": "With a reference: column with the probability of the predicted class, if there are no probabilities of all classes.",
    },
    judging.VerdictColumnOptions: {
        "human": "Path, data frame or dict of arrays with people's ratings of some items, drawn at random: item, the model or models if several were judged, and the rating. Default: none; then nothing can be corrected.",
        "models": "List of two columns with the models compared, such as ['model_1', 'model_2']. Default: those named model_1 and model_2, or model_a and model_b.",
        "lengths": "List of the column with the length of the answer, or of the two of a pair. Default: those named length, or length_1 and length_2.",
    },
    judging.JudgedOptions: {
        "own": "List of models of the judge's own family, to measure self-preference. Default: a model named as the judge.",
    },
    SliceOptions: {
        "by": "Column to slice by, or a list of columns; with arrays, a dict of name → array. Default: no slices.",
    },
    ClassOptions: {
        "classes": "All classes in order, also those that do not occur, such as ['low', 'high']. Default: those of the labels.",
    },
    AnnotatorAnswerOptions: {
        "answers": "Annotators' answers instead of labels: file, data frame or dict of arrays with a row for each answer, with item, annotator and answer. The id of the predictions (`on`) is the item. Default: labels are read.",
    },
    comparing.PairingOptions: {
        "candidate": "Column of the candidate's answers, or a list of columns, if all answers are in one table.",
        "candidate_score": "Column of the candidate's scores, or a list of columns, if all are in one table.",
    },
    comparing.JudgeOptions: {
        "cleaning": "For cleaned: (s, e) or (s, e, c), the chances to detect a wrong label, to suspect a right one, and to correct what was detected (without c, the row is removed).",
        "reference": "For unsupervised: table of the reference classifier, or its column if all are in one table; or a list. The first one judges; with two or more, independence is tested.",
    },
    comparing.DecisionOptions: {
        "measure": "Measure that decides, such as accuracy, error, cost, recall:CLASS, macro-f1, mcc or auc. Default: accuracy; `cost` with costs.",
        "judge": "Who decides: the name of a judge, see `justesse.judges`. Default: paired.",
    },
    MeasureOptions: {
        "require": "Values that the confidence bounds must reach, such as 'accuracy>=0.9', or a list of them.",
    },
    regression.NumericColumnOptions: {
        "by": "Column to slice by, or a list of columns. Default: no slices.",
    },
    regression.NumericDecisionOptions: {
        "measure": f"Measure that decides: {', '.join(regression.MEASURES[:-1])} or {regression.MEASURES[-1]}. Default: mae.",
    },
    audit.ExpertOptions: {
        "show": "Column with the text the expert sees, or a list of columns.",
    },
    tournaments.ClassifierColumnOptions: {
        "label": "Column with the labels, or a list of columns: versions of the labels. Default: the column named label, y, y_true or target.",
        "models": "List of the columns of the classifiers. Default: every other column that holds classes.",
    },
    tournaments.TournamentJudgeOptions: {
        "filter": 'For cleaned: filter, or list of filters, of `justesse.clean` that look at the answers of these classifiers, such as majority-vote or "edited-neighbours(neighbours=5)". Each takes part twice: flagged rows removed, and corrected. Default: none.',
        "judges": "Names of judges, see `justesse.judges`, all, or none for the leaderboard alone. Default: all; none for logs, with clusters, or without true classes.",
        "measure": "Measure to judge by, or a list of measures, such as accuracy, recall:cat or precision:cat. recall alone is that of every class. Default: accuracy.",
        "hard_by": "For prudent_v2: how rows are ranked: disagreement (of the classifiers), random or difficulty, or a list of them. Default: all that are possible.",
        "cleaning": f"For cleaned: list of (s, e) or (s, e, c), the chances to detect a wrong label, to suspect a right one, and to correct what was detected (without c, the row is removed). Default: {list(tournaments.CLEANING)}.",
    },
    tournaments.LabelVersionOptions: {
        "noise_rates": "Shares of the true classes to make wrong, such as [0.01, 0.05], instead of reading labels. Default: labels are read.",
        "votes": "File or data frame with a column of votes for each class: rows with the most votes against the true class become wrong first.",
        "answers": "File or data frame with a column of answers for each annotator: rows they most often got wrong become wrong first.",
        "ranking": "Parquet file with the difficulty of the rows, from `noise_inject`.",
        "task_rates": "Table with the columns task and rate: the share of wrong labels to assume in each task. Default: none.",
    },
    inspecting.OtherRowOptions: {
        "train": "Rows the classifier was trained on: a file, a data frame or a dict of arrays. Default: checks against training rows are skipped.",
        "population": "Rows as they occur in use, or a table with the columns `column`, `value` and `share`. Default: checks against the population are skipped.",
    },
    inspecting.RoleOptions: {
        "by": "Column, or list of columns, whose values should be as frequent as in the population.",
        "features": "List of the columns that make up a case. Default: all columns without another role.",
    },
    assessing.LearningColumnOptions: {
        "features": "List of the columns to learn from. Default: all, except identifiers and columns that look like predictions, probabilities or the label under another name.",
        "text": "List of the columns to treat as texts (tf-idf of their words). Default: columns of long texts.",
    },
    assessing.ModelOptions: {
        "model": 'Model, list of models, or dict of name → estimator. Names are tree, forest, logistic, neighbours, bayes, boosting and network, or a scikit-learn estimator with its settings, such as "sklearn.svm.SVC(C=10)". Default: tree, neighbours, logistic and bayes.',
    },
    assessing.ProbabilityOptions: {
        "probabilities": "Also keep the probability of each class, for `Assessment.predictions`.",
    },
    noise.ClaimOptions: {
        "claim": 'Claim, or a list of claims, such as "accuracy>=0.9" or "recall:spam>0.8". Default: accuracy is above the share of the most frequent label.',
    },
    noise.InjectedNoiseOptions: {
        "noise_rate": "Share of labels to make wrong, such as 0.05. Default for transition: the rate of the table.",
        "noise_rates": "Several shares, such as [0.01, 0.05]: one version each. Wrong labels of a lower rate are part of those of a higher one, except for one-model.",
    },
    noise.HardRowOptions: {
        "answers": "File or data frame with a column of answers for each annotator, people or models.",
        "votes": "File or data frame with a column of votes for each class.",
        "features": "List of columns to train models on. Default: all columns of numbers.",
    },
    noise.LearnedColumnOptions: {
        "features": "List of columns to learn from. Default: all columns of numbers and of names.",
    },
    noise.TrainingNoiseOptions: {
        "noise_rates": "Shares of wrong training labels, such as [0, 0.3]. Default: [0, 0.05, 0.1, 0.2, 0.4].",
    },
    noise.LearnerOptions: {
        "model": "Learners: names out of tree, forest, logistic, neighbours, bayes, boosting and network, or made for wrong labels (bagging, bounded, forward, backward), or a dict of name → scikit-learn estimator. Default: tree, neighbours, logistic and bayes.",
    },
    noise.TrainingCleaningOptions: {
        "filter": 'Filter, or list of filters, that clean the training labels too, such as "edited-neighbours(neighbours=5)". Filters are those of `justesse.clean`; oracle knows the true classes. Default: none.',
        "arm": "What training does with flagged rows, or a list: remove, weight, correct or drop-label (and self-train). Default: all four.",
        "filter_model": "Models that the filters train, by name or as a dict of name → estimator. Default: logistic for probabilities; tree, neighbours, logistic and bayes for votes; tree and bayes for partition.",
    },
}
