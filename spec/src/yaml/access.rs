//! The parts of a node, as serde's visitors take them.

use serde::de::value::U64Deserializer;
use serde::de::{
    DeserializeSeed, Deserializer as _, EnumAccess, Error as _, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::YamlError;
use super::node::Node;
use super::value::Result;

pub(super) struct Items<'a>(pub std::slice::Iter<'a, Node>);

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = YamlError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.0.next().map(|node| seed.deserialize(node)).transpose()
    }
}

pub(super) struct Entries<'a> {
    pub rest: std::slice::Iter<'a, (Node, Node)>,
    pub value: Option<&'a Node>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = YamlError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some(value);
        key.placed(seed.deserialize(key).map(Some))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let value = self.value.take().ok_or_else(|| YamlError::custom("no key before a value"))?;
        value.placed(seed.deserialize(value))
    }
}

/// What [`super::At`] takes: a line, then the value.
pub(super) struct LineAndValue<'a> {
    pub node: &'a Node,
    pub next: u8,
}

impl<'de> SeqAccess<'de> for LineAndValue<'_> {
    type Error = YamlError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.next += 1;
        match self.next {
            1 => seed.deserialize(U64Deserializer::new(self.node.place.line)).map(Some),
            2 => seed.deserialize(self.node).map(Some),
            _ => Ok(None),
        }
    }
}

pub(super) struct Variant<'a> {
    pub name: &'a Node,
    pub value: Option<&'a Node>,
}

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = YamlError;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self)> {
        Ok((self.name.placed(seed.deserialize(self.name))?, self))
    }
}

impl Variant<'_> {
    /// What the variant holds, which it must.
    fn held(&self) -> Result<&Node> {
        let message = "this takes a value: write it as a mapping of one key";
        self.value.ok_or_else(|| YamlError::new(message, self.name.place))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = YamlError;

    fn unit_variant(self) -> Result<()> {
        match self.value {
            Some(value) if !value.is_null() => {
                Err(YamlError::new("this takes no value", value.place))
            }
            _ => Ok(()),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        let value = self.held()?;
        value.placed(seed.deserialize(value))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.held()?.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.held()?.deserialize_map(visitor)
    }
}
