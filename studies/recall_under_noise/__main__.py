"""`python -m studies.recall_under_noise`: simulate, and write the page's table and picture."""

from studies.pages import fill
from studies.recall_under_noise.page import PAGE, PICTURE, chart, happened
from studies.recall_under_noise.run import RATES, RECALLS, simulate


def main() -> None:
    alone = [simulate(true, rate) for true in RECALLS for rate in RATES]
    suited = [simulate(RECALLS[-1], rate, copies=True) for rate in RATES]
    rows = happened([one for one in (*alone, *suited) if one.rate == 0.2])
    fill(PAGE, {"a fifth of wrong labels": rows})
    chart([*alone, *suited]).save(PICTURE)
    print(rows, f"Written: {PAGE.name}, {PICTURE.name}.", sep="\n")


if __name__ == "__main__":
    main()
