//! tantivy: positions of the parts, two positions between identifiers, so that a phrase stays
//! within one; a word is a phrase of its parts.

use std::{collections::BTreeSet, path::Path};

use tantivy::{
    Index, IndexReader, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, Term as Key,
    collector::{DocSetCollector, TopDocs},
    query::{BooleanQuery, BoostQuery, Occur, PhraseQuery, Query, TermQuery},
    schema::{Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value},
    tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer},
};

use super::Engine;
use crate::{
    tree::File,
    words::{Term, identifiers, parts},
};

/// Splits identifiers into parts.
#[derive(Clone, Default)]
struct Parts;

struct Stream {
    tokens: Vec<(usize, usize, usize)>,
    text: String,
    at: usize,
    token: Token,
}

impl Tokenizer for Parts {
    type TokenStream<'a> = Stream;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream {
        let (mut tokens, mut position) = (Vec::new(), 0);
        for (start, identifier) in identifiers(text) {
            for (range, _) in parts(identifier) {
                tokens.push((start + range.start, start + range.end, position));
                position += 1;
            }
            position += 1;
        }
        Stream { tokens, text: text.to_ascii_lowercase(), at: 0, token: Token::default() }
    }
}

impl TokenStream for Stream {
    fn advance(&mut self) -> bool {
        let Some((from, to, position)) = self.tokens.get(self.at).copied() else { return false };
        self.at += 1;
        self.token.text.clear();
        self.token.text.push_str(&self.text[from..to]);
        (self.token.offset_from, self.token.offset_to, self.token.position) = (from, to, position);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

#[derive(Default)]
pub struct Tantivy {
    open: Option<Open>,
}

struct Open {
    writer: IndexWriter,
    reader: IndexReader,
    path: Field,
    names: Field,
    body: Field,
}

fn schema() -> (Schema, Field, Field, Field) {
    let mut schema = Schema::builder();
    let text = TextOptions::default().set_indexing_options(
        TextFieldIndexing::default()
            .set_tokenizer("parts")
            .set_index_option(IndexRecordOption::WithFreqsAndPositions),
    );
    let path = schema.add_text_field("path", STRING | STORED);
    let names = schema.add_text_field("names", text.clone());
    let body = schema.add_text_field("body", text);
    (schema.build(), path, names, body)
}

impl Open {
    fn document(&self, path: &str, text: &str) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        document.add_text(self.path, path);
        document.add_text(self.names, path);
        document.add_text(self.body, text);
        document
    }

    /// A word or phrase in a field; of a phrase of text the positions are as they are in texts.
    fn query(&self, field: Field, term: &Term) -> Box<dyn Query> {
        let mut keys: Vec<(usize, Key)> = Vec::new();
        match term {
            Term::Word(parts) => {
                keys.extend(
                    parts.iter().enumerate().map(|(at, part)| (at, Key::from_field_text(field, part))),
                );
            }
            Term::Phrase(text) => {
                let mut stream = Parts.token_stream(text);
                while stream.advance() {
                    keys.push((stream.token.position, Key::from_field_text(field, &stream.token.text)));
                }
            }
        }
        match <[_; 1]>::try_from(keys) {
            Ok([(_, key)]) => Box::new(TermQuery::new(key, IndexRecordOption::WithFreqs)),
            Err(keys) => Box::new(PhraseQuery::new_with_offset(keys)),
        }
    }

    fn matching(&self, terms: &[Term]) -> BooleanQuery {
        let clauses = terms.iter().flat_map(|term| {
            let name = BoostQuery::new(self.query(self.names, term), 2.0);
            [(Occur::Must, self.query(self.body, term)), (Occur::Should, Box::new(name) as Box<dyn Query>)]
        });
        BooleanQuery::new(clauses.collect())
    }

    fn path_of(&self, searcher: &Searcher, at: tantivy::DocAddress) -> String {
        let document: TantivyDocument = searcher.doc(at).expect("a document");
        document.get_first(self.path).and_then(|path| path.as_str()).unwrap_or_default().to_owned()
    }
}

impl Engine for Tantivy {
    fn name(&self) -> &'static str {
        "tantivy"
    }

    fn reads_files(&self) -> bool {
        false
    }

    fn build(&mut self, tree: &Path, files: &[File], place: &Path) {
        self.open(tree, place);
        let open = self.open.as_mut().expect("it is open");
        for file in files {
            let document = open.document(&file.path, &file.text().unwrap_or_default());
            open.writer.add_document(document).expect("a document");
        }
        open.writer.commit().expect("a commit");
        open.reader.reload().expect("a reader");
    }

    fn open(&mut self, _tree: &Path, place: &Path) {
        self.open = None;
        let place = place.join("tantivy");
        std::fs::create_dir_all(&place).expect("a directory");
        let (schema, path, names, body) = schema();
        let directory = tantivy::directory::MmapDirectory::open(place).expect("a directory");
        let index = Index::open_or_create(directory, schema).expect("an index");
        index.tokenizers().register("parts", TextAnalyzer::from(Parts));
        let writer = index.writer_with_num_threads(2, 400 << 20).expect("a writer");
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into().expect("a reader");
        self.open = Some(Open { writer, reader, path, names, body });
    }

    fn first(&mut self, _query: &str, terms: &[Term]) -> Vec<String> {
        let open = self.open.as_ref().expect("it is open");
        let searcher = open.reader.searcher();
        let best = TopDocs::with_limit(20).order_by_score();
        let top = searcher.search(&open.matching(terms), &best).expect("an answer");
        top.into_iter().map(|(_, at)| open.path_of(&searcher, at)).collect()
    }

    fn all(&mut self, _query: &str, terms: &[Term]) -> BTreeSet<String> {
        let open = self.open.as_ref().expect("it is open");
        let searcher = open.reader.searcher();
        let found = searcher.search(&open.matching(terms), &DocSetCollector).expect("an answer");
        found.into_iter().map(|at| open.path_of(&searcher, at)).collect()
    }

    fn edited(&mut self, path: &str, text: &str) {
        let open = self.open.as_mut().expect("it is open");
        open.writer.delete_term(Key::from_field_text(open.path, path));
        let document = open.document(path, text);
        open.writer.add_document(document).expect("a document");
        open.writer.commit().expect("a commit");
        open.reader.reload().expect("a reader");
    }
}
