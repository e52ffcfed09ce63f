//! Closed lists of ids.
//!
//! Responsible for: one macro that writes an enumeration together with the two names of each
//! member, the one in the
//! specification's files and the one in the model's tables.
//! Invariants: the lists are in the order written, and a name outside a list is refused when a file
//! is read.

/// A closed list of ids, each with its name in the specification and in the model's tables.
macro_rules! ids {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $written:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $written)] $variant,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// How it is written in the specification.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $written,)+ }
            }

            /// The name of its variant in the model's tables.
            pub fn variant(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant),)+ }
            }
        }
    };
}

pub(crate) use ids;
