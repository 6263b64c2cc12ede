-- The tables of a store of format 1, without hand-outs, notes and evaluations; statements end with ;;
CREATE TABLE justesse_audits (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    format INTEGER NOT NULL,
    made TEXT NOT NULL,
    UNIQUE (name)
)
;;
CREATE TABLE justesse_store (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name)
)
;;
CREATE TABLE justesse_amendments (
    audit INTEGER NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    "by" TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (audit, number),
    FOREIGN KEY(audit) REFERENCES justesse_audits (number)
)
;;
CREATE TABLE justesse_disputes (
    audit INTEGER NOT NULL,
    "row" INTEGER NOT NULL,
    id TEXT NOT NULL,
    label TEXT NOT NULL,
    incumbent TEXT NOT NULL,
    candidate TEXT NOT NULL,
    suspicion FLOAT,
    shown TEXT,
    PRIMARY KEY (audit, "row"),
    FOREIGN KEY(audit) REFERENCES justesse_audits (number)
)
;;
CREATE TABLE justesse_facts (
    audit INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (audit, name),
    FOREIGN KEY(audit) REFERENCES justesse_audits (number)
)
;;
CREATE TABLE justesse_seals (
    audit INTEGER NOT NULL,
    part TEXT NOT NULL,
    number INTEGER NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (audit, part, number),
    FOREIGN KEY(audit) REFERENCES justesse_audits (number)
)
;;
CREATE TABLE justesse_answers (
    audit INTEGER NOT NULL,
    number INTEGER NOT NULL,
    "row" INTEGER NOT NULL,
    kind TEXT NOT NULL,
    said TEXT,
    "by" TEXT NOT NULL,
    at TEXT NOT NULL,
    corrects INTEGER,
    PRIMARY KEY (audit, number),
    FOREIGN KEY(audit, "row") REFERENCES justesse_disputes (audit, "row"),
    FOREIGN KEY(audit, corrects) REFERENCES justesse_answers (audit, number),
    UNIQUE (audit, corrects),
    FOREIGN KEY(audit) REFERENCES justesse_audits (number)
)
;;
CREATE TABLE justesse_asked (
    audit INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    "row" INTEGER NOT NULL,
    stratum INTEGER NOT NULL,
    weights TEXT NOT NULL,
    PRIMARY KEY (audit, turn),
    FOREIGN KEY(audit, "row") REFERENCES justesse_disputes (audit, "row"),
    UNIQUE (audit, "row"),
    FOREIGN KEY(audit) REFERENCES justesse_audits (number)
)
;;
CREATE TABLE justesse_held (
    audit INTEGER NOT NULL,
    "row" INTEGER NOT NULL,
    "by" TEXT NOT NULL,
    until FLOAT NOT NULL,
    PRIMARY KEY (audit, "row"),
    FOREIGN KEY(audit, "row") REFERENCES justesse_disputes (audit, "row"),
    FOREIGN KEY(audit) REFERENCES justesse_audits (number)
)
;;
CREATE TRIGGER IF NOT EXISTS justesse_facts_no_update BEFORE UPDATE ON justesse_facts BEGIN SELECT RAISE(ABORT, 'justesse_facts: entries are added, never changed'); END
;;
CREATE TRIGGER IF NOT EXISTS justesse_facts_no_delete BEFORE DELETE ON justesse_facts BEGIN SELECT RAISE(ABORT, 'justesse_facts: entries are added, never changed'); END
;;
CREATE TRIGGER IF NOT EXISTS justesse_disputes_no_update BEFORE UPDATE ON justesse_disputes BEGIN SELECT RAISE(ABORT, 'justesse_disputes: entries are added, never changed'); END
;;
CREATE TRIGGER IF NOT EXISTS justesse_disputes_no_delete BEFORE DELETE ON justesse_disputes BEGIN SELECT RAISE(ABORT, 'justesse_disputes: entries are added, never changed'); END
;;
CREATE TRIGGER IF NOT EXISTS justesse_asked_no_update BEFORE UPDATE ON justesse_asked BEGIN SELECT RAISE(ABORT, 'justesse_asked: entries are added, never changed'); END
;;
CREATE TRIGGER IF NOT EXISTS justesse_asked_no_delete BEFORE DELETE ON justesse_asked BEGIN SELECT RAISE(ABORT, 'justesse_asked: entries are added, never changed'); END
;;
CREATE TRIGGER IF NOT EXISTS justesse_answers_no_update BEFORE UPDATE ON justesse_answers BEGIN SELECT RAISE(ABORT, 'justesse_answers: entries are added, never changed'); END
;;
CREATE TRIGGER IF NOT EXISTS justesse_answers_no_delete BEFORE DELETE ON justesse_answers BEGIN SELECT RAISE(ABORT, 'justesse_answers: entries are added, never changed'); END
;;
CREATE TRIGGER IF NOT EXISTS justesse_amendments_no_update BEFORE UPDATE ON justesse_amendments BEGIN SELECT RAISE(ABORT, 'justesse_amendments: entries are added, never changed'); END
;;
CREATE TRIGGER IF NOT EXISTS justesse_amendments_no_delete BEFORE DELETE ON justesse_amendments BEGIN SELECT RAISE(ABORT, 'justesse_amendments: entries are added, never changed'); END
;;
CREATE TRIGGER IF NOT EXISTS justesse_seals_no_update BEFORE UPDATE ON justesse_seals BEGIN SELECT RAISE(ABORT, 'justesse_seals: entries are added, never changed'); END
;;
CREATE TRIGGER IF NOT EXISTS justesse_seals_no_delete BEFORE DELETE ON justesse_seals BEGIN SELECT RAISE(ABORT, 'justesse_seals: entries are added, never changed'); END
;;
