"""Groups of options in the help of `justesse noise`, in the order they are shown; Output comes last."""

from cyclopts import Group

NOISE = Group("Noise", sort_key=1)
LABELS = Group("Wrong labels", sort_key=1)
HARD = Group("Noise by features", sort_key=2)
COLUMNS = Group("Columns", sort_key=3)
MEASURES = Group("Measures", sort_key=4)
TRAINING = Group("Training", sort_key=5)
INTERVALS = Group("Intervals", sort_key=6)
