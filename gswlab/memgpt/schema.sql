-- The tables of an agent's file: what was said, what was kept, and their indexes.
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, role TEXT, kind TEXT, text TEXT,
    tokens INTEGER, turn INTEGER, speaker TEXT, items TEXT, most INTEGER,
    time TEXT, chunk TEXT, document TEXT, start INTEGER, stop INTEGER, dates TEXT);
CREATE INDEX messages_time ON messages (time, id) WHERE time IS NOT NULL;
CREATE INDEX messages_document ON messages (document) WHERE document IS NOT NULL;
CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT, tokens INTEGER, tags TEXT,
    vector BLOB,
    time TEXT, chunk TEXT, document TEXT, start INTEGER, stop INTEGER, dates TEXT);
CREATE INDEX passages_tags ON passages (tags) WHERE tags != '[]';
CREATE INDEX passages_document ON passages (document) WHERE document IS NOT NULL;
CREATE TABLE blocks (
    label TEXT PRIMARY KEY, description TEXT, value TEXT, most INTEGER,
    read_only INTEGER);
CREATE TABLE state (key TEXT PRIMARY KEY, json TEXT);
CREATE TABLE turns (chunk TEXT PRIMARY KEY, step TEXT);
CREATE TABLE counts (name TEXT PRIMARY KEY, texts INTEGER, words INTEGER);

CREATE VIRTUAL TABLE messages_words USING fts5(
    text, content='', tokenize='unicode61 remove_diacritics 0');
CREATE VIRTUAL TABLE messages_grams USING fts5(
    text, content='', detail=none, tokenize='trigram');
INSERT INTO counts VALUES ('messages', 0, 0);

CREATE VIRTUAL TABLE passages_words USING fts5(
    text, content='', tokenize='unicode61 remove_diacritics 0');
CREATE VIRTUAL TABLE passages_grams USING fts5(
    text, content='', detail=none, tokenize='trigram');
INSERT INTO counts VALUES ('passages', 0, 0);
