"""Policies drawn by mouse and by keyboard, and an evaluation by upload, in a browser."""

from itertools import pairwise

import pytest
from axe_playwright_python.sync_playwright import Axe

from justesse.frames.policy_table import policy_table
from web.server import Server

SYSTEMS = {"old": [1, 2, 4, 8, 10, 12], "<b>new": [12, 9, 7, 5, 3, 1]}  # errors of 40 in each month
DRAW = "/policies/draw?file=old.csv&file=%3Cb%3Enew.csv&period=month&preset=past"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    place = tmp_path_factory.mktemp("policy")
    (place / "served").mkdir()
    for name, errors in SYSTEMS.items():
        rows = [
            f"{month}-{at},v1,2025-01-01,2024-{month:02}-15,cat,{'dog' if at < wrong else 'cat'}\n"
            for month, wrong in enumerate(errors, 1)
            for at in range(40)
        ]
        (place / "served" / f"{name}.csv").write_text("id,version,trained,time,label,prediction\n" + "".join(rows))
    made = Server(place / "served", place / "state")
    yield made
    made.kill()


@pytest.fixture(scope="module")
def cookies(server, browser):
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.address)
    page.wait_for_url(f"{server.root}/")
    kept = context.cookies()
    context.close()
    return kept


@pytest.fixture
def enter(server, cookies, browser):
    contexts = []

    def call(path, **options):
        context = browser.new_context(**options)
        contexts.append(context)
        context.add_cookies(cookies)
        page = context.new_page()
        page.trouble = []
        page.on("pageerror", lambda error: page.trouble.append(str(error)))
        page.on("console", lambda message: page.trouble.append(message.text) if message.type == "error" else None)
        page.goto(f"{server.root}{path}")
        return page

    yield call
    for context in contexts:
        context.close()


def serious(page):
    violations = Axe().run(page).response["violations"]
    return [
        (each["id"], each["nodes"][0]["html"][:200]) for each in violations if each["impact"] in ("serious", "critical")
    ]


def first(page):
    return page.locator("#ranks tbody th").first.inner_text()


def test_a_point_dragged_by_the_mouse_changes_weight_share_and_ranking(enter):
    page = enter(DRAW)
    assert first(page) == "old"
    assert "95 % CI" in page.locator("#difference").inner_text().replace("\xa0", " ")
    point, inputs = page.locator("#curve circle").nth(5), page.locator("#table input")
    place, top = point.bounding_box(), page.locator("#curve .grid").bounding_box()["y"]
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.mouse.down()
    page.mouse.move(place["x"] + 30, (place["y"] + top) / 2, steps=4)
    page.mouse.move(place["x"] + 5, top, steps=4)
    page.mouse.up()
    page.mouse.move(place["x"] + 5, top + 80)
    assert float(inputs.nth(5).input_value()) == pytest.approx(100, abs=3)
    assert page.locator("#table .share").nth(5).inner_text().startswith("3")
    for at in range(3):
        inputs.nth(at).fill("0")
    assert first(page) == "<b>new"
    assert "<b>new leads" in page.locator("#leader").inner_text()
    assert page.locator("#ranks tbody td").nth(6).inner_text() != ""
    assert page.trouble == []


def test_a_point_dragged_by_a_finger_does_not_scroll_the_page(enter):
    page = enter(DRAW, viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    point = page.locator("#curve circle").nth(5)
    point.scroll_into_view_if_needed()
    place, top = point.bounding_box(), page.locator("#curve .grid").bounding_box()["y"]
    x, y, scrolled = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2, page.evaluate("scrollY")
    finger = page.context.new_cdp_session(page)
    for kind, part in [("touchStart", 0), ("touchMove", 0.3), ("touchMove", 0.6), ("touchMove", 1), ("touchEnd", None)]:
        points = [] if part is None else [{"x": x, "y": y + (top - y) * part}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert float(page.locator("#table input").nth(5).input_value()) == pytest.approx(100, abs=3)
    assert page.evaluate("scrollY") == scrolled


def test_what_is_drawn_is_printed(enter):
    page = enter(DRAW)
    page.emulate_media(media="print")
    for part in ("#curve", "#ranks", "#table"):
        assert page.locator(part).is_visible(), part
    assert page.locator("#policy button:visible").count() == 0


def test_the_same_by_keyboard_then_saved_as_the_table_that_commands_read(enter, server):
    page = enter(DRAW)
    page.locator("#curve circle").first.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    for key in ("End", "PageDown", "ArrowDown", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Weight of 2024-02"
    assert page.evaluate("document.activeElement.getAttribute('aria-valuenow')") == "91"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    page.locator("#name").fill("drawn")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**saved=drawn.csv")
    assert "csrf" not in page.url
    weights = policy_table(server.folder / "drawn.csv")
    assert list(weights.values())[:3] == [0, 91, 0]
    assert list(weights)[:2] == ["2024-01", "2024-02"]


def test_presets_fill_the_table_and_what_the_script_ranks_is_what_the_server_ranks(enter):
    page = enter(DRAW)
    for preset in ("recent", "uniform", "cyclic:4"):
        page.locator(f".presets a:has-text('{preset}')").click()
        live = page.locator("#ranks tbody").inner_text().replace("\xa0", " ")
        page.locator("button", has_text="Show the effect").click()
        page.wait_for_load_state()
        assert page.locator("#ranks tbody").inner_text().replace("\xa0", " ") == live
    assert page.trouble == []


def test_without_script_the_weights_are_a_form(enter):
    page = enter(DRAW, java_script_enabled=False)
    assert not page.locator(".needs-script").is_visible()
    for at in range(5):
        page.locator("#table input").nth(at).fill("0")
    page.locator("#table input").nth(5).fill("7")
    page.locator("button", has_text="Show the effect").click()
    assert first(page) == "<b>new"


def test_an_upload_is_evaluated(enter, tmp_path):
    file = tmp_path / "<i>test.csv"
    file.write_text("label,prediction\n" + "cat,cat\ndog,dog\ncat,dog\n" * 30)
    page = enter("/evaluations/new")
    page.locator("#upload").set_input_files(file)
    page.locator("button.main").click()
    assert page.locator("#label").input_value() == "label"
    assert serious(page) == []
    page.locator("button.main").click()
    page.wait_for_url("**/evaluations/1")
    assert "Accuracy 66.7 %" in page.locator(".answer").inner_text().replace("\xa0", " ")
    page.locator("text=Open the page").click()
    page.wait_for_url("**/report")
    assert page.locator("h1").count() == 1
    assert page.trouble == []


@pytest.mark.parametrize("path", ["/evaluations", "/evaluations/new", "/policies", DRAW, "/policies/draw?n=60"])
@pytest.mark.parametrize("look", ["desktop", "phone", "dark"])
def test_pages_are_accessible_and_fit_the_screen(enter, path, look):
    options = {
        "desktop": {"viewport": {"width": 1280, "height": 900}},
        "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
        "dark": {"color_scheme": "dark"},
    }[look]
    page = enter(path, **options)
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert page.trouble == []


PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
BOXES = "each => each.map(item => { const box = item.getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]; })"


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("path", [DRAW, "/policies/draw?n=12", "/policies/draw?n=60"])
@pytest.mark.parametrize("options", [PHONE, {"viewport": {"width": 1100, "height": 800}}])
def test_points_and_names_of_the_drawing_do_not_cover_each_other(enter, path, options):
    page = enter(path, **options)
    width = options["viewport"]["width"]
    points, names = (page.locator(f"#curve {kind}").evaluate_all(BOXES) for kind in ("circle", "text"))
    assert len(points) > 5
    assert len(names) > 3
    assert all(box[0] >= 0 and box[2] <= width for box in (*points, *names))
    assert not [(point, name) for point in points for name in names if overlap(point, name)]
    assert not [pair for pair in pairwise(names) if overlap(*pair)]
    assert page.locator("#curve").bounding_box()["height"] > 200
    page.set_viewport_size({"width": 700, "height": 800})  # a phone that is turned
    assert all(box[2] <= 700 for box in page.locator("#curve circle").evaluate_all(BOXES))
    assert page.trouble == []


def test_a_phone_shows_all_of_the_ranking_and_of_the_choice(enter):
    page = enter(DRAW, **PHONE)
    cells = page.locator("#ranks tbody td:not(:empty), #ranks tbody th").evaluate_all(BOXES)
    assert len(cells) == 8
    assert all(box[0] >= 0 and box[2] <= 390 for box in cells)
    points = page.locator("#curve circle")
    before = page.locator("#table input").first.input_value()
    box = points.first.bounding_box()
    assert box["width"] >= 24  # large enough for a thumb
    page.locator("#table input").first.fill("12")
    assert page.locator("#ranks td[data-name=Accuracy]").count() == 2
    assert page.locator("#table input").first.input_value() != before
    page = enter("/policies", **PHONE)
    ticks = page.locator("label.tick").evaluate_all(BOXES)
    assert len(ticks) >= len(SYSTEMS)  # other tests save policies beside them
    assert all(box[3] - box[1] < 60 and box[2] - box[0] > 100 for box in ticks)
