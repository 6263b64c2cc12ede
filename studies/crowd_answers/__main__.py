"""`python -m studies.crowd_answers`: evaluate classifiers against real crowds' answers; write the page's table and figures."""

import sys
import time

from studies.crowd_answers.page import PAGE, RESULTS, parts, record
from studies.crowd_answers.run import FEWEST, KINDS, Crowd, Judged, classifiers, judged
from studies.data import data_file
from studies.pages import fill


def main() -> None:
    rows: list[Judged] = []
    for name in FEWEST:
        crowd = Crowd.read(name, data_file(f"crowd/{name}"))
        for kind in KINDS:
            begun = time.monotonic()
            some = [judged(crowd, kind, *one) for one in classifiers(crowd, kind)]
            rows += some
            covered = sum(row.covers for row in some)
            seconds = time.monotonic() - begun
            print(f"{name}, {kind}: {covered} of {len(some)} cover, {seconds:.0f} s", file=sys.stderr, flush=True)
            record(rows)
    fill(PAGE, parts(rows))
    print(f"Written: {PAGE.name}, {RESULTS.name}.")


if __name__ == "__main__":
    main()
