"""What every figure of a lifelong evaluation rests on."""

ASSUMPTIONS = (
    "the labels are right",
    "the items of a period are a sample of those that matter in it; items of the same block of time may be alike",
    "the policy is the user's: it was not chosen after a look at the scores",
)
