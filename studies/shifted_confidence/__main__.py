"""`python -m studies.shifted_confidence`: measure, and write the page."""

from studies.shifted_confidence.page import record
from studies.shifted_confidence.run import Images, measured

if __name__ == "__main__":
    record(list(measured(Images.read())))
