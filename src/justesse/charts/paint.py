"""What all charts share: colours that colour-blind readers tell apart, plain axes, a title that says what is shown."""

from typing import TYPE_CHECKING, Any

from justesse.core.errors import MissingExtraError

if TYPE_CHECKING:
    import altair as alt

INK, SOFT, GRID = "#222222", "#767676", "#d9d9d9"
BLUE, ORANGE = "#0072b2", "#d55e00"  # of Okabe and Ito
WIDTH, HEIGHT = 460, 300


def altair() -> Any:
    """Import Altair late: it is heavy, and only charts need it."""
    try:
        import altair as alt
    except ImportError as error:
        raise MissingExtraError("charts need Altair: pip install altair vl-convert-python") from error
    return alt


def styled(chart: Any, title: str, said: str) -> "alt.Chart":
    """Give a chart its title, its text alternative and the common style."""
    style = {
        "view": {"stroke": None},
        "axis": {
            "labelColor": INK,
            "titleColor": INK,
            "gridColor": GRID,
            "domainColor": SOFT,
            "tickColor": SOFT,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
        },
        "title": {"color": INK, "fontSize": 14, "anchor": "start", "fontWeight": "bold", "offset": 12},
        "legend": {"labelColor": INK, "titleColor": INK, "labelFontSize": 12, "titleFontSize": 12},
        "font": "sans-serif",
    }
    return chart.properties(title=title, description=said).configure(**style)  # type: ignore[no-any-return]


def banded_points(curve: dict[str, list[float | None]], x: str, y: str) -> list[dict[str, float | None]]:
    """Turn the columns of a curve, with `y_low` and `y_high` beside y, into points; those without a value are left out.

    >>> banded_points({"fpr": [0.0], "tpr": [0.5], "tpr_low": [0.4], "tpr_high": [0.6]}, "fpr", "tpr")
    [{'x': 0.0, 'y': 0.5, 'low': 0.4, 'high': 0.6}]
    """
    rows = zip(curve[x], curve[y], curve[f"{y}_low"], curve[f"{y}_high"], strict=True)
    points = [dict(zip(("x", "y", "low", "high"), row, strict=True)) for row in rows]
    return [point for point in points if point["x"] is not None and point["y"] is not None]


def dashed_diagonal(alt: Any, said: str) -> Any:
    """Draw the line that chance, or perfection, would follow."""
    rows = [{"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}]
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_line(color=SOFT, strokeDash=[4, 4])
        .encode(x=alt.X("x:Q"), y=alt.Y("y:Q"))
        .properties(description=said)
    )
