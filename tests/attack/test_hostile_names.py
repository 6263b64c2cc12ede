"""Names from elsewhere, in every table, sentence, page, chart and file: they are shown, and do nothing else."""

import csv
import json
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from attack.conftest import FORGED, check_clean

NAMES = (
    "\x1b[2J\x1b[31mred",
    "\x1b]0;title\x07",
    "\x9b2Jc1",
    "\u202egnp.exe",
    f"two\n{FORGED}",
    "[red]markup[/]",
    'a role="img" fill="#222222"',
    'id="clip1" url(#clip1)',
    "<!--<script>",
    "</script><script>document.title='ran'</script>",
    "<img src=x onerror=\"document.title='ran'\">",
    "{{ 7 * 7 }}{% raw %}",
    "=cmd|' /C calc'!A0",
    "@SUM(1+1)",
    "'; DROP TABLE answers; --",
    '"; SELECT 1; --',
    "a,b|c",
    "%s %(x)s {0}",
    "-",
    "👍🏽 é ﷽",
    "x" * 300,
)


def table(path, head, rows):
    with open(path, "w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows([head, *rows])
    return path


def answers(shift):
    """Rows with every hostile name as label, answer and slice; `shift` makes answers wrong now and then."""
    k = len(NAMES)
    return [
        [f"{NAMES[at % k]}{at}", NAMES[at % k], NAMES[(at + (at % shift == 0)) % k], NAMES[at // k % k]]
        for at in range(12 * k)
    ]


@pytest.fixture
def files(tmp_path):
    """Two files of answers whose own names, columns, classes, slices and ids are hostile."""
    head = ["id\x1b[2J", "label", "prediction", f"<b>{FORGED}\n{FORGED}"]
    one = table(tmp_path / f"old\x1b[2J\n{FORGED}<i>.csv", head, answers(3))
    other = table(tmp_path / "[red]new[bold]\u202e.csv", head, answers(5))
    return head, one, other


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen, self.handlers = [], []

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        self.handlers += [name for name, _ in attributes if name.startswith("on")]


def check_page(path, *, scripts=0):
    tags = Tags()
    text = path.read_text(encoding="utf-8")
    tags.feed(text)
    assert tags.seen.count("script") == scripts
    assert not tags.handlers
    assert not {"b", "i", "img"} & set(tags.seen)
    assert "49" not in [line.strip() for line in text.splitlines()]


def check_folder(folder):
    for path in folder.rglob("*"):
        assert not path.name.startswith(".justesse-")
        if path.suffix == ".svg":
            root = ElementTree.parse(path).getroot()
            assert not [one for one in root.iter() if one.tag.endswith(("script", "foreignObject"))]
        if path.suffix == ".csv" and path.parent.name == "made":
            for row in csv.reader(path.read_text(encoding="utf-8").splitlines()):
                assert not [cell for cell in row if cell[:1] in ("=", "@", "\t", "\r")], row


def test_evaluate(run, files, tmp_path):
    head, one, _ = files
    made = tmp_path / "made"
    made.mkdir()
    words = ["evaluate", one, "--by", head[3].replace(",", ""), "--report", made / "p.html", "--charts", made / "c"]
    ran = run(*words, "--output", made / "o.csv")
    check_clean(ran.code, ran.out, ran.err, words)
    assert ran.code == 0, ran.err
    assert "[red]markup[/]" in ran.out
    assert r"\x1b[2J" in ran.out
    check_page(made / "p.html")
    check_folder(made)
    ran = run(*words[:4], "--json")
    assert not set(NAMES) - set(ran.json["classes"])
    check_clean(ran.code, ran.out, ran.err, words)


def test_compare(run, files, tmp_path):
    head, one, other = files
    made = tmp_path / "made"
    made.mkdir()
    words = ["compare", one, other, "--on", head[0], "--by", head[3], "--report", made / "p.html", "--no-gate"]
    ran = run(*words, "--charts", made / "c", "--output", made / "o.csv")
    check_clean(ran.code, ran.out, ran.err, words)
    assert ran.code == 0, ran.err
    check_page(made / "p.html")
    check_folder(made)


def test_several_candidates_and_a_tournament(run, tmp_path):
    head = ["id", "label", "true", *NAMES[:5], *NAMES[9:11]]
    k = len(NAMES)
    rows = [
        [at, NAMES[at % k], NAMES[at % k], *(NAMES[(at + (at % (3 + model) == 0)) % k] for model in range(7))]
        for at in range(400)
    ]
    path = table(tmp_path / "many.csv", head, rows)
    made = tmp_path / "made"
    made.mkdir()
    for words in (
        [
            "compare",
            path,
            "--incumbent",
            head[3],
            *(word for name in head[4:] for word in ("--candidate", name)),
            "--no-gate",
        ],
        ["tournament", path, "--true", "true", *(word for name in head[3:] for word in ("--models", name))],
    ):
        ran = run(*words, "--report", made / "p.html", "--charts", made / "c", "--output", made / "o.csv")
        check_clean(ran.code, ran.out, ran.err, words)
        assert ran.code == 0, ran.err
        check_page(made / "p.html", scripts=words[0] == "tournament")  # sorts the leaderboard
        check_folder(made)


def test_fold_scores(run, tmp_path):
    rows = [[NAMES[model], fold, 0.5 + 0.01 * model + 0.003 * fold] for model in (0, 4, 9) for fold in range(10)]
    path = table(tmp_path / "folds.csv", ["model", "fold", "score"], rows)
    made = tmp_path / "made"
    words = ["compare-folds", path, "--incumbent", NAMES[0], "--test-over-train", 0.1, "--no-gate"]
    ran = run(*words, "--report", tmp_path / "p.html", "--charts", made)
    check_clean(ran.code, ran.out, ran.err, words)
    assert ran.code == 0, ran.err
    check_page(tmp_path / "p.html")
    check_folder(made)


def test_an_audit_and_its_table_of_questions_come_back(run, files, tmp_path):
    head, one, other = files
    audit = tmp_path / f"my\x1b[2J\n{FORGED}.audit"
    ran = run("audit", "start", one, other, "--on", head[0], "--to", audit, "--show", head[3])
    check_clean(ran.code, ran.out, ran.err, "start")
    assert ran.code == 0, ran.err
    questions = tmp_path / "q.csv"
    for words in (
        ["next", audit, "-n", 40, "--output", questions],
        ["next", audit, "--reveal"],
        ["next", audit, "--json"],
    ):
        ran = run("audit", *words)
        check_clean(ran.code, ran.out, ran.err, words)
        assert ran.code == 0, ran.err
    with questions.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 40
    assert not [cell for row in rows for cell in row.values() if cell[:1] in ("=", "@")]
    table(tmp_path / "answers.csv", ["id", "class"], [[row["id"], row["one"]] for row in rows])
    ran = run("audit", "answer", audit, "--file", tmp_path / "answers.csv", "--by", "Ann\x1b[2J")
    check_clean(ran.code, ran.out, ran.err, "answer")
    assert ran.code == 0, ran.err
    for words in (
        ["status", audit, "--no-gate"],
        ["status", audit, "--json", "--no-gate"],
        ["report", audit, "--report", tmp_path / "p.html"],
    ):
        ran = run("audit", *words)
        check_clean(ran.code, ran.out, ran.err, words, gate=True)
        assert ran.code in (0, 1), ran.err
    check_page(tmp_path / "p.html")


def test_noise_inspect_and_assess(run, tmp_path):
    k = len(NAMES)
    head = ["id", "label", "prediction", "true", NAMES[0], NAMES[4]]
    rows = [
        [
            at,
            NAMES[at % k],
            NAMES[(at + (at % 5 == 0)) % k],
            NAMES[(at + (at % 7 == 0)) % k],
            at % k + at / 997,
            NAMES[at % 3],
        ]
        for at in range(12 * k)
    ]
    path = table(tmp_path / f"rows\n{FORGED}\x1b[2J.csv", head, rows)
    for words in (
        ["noise", "estimate", path, "--true", "true"],
        ["noise", "profile", path, "--true", "true"],
        ["noise", "bounds", path, "--noise-rate", 0.05],
        ["noise", "breakdown", path, "--claim", "accuracy > 0.5"],
        [
            "noise",
            "inject",
            path,
            "--to",
            tmp_path / "noisy.csv",
            "--model",
            "uniform",
            "--rate",
            0.1,
            "--true-column",
            "was",
        ],
        ["inspect", path, "--train", path, "--label", "label"],
        ["assess", path, "--model", "bayes", "--k", 3, "--report", tmp_path / "p.html"],
    ):
        ran = run(*words)
        check_clean(ran.code, ran.out, ran.err, words, gate=words[0] == "inspect")
        assert ran.code in (0, 1), ran.err
    check_page(tmp_path / "p.html")
    with (tmp_path / "noisy.csv").open(encoding="utf-8", newline="") as stream:
        kept = list(csv.DictReader(stream))
    assert [row["was"] for row in kept] == [row[1] for row in rows]


@pytest.mark.parametrize("words", [
    ["evaluate", f"no\x1b[2J\n{FORGED}.csv"], ["evaluate", "\x1b[2J", "--\x1b[31m"], ["\x1b[2J"], ["compare", "a\x9b", "b\u202e"],
    ["audit", "status", f"no\n{FORGED}\x1b"], ["plan", "precision", "--level", "\x1b[2J"], ["evaluate", "{good}", "--label", f"\x1b\n{FORGED}"],
    ["evaluate", "{good}", "--report", f"none\x1b/{FORGED}\n{FORGED}.html"], ["evaluate", "{good}", "--classes", "\x1b,\u202e"],
    ["evaluate", "{good}", "--measure", f"\x1b\n{FORGED}"], ["evaluate", "{good}", "--positive", f"\n{FORGED}\x9b"],
])  # fmt: skip
def test_errors_show_names_and_do_nothing_else(run, write, words):
    good = write("good.csv", "label,prediction\na,a\nb,b\n")
    ran = run(*(str(word).replace("{good}", str(good)) for word in words))
    check_clean(ran.code, ran.out, ran.err, words)
    assert ran.code == 2


def test_json_keeps_its_values(run, write):
    names = ["\x9b2J", "\u202ea", "\x7f"]
    path = write("a.csv", "label,prediction\n" + "".join(f"{name},{name}\n" for name in names) * 5)
    ran = run("evaluate", path, "--json")
    assert sorted(json.loads(ran.out)["classes"]) == sorted(names)
