"""`python -m studies.active_labels`: measure, and write the page."""

from studies.active_labels.page import record
from studies.active_labels.run import Images, measured
from studies.data import data_file

if __name__ == "__main__":
    record(list(measured(Images.read(data_file("cifar10")))))
