//! The order of what answers list: `ordering.yaml`.

use serde::Deserialize;

use crate::closed::ids;
use crate::load::files::ORDERING;
use crate::place::At;
use crate::rules::Stated;

/// What stands behind paths, and the orders.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ordering {
    /// What stands behind the path of an entry.
    pub places: Vec<PlaceOf>,
    /// The orders.
    pub orders: Vec<Order>,
}

impl Ordering {
    /// Every row as a rule.
    pub(crate) fn stated(&self) -> impl Iterator<Item = Stated<'_>> {
        let places = self.places.iter().map(|of| Stated {
            file: ORDERING,
            id: of.id.value.name(),
            line: of.id.referenced.line(),
            text: &of.text,
            clauses: &of.clauses,
        });
        places.chain(self.orders.iter().map(|order| Stated {
            file: ORDERING,
            id: order.id.value.name(),
            line: order.id.referenced.line(),
            text: &order.text,
            clauses: &order.clauses,
        }))
    }
}

/// What stands behind the path of one kind of entry.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceOf {
    /// Its id.
    pub id: At<PlaceId>,
    /// What stands behind the path.
    pub suffix: String,
    /// What it is for.
    pub text: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// An order.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// Its id.
    pub id: At<OrderId>,
    /// What is compared, in this order.
    pub keys: Vec<Key>,
    /// What it is the order of.
    pub text: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// A key of an order.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// What is compared.
    pub by: By,
    /// What a text is made into first.
    #[serde(default, rename = "as")]
    pub form: Form,
    /// Whether the greatest comes first.
    #[serde(default)]
    pub descending: bool,
}

ids! {
    /// What has a place of its own where files are compared.
    PlaceId {
        /// A file or a link.
        Entry = "order_entry",
        /// A directory.
        Directory = "order_directory",
        /// The search root, and what lies above it.
        Root = "order_root",
    }
}

ids! {
    /// What is ordered.
    OrderId {
        /// Files, and the places of problems.
        Files = "order_files",
        /// Problems.
        Problems = "order_problems",
        /// Events, and lines of `grep`.
        Lines = "order_lines",
        /// Matches of `search_files`.
        Matches = "order_matches",
        /// Files that `search_text` may rank.
        Pool = "order_pool",
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
    /// What orders compare.
    By {
        /// The path from the search root, with what stands behind it.
        Path = "path",
        /// The path from the sandbox root.
        Entry = "entry",
        /// The rank among files.
        Place = "place",
        /// The text of a problem.
        Message = "message",
        /// The number of a line.
        Line = "line",
        /// Where a match starts in its line.
        Column = "column",
        /// What a file is worth.
        Score = "score",
        /// How many terms there are.
        Terms = "terms",
        /// What the terms weigh.
        Units = "units",
    }
}

/// What a text is made into before it is compared bytewise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// It stays as it is.
    #[default]
    Raw,
    /// Lossily decoded, in NFC, as UTF-8.
    Nfc,
}

impl Form {
    /// The name of its variant in the model's tables.
    pub(crate) fn variant(self) -> &'static str {
        match self {
            Self::Raw => "Raw",
            Self::Nfc => "Nfc",
        }
    }
}
