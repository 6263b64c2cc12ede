"""`python -m studies.thesis_judges`: train, choose, judge, write the page's tables and pictures, name every surprise."""

import argparse
from pathlib import Path

from studies.expected import surprises
from studies.pages import fill
from studies.thesis_judges.figures import expected, figures, shape
from studies.thesis_judges.page import PAGE, parts
from studies.thesis_judges.pictures import draw
from studies.thesis_judges.progress import bars
from studies.thesis_judges.run import run
from studies.thesis_judges.settings import Settings, default_cache


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m studies.thesis_judges", description=__doc__)
    parser.add_argument("--cache", type=Path, default=default_cache(), help="where images and answers are kept")
    parser.add_argument("--jobs", type=int, default=1, help="how many models are trained side by side")
    asked = parser.parse_args()
    settings = Settings.read()
    with bars() as bar:
        found = run(settings, asked.cache, jobs=asked.jobs, bar=bar)
    fill(PAGE, parts(found, settings))
    pictures = draw(found, settings)
    seen = figures(found, settings)
    for name, value in seen.items():
        print(f"{value:12.6g}  {name}")
    off = [*shape(seen, settings), *surprises(seen, expected())]
    written = ", ".join(place.name for place in (PAGE, *pictures))
    print(f"Written: {written}. " + ("All is as expected." if not off else "Not as expected:"), *off, sep="\n")
    return 1 if off else 0


if __name__ == "__main__":
    raise SystemExit(main())
