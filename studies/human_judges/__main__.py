"""`python -m studies.human_judges`: judge and audit all pairs, write the page's tables and picture, name every surprise."""

from studies.expected import surprises
from studies.human_judges.page import PAGE, PICTURE, chart, parts
from studies.human_judges.run import expected_figures, run
from studies.human_judges.settings import Settings
from studies.pages import fill


def main() -> int:
    found = run(Settings.read())
    fill(PAGE, parts(found))
    chart(found).save(PICTURE)
    for name, value in found.figures.items():
        print(f"{value:12.6g}  {name}")
    off = list(surprises(found.figures, expected_figures()))
    print(
        f"Written: {PAGE.name}, {PICTURE.name}. " + ("Not as expected:" if off else "All is as expected."),
        *off,
        sep="\n",
    )
    return 1 if off else 0


if __name__ == "__main__":
    raise SystemExit(main())
