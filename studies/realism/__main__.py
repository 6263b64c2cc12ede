"""`python -m studies.realism`: compare, write the page's tables and picture, name every surprise."""

from studies.expected import surprises
from studies.pages import fill
from studies.realism.data import read
from studies.realism.page import PAGE, PICTURE, chart, parts
from studies.realism.run import expected, run
from studies.realism.settings import Settings, cache


def main() -> int:
    settings, folder = Settings.read(), cache()
    found = run(*read(settings, folder), settings, folder)
    fill(PAGE, parts(found))
    chart(found.rows).save(PICTURE)
    for name, value in found.figures.items():
        print(f"{value:12.6g}  {name}")
    off = list(surprises(found.figures, expected()))
    print(
        f"Written: {PAGE.name}, {PICTURE.name}. " + ("All is as expected." if not off else "Not as expected:"),
        *off,
        sep="\n",
    )
    return 1 if off else 0


if __name__ == "__main__":
    raise SystemExit(main())
