"""`python -m studies.llm_judges`: correct six judges on LLMBar with few ratings, write the page, name surprises."""

import sys

from studies.expected import load, save, surprises
from studies.llm_judges.page import PAGE, PICTURE, chart, parts
from studies.llm_judges.run import EXPECTED, all_figures, judge_names, read, sampled_figures
from studies.pages import fill


def main() -> int:
    verdicts = read()
    figures = all_figures(verdicts) | sampled_figures(verdicts, judge_names(verdicts))
    fill(PAGE, parts(figures))
    chart(figures).save(PICTURE)
    if "--record" in sys.argv:
        rows = [
            {"figure": name, "value": value, "tolerance": 0.01, "source": "this study"}
            for name, value in figures.items()
        ]
        save(rows, EXPECTED)
    for name, value in figures.items():
        print(f"{value:12.6g}  {name}")
    expected = {row["figure"]: (float(row["value"]), float(row["tolerance"])) for row in load(EXPECTED)}
    off = list(surprises(figures, expected))
    print(
        f"Written: {PAGE.name}, {PICTURE.name}.", "Not as expected:" if off else "All is as expected.", *off, sep="\n"
    )
    return 1 if off else 0


if __name__ == "__main__":
    raise SystemExit(main())
