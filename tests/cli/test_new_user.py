"""What a new user gets wrong first, and the sentence that helps."""

ROWS = "".join(f"{at},{at}.25,{at}.75\n" for at in range(40))


def test_numbers_in_both_columns_lead_to_regression(run, write):
    ran = run("evaluate", write("ridge.csv", "id,label,prediction\n" + ROWS.replace(".25", ".0")))
    assert ran.code == 2
    assert "pass --regression (justesse.evaluate_regression)" in ran.err


def test_a_column_of_classes_is_no_id(run, write):
    text = "id,label,prediction\n" + "".join(f"{at},{at % 2},{at % 3 % 2}\n" for at in range(40))
    old, new = write("old.csv", text), write("new.csv", text)
    ran = run("compare", old, new, "--on", "label")
    assert ran.code == 2
    assert "does not look like an id: it has 2 different values in 40 rows. Name the id column (--on NAME)." in ran.err


def test_a_negative_rate_is_refused_as_a_rate(run, write):
    path = write("a.csv", "label,prediction\n" + "1,1\n0,0\n" * 20)
    for rate in ("-1%", "-1%:5%", "-1"):
        ran = run("evaluate", path, "--noise-rate", rate)
        assert ran.code == 2
        assert "A noise rate must be" in ran.err
        assert "requires an argument" not in ran.err
