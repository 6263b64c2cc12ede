"""`python -m studies.excess_error`: compute and simulate, and write the page's tables and picture."""

from studies.excess_error.page import PAGE, PICTURE, chart, tabled
from studies.excess_error.run import PENALTIES, PIECES, ridge, steps
from studies.pages import fill


def main() -> None:
    by_steps = [steps(pieces) for pieces in PIECES]
    by_penalty = [ridge(penalty) for penalty in PENALTIES]
    fill(PAGE, {"steps": tabled("steps", by_steps), "ridge": tabled("λ", by_penalty)})
    chart(by_steps, by_penalty).save(PICTURE)
    print(f"Written: {PAGE.name}, {PICTURE.name}.")


if __name__ == "__main__":
    main()
