//! A text of YAML as a tree of nodes.
//!
//! Responsible for: [`parse`], with aliases and merged mappings (`<<`) in their places. Not here:
//! what type a scalar has, which depends on who reads it. Invariants: no mapping has a scalar key
//! twice; a tree has at most [`NODES`] nodes.

use std::collections::{BTreeSet, HashMap};

use granit_parser::{Event, Marker, Parser, ScalarStyle};

use super::YamlError;

/// A text of a few lines could otherwise grow beyond all memory by aliases of aliases.
const NODES: usize = 1_000_000;

/// Where a node begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// From 1.
    pub line: u64,
    /// From 1.
    pub column: u64,
}

impl Place {
    fn of(marker: &Marker) -> Self {
        Self { line: marker.line() as u64, column: marker.col() as u64 + 1 }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub place: Place,
    pub kind: Kind,
}

#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// `plain` is a scalar without quotation marks, which may be a number.
    Scalar {
        text: String,
        plain: bool,
    },
    Sequence(Vec<Node>),
    Mapping(Vec<(Node, Node)>),
}

impl Node {
    fn size(&self) -> usize {
        1 + match &self.kind {
            Kind::Scalar { .. } => 0,
            Kind::Sequence(items) => items.iter().map(Self::size).sum(),
            Kind::Mapping(entries) => {
                entries.iter().map(|(key, value)| key.size() + value.size()).sum()
            }
        }
    }
}

/// The one document of a text; without one, null.
pub(super) fn parse(text: &str) -> Result<Node, YamlError> {
    let mut tree = Tree::default();
    for event in Parser::new_from_str(text) {
        let (event, span) =
            event.map_err(|error| YamlError::new(error.info(), Place::of(error.marker())))?;
        tree.add(event, Place::of(&span.start))?;
    }
    let nothing = Kind::Scalar { text: String::new(), plain: true };
    Ok(tree.root.unwrap_or(Node { place: Place { line: 1, column: 1 }, kind: nothing }))
}

/// What has been read of a document.
#[derive(Default)]
struct Tree {
    root: Option<Node>,
    /// Collections that have not ended, the outermost first.
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    nodes: usize,
}

struct Open {
    place: Place,
    anchor: usize,
    mapping: bool,
    /// Of a mapping, keys and values in turn.
    children: Vec<Node>,
}

impl Tree {
    fn add(&mut self, event: Event<'_>, place: Place) -> Result<(), YamlError> {
        match event {
            Event::Scalar(.., Some(_))
            | Event::SequenceStart(.., Some(_))
            | Event::MappingStart(.., Some(_)) => {
                return Err(YamlError::new("tags are not read", place));
            }
            Event::Scalar(text, style, anchor, None) => {
                let plain = style == ScalarStyle::Plain;
                let kind = Kind::Scalar { text: text.into_owned(), plain };
                return self.node(Node { place, kind }, anchor);
            }
            Event::Alias(anchor) => {
                let Some(node) = self.anchors.get(&anchor).cloned() else {
                    return Err(YamlError::new("an alias within its own anchor", place));
                };
                self.count(node.size(), place)?;
                self.add_to_parent(node);
            }
            Event::SequenceStart(_, anchor, None) => self.open(place, anchor, false),
            Event::MappingStart(_, anchor, None) => self.open(place, anchor, true),
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(open) = self.open.pop() else { return Ok(()) };
                let kind = if open.mapping {
                    Kind::Mapping(entries(open.children)?)
                } else {
                    Kind::Sequence(open.children)
                };
                return self.node(Node { place: open.place, kind }, open.anchor);
            }
            Event::DocumentStart(..) if self.root.is_some() => {
                return Err(YamlError::new("a second document", place));
            }
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, place: Place, anchor: usize, mapping: bool) {
        self.open.push(Open { place, anchor, mapping, children: Vec::new() });
    }

    /// A node that has ended.
    fn node(&mut self, node: Node, anchor: usize) -> Result<(), YamlError> {
        self.count(1, node.place)?;
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        self.add_to_parent(node);
        Ok(())
    }

    fn count(&mut self, nodes: usize, place: Place) -> Result<(), YamlError> {
        self.nodes += nodes;
        if self.nodes > NODES {
            return Err(YamlError::new(format!("more than {NODES} values"), place));
        }
        Ok(())
    }

    fn add_to_parent(&mut self, node: Node) {
        match self.open.last_mut() {
            Some(open) => open.children.push(node),
            None => self.root = Some(node),
        }
    }
}

/// The entries of a mapping from its keys and values. What is merged gives way to what is written.
fn entries(children: Vec<Node>) -> Result<Vec<(Node, Node)>, YamlError> {
    let (mut entries, mut merged) = (Vec::with_capacity(children.len() / 2), Vec::new());
    let mut keys = BTreeSet::new();
    let mut children = children.into_iter();
    while let (Some(key), Some(value)) = (children.next(), children.next()) {
        if let Kind::Scalar { text, plain } = &key.kind {
            if *plain && text == "<<" {
                match value {
                    Node { kind: Kind::Sequence(values), .. } => merged.extend(values),
                    value => merged.push(value),
                }
                continue;
            }
            if !keys.insert(text.clone()) {
                return Err(YamlError::new(format!("duplicate key `{text}`"), key.place));
            }
        }
        entries.push((key, value));
    }
    for value in merged {
        let Kind::Mapping(more) = value.kind else {
            return Err(YamlError::new("`<<` takes mappings", value.place));
        };
        entries.extend(more.into_iter().filter(|(key, _)| {
            !matches!(&key.kind, Kind::Scalar { text, .. } if !keys.insert(text.clone()))
        }));
    }
    Ok(entries)
}
