"""What every figure of a lifelong evaluation rests on."""

ASSUMPTIONS = (
    "the labels are right",
    "the items of a period are a sample of those that matter in it; items of the same block of time may be alike",
    "the policy is the user's: it was not chosen after a look at the scores",
)
RUN_ASSUMPTIONS = (
    "the labels of the stream are right",
    "items of a block of time may be alike in error rates, whose blocks are independent; in penalised and other scores all "
    "items are independent",
    "the expert's answers can be applied to the system's answers directly",
)
STREAM_ASSUMPTIONS = (
    "the labels are right",
    "every item was answered before its label was known to the system",
    "blocks of time are independent; items of the same block may be alike",
)
CURVE_ASSUMPTIONS = (
    "the seeds are a sample of runs that could have been; with few seeds, scores over seeds are about normal",
    "all scores are of the same test items, which no run learnt from",
    "between two points of a run the score changes evenly",
)
