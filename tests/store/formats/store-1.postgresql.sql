-- The tables of a store of format 1, without hand-outs, notes and evaluations; statements end with ;;
CREATE TABLE justesse_audits (
    number SERIAL NOT NULL,
    name TEXT NOT NULL,
    format INTEGER NOT NULL,
    made TEXT NOT NULL,
    PRIMARY KEY (number),
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
    by TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (audit, number),
    FOREIGN KEY(audit) REFERENCES justesse_audits (number)
)
;;
CREATE TABLE justesse_disputes (
    audit INTEGER NOT NULL,
    row INTEGER NOT NULL,
    id TEXT NOT NULL,
    label TEXT NOT NULL,
    incumbent TEXT NOT NULL,
    candidate TEXT NOT NULL,
    suspicion FLOAT,
    shown TEXT,
    PRIMARY KEY (audit, row),
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
    row INTEGER NOT NULL,
    kind TEXT NOT NULL,
    said TEXT,
    by TEXT NOT NULL,
    at TEXT NOT NULL,
    corrects INTEGER,
    PRIMARY KEY (audit, number),
    FOREIGN KEY(audit, row) REFERENCES justesse_disputes (audit, row),
    FOREIGN KEY(audit, corrects) REFERENCES justesse_answers (audit, number),
    UNIQUE (audit, corrects),
    FOREIGN KEY(audit) REFERENCES justesse_audits (number)
)
;;
CREATE TABLE justesse_asked (
    audit INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    row INTEGER NOT NULL,
    stratum INTEGER NOT NULL,
    weights TEXT NOT NULL,
    PRIMARY KEY (audit, turn),
    FOREIGN KEY(audit, row) REFERENCES justesse_disputes (audit, row),
    UNIQUE (audit, row),
    FOREIGN KEY(audit) REFERENCES justesse_audits (number)
)
;;
CREATE TABLE justesse_held (
    audit INTEGER NOT NULL,
    row INTEGER NOT NULL,
    by TEXT NOT NULL,
    until FLOAT NOT NULL,
    PRIMARY KEY (audit, row),
    FOREIGN KEY(audit, row) REFERENCES justesse_disputes (audit, row),
    FOREIGN KEY(audit) REFERENCES justesse_audits (number)
)
;;
CREATE OR REPLACE FUNCTION justesse_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%: entries are added, never changed', TG_TABLE_NAME USING ERRCODE = 'check_violation'; END $$
;;
CREATE OR REPLACE TRIGGER justesse_facts_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON justesse_facts FOR EACH STATEMENT EXECUTE FUNCTION justesse_only_grows()
;;
CREATE OR REPLACE TRIGGER justesse_disputes_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON justesse_disputes FOR EACH STATEMENT EXECUTE FUNCTION justesse_only_grows()
;;
CREATE OR REPLACE TRIGGER justesse_asked_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON justesse_asked FOR EACH STATEMENT EXECUTE FUNCTION justesse_only_grows()
;;
CREATE OR REPLACE TRIGGER justesse_answers_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON justesse_answers FOR EACH STATEMENT EXECUTE FUNCTION justesse_only_grows()
;;
CREATE OR REPLACE TRIGGER justesse_amendments_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON justesse_amendments FOR EACH STATEMENT EXECUTE FUNCTION justesse_only_grows()
;;
CREATE OR REPLACE TRIGGER justesse_seals_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON justesse_seals FOR EACH STATEMENT EXECUTE FUNCTION justesse_only_grows()
;;
