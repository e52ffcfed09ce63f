//! A macro for closed lists of ids, with the two names of each member: in the specification's files
//! and in the model's tables.
//!
//! A name outside a list is refused when a file is parsed.

/// An enumeration with both names of each member.
macro_rules! ids {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $written:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $written)] $variant,)+
        }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name in the specification.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $written,)+ }
            }

            /// The name of the variant in the model's tables.
            pub fn variant(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant),)+ }
            }
        }
    };
}

pub(crate) use ids;
