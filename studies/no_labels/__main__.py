"""`python -m studies.no_labels`: compare and evaluate thirty networks without labels, write the page, name surprises."""

from studies.expected import load, surprises
from studies.no_labels.page import PAGE, PICTURE, chart, parts
from studies.no_labels.run import EXPECTED, Networks, comparison_figures, error_figures
from studies.pages import fill


def main() -> int:
    networks = Networks.read()
    figures = comparison_figures(networks) | error_figures(networks)
    fill(PAGE, parts(figures))
    chart(networks).save(PICTURE)
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
