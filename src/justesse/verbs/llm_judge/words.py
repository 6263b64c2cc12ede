"""The figures of `llm-judge` and what they assume, in words."""

from typing import Literal

JudgedMethod = Literal[
    "naive", "people", "rogan_gladen", "rogan_gladen_strata", "prediction_powered", "prediction_powered_strata"
]
VerdictShape = Literal["pairs", "single"]
Decided = Literal["above", "below", "cannot_tell"]  # of a figure that people are asked about
BiasName = Literal["position", "self", "length"]
TITLES: dict[JudgedMethod, str] = {
    "naive": "judge alone (naive)",
    "people": "people's ratings alone",
    "rogan_gladen": "Rogan-Gladen",
    "rogan_gladen_strata": "Rogan-Gladen, by stratum",
    "prediction_powered": "prediction-powered",
    "prediction_powered_strata": "prediction-powered, by stratum",
}
SHORT: dict[JudgedMethod, str] = {
    "naive": "judge alone",
    "people": "people alone",
    "rogan_gladen": "Rogan-Gladen",
    "rogan_gladen_strata": "R.-G., strata",
    "prediction_powered": "powered",
    "prediction_powered_strata": "powered, strata",
}
BIASES: dict[BiasName, str] = {
    "position": "position: the output shown first",
    "self": "self-preference: outputs of its own family",
    "length": "length: the longer output",
}
RANDOM = "the units that people rated are a random sample of all units"
ASSUMPTIONS: dict[JudgedMethod, tuple[str, ...]] = {
    "naive": ("the judge is always right",),
    "people": (RANDOM,),
    "rogan_gladen": (
        RANDOM,
        "Rogan-Gladen only: the judge's error rates are the same for all models and strata, and where people tie its "
        "mean verdict lies midway",
    ),
    "rogan_gladen_strata": (RANDOM, "Rogan-Gladen by stratum only: the error rates are the same for all models within a stratum"),
    "prediction_powered": (RANDOM,),
    "prediction_powered_strata": (RANDOM,),
}  # fmt: skip
PEOPLE_RIGHT = "people's ratings are right"
INDEPENDENT = "items are independent draws"
NO_RATINGS = "there are no ratings of people"
HOW = (
    "Naive: the mean verdict of the judge. Several verdicts on a unit, such as both orders, are averaged.",
    "Rogan-Gladen: (mean verdict - m0) / (m1 - m0), with m1 and m0 the judge's mean verdicts where people rate 1 and 0. Its "
    "interval carries the uncertainty of m1 and m0 (Rogan and Gladen 1978; Lang and Reiczigel 2014).",
    "Prediction-powered: the mean verdict corrected by its mean error on the rated units, tuned for the least variance. "
    "It holds for any judge, good or bad (Angelopoulos et al. 2023).",
    "Biases compare outputs that people rate alike. The p-values exchange outputs of the two kinds at random; that of "
    "position is McNemar's test of verdicts that flip: mid-p, or cluster-robust if an item has several pairs.",
    "Strengths: Davidson's model, which is Bradley and Terry's with ties (Davidson 1970). With about 50 ratings and models far "
    "apart, intervals of corrected strengths can be too narrow: then read those by people alone.",
)
