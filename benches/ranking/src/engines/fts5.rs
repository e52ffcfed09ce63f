//! SQLite FTS5: a table without contents whose columns are the split path and the split text; a
//! word is a phrase of its parts.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use rusqlite::{Connection, params};

use super::Engine;
use crate::{
    tree::File,
    words::{Term, split},
};

#[derive(Default)]
pub struct Fts5 {
    connection: Option<Connection>,
    /// Rows of paths.
    rows: BTreeMap<String, i64>,
    paths: Vec<String>,
}

impl Fts5 {
    fn ask(&self, terms: &[Term], order: &str) -> Vec<String> {
        let connection = self.connection.as_ref().expect("it is open");
        let mut statement = connection
            .prepare_cached(&format!("SELECT rowid FROM texts WHERE texts MATCH ?1 {order}"))
            .expect("a query");
        let rows = statement.query_map([expression(terms)], |row| row.get::<_, i64>(0)).expect("an answer");
        rows.flatten().filter_map(|row| self.paths.get(usize::try_from(row).ok()?).cloned()).collect()
    }
}

fn expression(terms: &[Term]) -> String {
    let phrase = |term: &Term| match term {
        Term::Word(parts) => parts.join(" "),
        Term::Phrase(text) => {
            let mut out = String::new();
            split(text, &mut out);
            out.replace('\n', " ")
        }
    };
    // The path is not what has to match.
    let terms: Vec<String> = terms.iter().map(|term| format!("{{body}} : \"{}\"", phrase(term))).collect();
    terms.join(" AND ")
}

impl Engine for Fts5 {
    fn name(&self) -> &'static str {
        "SQLite FTS5"
    }

    fn reads_files(&self) -> bool {
        false
    }

    fn build(&mut self, tree: &Path, files: &[File], place: &Path) {
        self.open(tree, place);
        let mut connection = self.connection.take().expect("it is open");
        connection
            .execute_batch(
                "CREATE VIRTUAL TABLE texts USING fts5(path, body, content='', contentless_delete=1, tokenize=\"unicode61 remove_diacritics 0\");
                 INSERT INTO texts(texts, rank) VALUES('rank', 'bm25(2.0, 1.0)');",
            )
            .expect("a table");
        let change = connection.transaction().expect("a transaction");
        {
            let mut insert = change
                .prepare("INSERT INTO texts(rowid, path, body) VALUES(?1, ?2, ?3)")
                .expect("a statement");
            let (mut path, mut body) = (String::new(), String::new());
            for (row, file) in (0_i64..).zip(files) {
                split(&file.text().unwrap_or_default(), &mut body);
                split(&file.path, &mut path);
                insert.execute(params![row, path, body]).expect("a row");
            }
        }
        change.commit().expect("a commit");
        self.rows = (0_i64..).zip(files).map(|(row, file)| (file.path.clone(), row)).collect();
        self.paths = files.iter().map(|file| file.path.clone()).collect();
        self.connection = Some(connection);
    }

    fn open(&mut self, _tree: &Path, place: &Path) {
        self.connection = None;
        let connection = Connection::open(place.join("fts5.sqlite")).expect("a database");
        let settings =
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 4000000000;";
        connection.execute_batch(settings).expect("settings");
        self.connection = Some(connection);
    }

    fn first(&mut self, _query: &str, terms: &[Term]) -> Vec<String> {
        self.ask(terms, "ORDER BY rank LIMIT 20")
    }

    fn all(&mut self, _query: &str, terms: &[Term]) -> BTreeSet<String> {
        self.ask(terms, "").into_iter().collect()
    }

    fn edited(&mut self, path: &str, text: &str) {
        let row = self.rows[path];
        let (mut names, mut body) = (String::new(), String::new());
        split(text, &mut body);
        split(path, &mut names);
        let connection = self.connection.as_mut().expect("it is open");
        let change = connection.transaction().expect("a transaction");
        change.execute("DELETE FROM texts WHERE rowid = ?1", [row]).expect("a row less");
        let insert = "INSERT INTO texts(rowid, path, body) VALUES(?1, ?2, ?3)";
        change.execute(insert, params![row, names, body]).expect("a row");
        change.commit().expect("a commit");
    }
}
