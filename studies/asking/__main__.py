"""`python -m studies.asking`: reveal answers of real crowds by several rules; write the page's tables, picture and figures."""

import sys
import time

from studies.asking.page import PAGE, PICTURE, RESULTS, chart, parts, record
from studies.asking.run import BATCHES, RULES, SEEDS, STARTS, Crowd, follow, needed
from studies.data import data_file
from studies.pages import fill


def main() -> None:
    curves, recorded = [], {}
    for name, batch in BATCHES.items():
        crowd = Crowd.read(name, data_file(f"crowd/{name}"))
        recorded[name] = len(crowd.notes)
        for start in STARTS:
            for rule in RULES:
                begun = time.monotonic()
                curves += [follow(crowd, start, rule, seed, batch=batch) for seed in range(SEEDS)]
                print(f"{name}, {start}, {rule}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    rows = needed(curves, recorded)
    for row in rows:
        print(f"{row.crowd:9} {row.start:27} {row.rule:12} {row.target:.1%} {row.answers:7,.0f} {row.share:5.0%}")
    record(rows)
    fill(PAGE, parts(rows))
    chart(curves, rows).save(PICTURE)
    print(f"Written: {PAGE.name}, {PICTURE.name}, {RESULTS.name}.")


if __name__ == "__main__":
    main()
