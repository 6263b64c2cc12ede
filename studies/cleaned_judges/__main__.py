"""`python -m studies.cleaned_judges`: judge after every filter, keep what is done, write the tables and the picture."""

from studies.cleaned_judges.page import PAGE, PICTURE, chart, parts
from studies.cleaned_judges.run import SIMULATED, add, after_filters, after_simulated, kept
from studies.cleaned_judges.worlds import worlds
from studies.pages import fill


def main() -> int:
    """Run the sets of labels that are missing, then write the page."""
    parts_of = {"filters": after_filters, "simulated steps": after_simulated}
    done = {
        (row["data"], row["noise"], int(row["draw"]), "simulated steps" if row["source"] == SIMULATED else "filters")
        for row in kept()
    }
    for world in worlds():
        for what, judge in parts_of.items():
            if (world.data, world.noise, world.draw, what) not in done:
                add(judge(world))
                print(f"done: {world.key}, {what}", flush=True)
    rows = kept()
    fill(PAGE, parts(rows))
    chart(rows).save(PICTURE, scale_factor=2)
    print(f"Written: {PAGE.name}, {PICTURE.name}.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
