//! The order of lists in answers (`ordering.yaml`).

use serde::Deserialize;

use crate::closed::ids;
use crate::files::ORDERING;
use crate::place::At;
use crate::rules::Stated;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ordering {
    /// Path suffixes by kind of entry.
    pub places: Vec<PlaceOf>,
    pub orders: Vec<Order>,
}

impl Ordering {
    /// Every row as a rule.
    pub(crate) fn stated(&self) -> impl Iterator<Item = Stated<'_>> {
        let places = self.places.iter().map(|of| Stated {
            file: ORDERING,
            id: of.id.value.name(),
            line: of.id.line,
            text: &of.text,
            clauses: &of.clauses,
        });
        places.chain(self.orders.iter().map(|order| Stated {
            file: ORDERING,
            id: order.id.value.name(),
            line: order.id.line,
            text: &order.text,
            clauses: &order.clauses,
        }))
    }
}

/// The path suffix of one kind of entry.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceOf {
    pub id: At<PlaceId>,
    pub suffix: String,
    pub text: String,
    pub clauses: Vec<At<String>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    pub id: At<OrderId>,
    /// The keys, most significant first.
    pub keys: Vec<Key>,
    pub text: String,
    pub clauses: Vec<At<String>>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    pub by: By,
    /// The conversion of a text before it is compared.
    #[serde(default, rename = "as")]
    pub form: Form,
    /// Whether the greatest comes first.
    #[serde(default)]
    pub descending: bool,
}

ids! {
    /// An entry with its own position where files are compared.
    PlaceId {
        /// A file or a link.
        Entry = "order_entry",
        Directory = "order_directory",
        /// The search root, and what is above it.
        Root = "order_root",
    }
}

ids! {
    /// What is ordered.
    OrderId {
        /// Files, and the places of errors.
        Files = "order_files",
        Problems = "order_problems",
        /// Events, and lines of `grep`.
        Lines = "order_lines",
        /// Matches of `search_files`.
        Matches = "order_matches",
        /// Files that `search_text` may rank.
        /// Results of `search_text`.
        Ranked = "order_ranked",
        /// Lines of one of them.
        BestLine = "order_best_line",
        /// Results of `keyword_search`.
        Keyword = "order_keyword",
        /// Lines of one of them.
        KeywordLines = "order_keyword_lines",
    }
}

ids! {
    /// A compared value.
    By {
        /// The path from the search root, with its suffix.
        Path = "path",
        /// The path from the sandbox root.
        Entry = "entry",
        /// The rank among files.
        Place = "place",
        /// The message of an error.
        Message = "message",
        /// The number of a line.
        Line = "line",
        /// The start of a match in its line.
        Column = "column",
        Score = "score",
        /// The number of terms.
        Terms = "terms",
        /// The weight of the terms.
        Units = "units",
    }
}

/// The conversion of a text before it is compared bytewise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    #[default]
    Raw,
    /// Lossily decoded, in NFC, as UTF-8.
    Nfc,
}

impl Form {
    pub(crate) fn variant(self) -> &'static str {
        match self {
            Self::Raw => "Raw",
            Self::Nfc => "Nfc",
        }
    }
}
