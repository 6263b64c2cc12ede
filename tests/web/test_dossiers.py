"""Dossiers on the page: verified when they are looked at, and what was changed is named."""

import justesse


def test_a_dossier_is_verified_on_view(clients, folder, run, write):
    file = write("rows.csv", "label,prediction\n" + "a,a\nb,b\na,b\n" * 30)
    assert run("evaluate", file, "--dossier", folder / "first.json").code == 0
    (folder / "other.json").write_text('[{"label": "a", "prediction": "b"}]')
    reader = clients("rea", "reader")
    page = reader.get("/dossiers").text
    assert ("first.json" in page, "other.json" in page) == (True, False)
    shown = reader.get("/dossiers/first.json")
    assert shown.status_code == 200
    assert "Verified." in shown.text
    assert str(folder) not in shown.text
    assert "unsafe-inline" not in shown.headers["content-security-policy"]
    text = (folder / "first.json").read_text()
    assert '"n": 90' in text
    (folder / "first.json").write_text(text.replace('"n": 90', '"n": 91', 1))
    changed = reader.get("/dossiers/first.json").text
    assert "Verified." not in changed
    assert not justesse.dossier_verify(folder / "first.json").passed


def test_names_that_lead_elsewhere_and_other_files(clients, folder):
    (folder / "broken.json").write_text("{")
    owner, expert = clients("olga"), clients("ann", "expert")
    assert owner.get("/dossiers/broken.json").status_code in (200, 400)
    assert "Verified." not in owner.get("/dossiers/broken.json").text
    for name in ("none.json", "..%2Ffirst.json", ".hidden.json", "a%00.json", "rows.csv"):
        assert owner.get(f"/dossiers/{name}").status_code == 404, name
    assert expert.get("/dossiers").status_code == 403


def test_dossiers_are_not_offered_as_tables(clients, folder, run, write):
    file = write("rows.csv", "label,prediction\n" + "a,a\nb,b\na,b\n" * 30)
    assert run("evaluate", file, "--dossier", folder / "first.json").code == 0
    (folder / "rows.json").write_text('[{"dossier": "a", "label": 1, "prediction": 1}]')  # a table with such a column
    owner = clients("Ann")
    for path in ("/evaluations/new", "/policies"):
        page = owner.get(path).text
        assert "first.json" not in page, path
        assert "rows.json" in page, path
