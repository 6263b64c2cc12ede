"""`python -m studies.lifelong_policies`: train, score, compare, and write the page."""

from studies.lifelong_policies.page import record
from studies.lifelong_policies.run import measured
from studies.lifelong_policies.streams import electricity, weather

if __name__ == "__main__":
    record([figure for stream in (electricity(), weather()) for figure in measured(stream)])
