//! Sets over the state machine's vocabulary, one bit an element, in the vocabulary's order.

use super::names::{Action, Reason, Trigger};

/// Declares a set of up to 64 elements of an enum with `ALL`.
macro_rules! set {
    ($(#[$about:meta])* $name:ident of $element:ident in $bits:ty) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($bits);

        impl $name {
            /// The empty set.
            pub const NONE: Self = Self(0);

            /// The set of these.
            pub const fn of(elements: &[$element]) -> Self {
                let mut bits = 0;
                let mut rest = elements;
                while let [first, others @ ..] = rest {
                    bits |= 1 << (*first as u8);
                    rest = others;
                }
                Self(bits)
            }

            /// Whether it holds nothing.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Whether it holds `element`.
            pub const fn contains(self, element: $element) -> bool {
                self.0 & (1 << (element as u8)) != 0
            }

            /// This and the other.
            #[must_use]
            pub const fn union(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// This without the other.
            #[must_use]
            pub const fn without(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            /// Whether they share an element.
            pub const fn meets(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            /// Its elements, in order.
            pub fn iter(self) -> impl Iterator<Item = $element> {
                let mut bits = self.0;
                std::iter::from_fn(move || {
                    let index = usize::try_from(bits.trailing_zeros()).ok()?;
                    bits &= bits.wrapping_sub(1);
                    $element::ALL.get(index).copied()
                })
            }
        }

        impl FromIterator<$element> for $name {
            fn from_iter<I: IntoIterator<Item = $element>>(elements: I) -> Self {
                elements.into_iter().fold(Self::NONE, |set, element| set.union(Self::of(&[element])))
            }
        }

        const _: () = assert!($element::ALL.len() <= <$bits>::BITS as usize);
    };
}

set! {
    /// A set of reasons, by rank.
    Reasons of Reason in u16
}

set! {
    /// A set of triggers, in their total order.
    Triggers of Trigger in u64
}

set! {
    /// A set of actions, in the order in which they are taken.
    Actions of Action in u16
}

impl Reasons {
    /// Reasons that call coverage into question: they disturb a scan that is under way, and a whole
    /// scan resolves them.
    pub(super) const COVERAGE: Self = Self::of(&[
        Reason::WatcherOverflow,
        Reason::WatcherOverflowDuringBuild,
        Reason::WatcherDown,
        Reason::EligibilityChanged,
        Reason::PolicyChanged,
        Reason::EnumerationError,
        Reason::RenameUncertain,
        Reason::OpenRequiresValidation,
    ]);
}

impl Actions {
    /// Those that run whatever becomes of their trigger (D7).
    pub(super) const fn additive(self) -> Self {
        const ADDITIVE: Actions =
            Actions::of(&[Action::EnqueueSubtree, Action::PurgeDenied, Action::TouchAccess]);
        Self(self.0 & ADDITIVE.0)
    }
}
