"""`python -m studies.noise_ladder`: climb the ladder, write the page's tables and picture, name every surprise."""

from studies.expected import surprises
from studies.noise_ladder.images import Settings
from studies.noise_ladder.page import PAGE, PICTURE, chart, parts
from studies.noise_ladder.run import expected_figures, expected_networks, flat, run
from studies.pages import fill


def main() -> int:
    found = run(Settings.read())
    fill(PAGE, parts(found))
    chart(found.networks).save(PICTURE)
    for name, value in found.figures.items():
        print(f"{value:12.6g}  {name}")
    off = [
        *surprises(found.figures, expected_figures()),
        *surprises(flat(found.networks), expected_networks()),
    ]
    print(
        f"Written: {PAGE.name}, {PICTURE.name}. " + ("All is as expected." if not off else "Not as expected:"),
        *off,
        sep="\n",
    )
    return 1 if off else 0


if __name__ == "__main__":
    raise SystemExit(main())
