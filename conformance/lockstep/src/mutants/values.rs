//! What else a value of a table could be.
//!
//! Responsible for: every number one more and one less, every truth value turned round, every text
//! another one, every choice replaced by every other one, every entry of every list removed and
//! exchanged with the next one, at any depth. Not here: the shapes of the tables
//! ([`super::tables`]). Invariants: none is left out; a change has a name that says where it is and
//! what is there. Changed lists live as long as the process, as the model's own do.

/// A value of a table that can be mutated.
pub(super) trait Changed: Copy + PartialEq + std::fmt::Debug + 'static {
    /// Its mutants, with descriptions.
    fn changed(&self) -> Vec<(String, Self)>;
}

/// A table with static lifetime.
fn kept<T>(table: T) -> &'static T {
    Box::leak(Box::new(table))
}

/// Lifts changes of a part to changes of the whole.
pub(super) fn within<P: Changed, W>(
    place: &str,
    part: &P,
    whole: impl Fn(P) -> W,
) -> Vec<(String, W)> {
    let of_whole = |(what, other): (String, P)| (format!("{place}{what}"), whole(other));
    part.changed().into_iter().map(of_whole).collect()
}

/// All other values of a plain enumeration.
pub(super) fn others<T: Copy + PartialEq + std::fmt::Debug>(own: T, all: &[T]) -> Vec<(String, T)> {
    let others = all.iter().filter(|other| **other != own);
    others.map(|other| (format!(" {other:?}"), *other)).collect()
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Changed for $number {
            fn changed(&self) -> Vec<(String, Self)> {
                let beside = [self.checked_sub(1), self.checked_add(1)];
                beside.into_iter().flatten().map(|other| (format!(" {other}"), other)).collect()
            }
        }
    )*};
}

numbers!(u8, u32, u64);

impl Changed for f64 {
    fn changed(&self) -> Vec<(String, Self)> {
        [self - 0.1, self + 0.1].map(|other| (format!(" {other:.1}"), other)).to_vec()
    }
}

impl Changed for bool {
    fn changed(&self) -> Vec<(String, Self)> {
        vec![(format!(" {}", !self), !self)]
    }
}

impl Changed for &'static str {
    fn changed(&self) -> Vec<(String, Self)> {
        vec![(" with another end".to_owned(), Box::leak(format!("{self}~").into_boxed_str()))]
    }
}

impl<A: Changed, B: Changed> Changed for (A, B) {
    fn changed(&self) -> Vec<(String, Self)> {
        let mut all = within(".0", &self.0, |other| (other, self.1));
        all.extend(within(".1", &self.1, |other| (self.0, other)));
        all
    }
}

impl<T: Changed> Changed for Option<T> {
    fn changed(&self) -> Vec<(String, Self)> {
        let Some(value) = self else { return Vec::new() };
        let mut all = vec![(" none".to_owned(), None)];
        all.extend(within("", value, Some));
        all
    }
}

impl<T: Changed> Changed for &'static [T] {
    fn changed(&self) -> Vec<(String, Self)> {
        let mut all: Vec<(String, Vec<T>)> = Vec::new();
        for (place, entry) in self.iter().enumerate() {
            let number = place + 1;
            let mut without = self.to_vec();
            without.remove(place);
            all.push((format!(": without {number}"), without));
            if number < self.len() {
                let mut exchanged = self.to_vec();
                exchanged.swap(place, number);
                all.push((format!(": {number} and {} exchanged", number + 1), exchanged));
            }
            all.extend(within(&format!("[{number}]"), entry, |other| {
                let entries = self.iter().enumerate();
                entries.map(|(at, old)| if at == place { other } else { *old }).collect()
            }));
        }
        // Equal neighbours do not change by being exchanged.
        let all = all.into_iter().filter(|(_, list)| list.as_slice() != *self);
        all.map(|(name, list)| (name, kept(list).as_slice())).collect()
    }
}

impl<T: Changed> Changed for &'static T {
    fn changed(&self) -> Vec<(String, Self)> {
        within("", *self, |other| kept(other) as &'static T)
    }
}

/// Structures, each field mutated. A missing field does not compile.
macro_rules! structures {
    ($($type:ident $(<$of:ident>)? { $($field:ident),* $(,)? })*) => {$(
        impl $(<$of: $crate::mutants::values::Changed>)? $crate::mutants::values::Changed
            for $type $(<$of>)?
        {
            fn changed(&self) -> Vec<(String, Self)> {
                let Self { $($field: _),* } = *self;
                let mut all = Vec::new();
                $(all.extend($crate::mutants::values::within(
                    concat!(".", stringify!($field)),
                    &self.$field,
                    |$field| Self { $field, ..*self },
                ));)*
                all
            }
        }
    )*};
}

/// Plain enumerations. A missing value does not compile.
macro_rules! choices {
    ($($type:ident { $($choice:ident),* $(,)? })*) => {$(
        impl $crate::mutants::values::Changed for $type {
            fn changed(&self) -> Vec<(String, Self)> {
                match self {
                    $(Self::$choice)|* => {}
                }
                $crate::mutants::values::others(*self, &[$(Self::$choice),*])
            }
        }
    )*};
}

pub(super) use {choices, structures};
