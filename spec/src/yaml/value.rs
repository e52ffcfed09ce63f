//! Values of serde's types from nodes.
//!
//! Responsible for: [`Deserializer`] of a [`Node`]. A scalar is what its reader asks for: `1` is a
//! number or a text. Not here: texts of YAML. Invariants: an error has the place of the innermost
//! node that was being read.

use serde::de::{Deserializer, Error as _, Expected, Unexpected, Visitor};

use super::access::{Entries, Items, LineAndValue, Variant};
use super::node::{Kind, Node};
use super::{YamlError, at};

pub(super) type Result<T> = std::result::Result<T, YamlError>;

/// A scalar by the core schema of YAML 1.2.
enum Scalar<'a> {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text(&'a str),
}

impl<'a> Scalar<'a> {
    fn of(text: &'a str, plain: bool) -> Self {
        match text {
            _ if !plain => return Self::Text(text),
            "" | "~" | "null" | "Null" | "NULL" => return Self::Null,
            "true" | "True" | "TRUE" => return Self::Bool(true),
            "false" | "False" | "FALSE" => return Self::Bool(false),
            _ => {}
        }
        let whole = match text.split_at_checked(2) {
            Some(("0x", digits)) => u64::from_str_radix(digits, 16),
            Some(("0o", digits)) => u64::from_str_radix(digits, 8),
            _ => text.parse(),
        };
        if let Ok(number) = whole {
            Self::Unsigned(number)
        } else if let Ok(number) = text.parse() {
            Self::Signed(number)
        } else if text.contains(|c: char| c.is_ascii_digit())
            && let Ok(number) = text.parse()
        {
            Self::Float(number)
        } else {
            Self::Text(text)
        }
    }
}

impl Node {
    fn scalar(&self) -> Option<Scalar<'_>> {
        match &self.kind {
            Kind::Scalar { text, plain } => Some(Scalar::of(text, *plain)),
            _ => None,
        }
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self.scalar(), Some(Scalar::Null))
    }

    /// That this node is not what `expected` takes.
    fn refused(&self, expected: &dyn Expected) -> YamlError {
        let found = match &self.kind {
            Kind::Sequence(_) => Unexpected::Seq,
            Kind::Mapping(_) => Unexpected::Map,
            Kind::Scalar { text, plain } => match Scalar::of(text, *plain) {
                Scalar::Null => Unexpected::Unit,
                Scalar::Bool(value) => Unexpected::Bool(value),
                Scalar::Unsigned(value) => Unexpected::Unsigned(value),
                Scalar::Signed(value) => Unexpected::Signed(value),
                Scalar::Float(value) => Unexpected::Float(value),
                Scalar::Text(value) => Unexpected::Str(value),
            },
        };
        YamlError::invalid_type(found, expected).or_at(self.place)
    }

    fn visit_number<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value> {
        let value = match self.scalar() {
            Some(Scalar::Unsigned(number)) => visitor.visit_u64(number),
            Some(Scalar::Signed(number)) => visitor.visit_i64(number),
            Some(Scalar::Float(number)) => visitor.visit_f64(number),
            _ => return Err(self.refused(&visitor)),
        };
        self.placed(value)
    }

    pub(super) fn placed<T>(&self, value: Result<T>) -> Result<T> {
        value.map_err(|error| error.or_at(self.place))
    }
}

/// Methods that differ in nothing from another one.
macro_rules! same {
    ($($method:ident)* => $other:ident) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.$other(visitor)
        }
    )*};
}

// Each method asks the visitor for nothing but its own kind, for every method of a visitor that is
// named here is compiled for every type that is read.
impl<'de> Deserializer<'de> for &Node {
    type Error = YamlError;

    // Whether a number is in the range of its type is asked of the visitor.
    same! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64 => visit_number
    }
    same! { deserialize_string deserialize_char deserialize_identifier => deserialize_str }
    same! { deserialize_bytes deserialize_byte_buf => deserialize_seq }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match &self.kind {
            Kind::Sequence(_) => self.deserialize_seq(visitor),
            Kind::Mapping(_) => self.deserialize_map(visitor),
            Kind::Scalar { text, plain } => match Scalar::of(text, *plain) {
                Scalar::Null => self.placed(visitor.visit_unit()),
                Scalar::Bool(value) => self.placed(visitor.visit_bool(value)),
                Scalar::Text(value) => self.placed(visitor.visit_str(value)),
                _ => self.visit_number(visitor),
            },
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.scalar() {
            Some(Scalar::Bool(value)) => self.placed(visitor.visit_bool(value)),
            _ => Err(self.refused(&visitor)),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.scalar() {
            Some(Scalar::Null) => visitor.visit_unit(),
            _ => Err(self.refused(&visitor)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match &self.kind {
            Kind::Scalar { text, .. } if !self.is_null() => self.placed(visitor.visit_str(text)),
            _ => Err(self.refused(&visitor)),
        }
    }

    // Null is an empty collection: a key whose entries are all commented out.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let items = match &self.kind {
            Kind::Sequence(items) => items.iter(),
            _ if self.is_null() => [].iter(),
            _ => return Err(self.refused(&visitor)),
        };
        self.placed(visitor.visit_seq(Items(items)))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let rest = match &self.kind {
            Kind::Mapping(entries) => entries.iter(),
            _ if self.is_null() => [].iter(),
            _ => return Err(self.refused(&visitor)),
        };
        self.placed(visitor.visit_map(Entries { rest, value: None }))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name == at::NAME {
            visitor.visit_seq(LineAndValue { node: self, next: 0 })
        } else {
            visitor.visit_newtype_struct(self)
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let variant = match &self.kind {
            Kind::Scalar { .. } => Variant { name: self, value: None },
            Kind::Mapping(entries) if let [(name, value)] = &entries[..] => {
                Variant { name, value: Some(value) }
            }
            _ => return Err(self.refused(&"a name, or a mapping of one key")),
        };
        self.placed(visitor.visit_enum(variant))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_map(visitor)
    }
}
