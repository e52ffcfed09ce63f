//! From a text to search terms, by one rule for all tasks and all rankings.
//!
//! An agent would choose better ones. The rule: identifiers in back quotes first, then what else
//! looks like an identifier (`_` or a capital inside), then pairs of neighbouring words in three
//! writings (`a_b`, `ab`, `a b`), then the words; each in the order of appearance. Words of
//! everyday English and of changelogs are left out, and the ending of a plural. Identifiers and
//! words are twelve at most, all terms 32.

/// Most identifiers and words of a task, and most terms, which are all that the tool takes.
const MOST: usize = 12;
const MOST_TERMS: usize = 32;

/// Everyday words, and those in which changelogs speak of changes as such.
const COMMON: &str = "a about add added adding adds after all allow allowed allowing allows also always an and any are as at available avoid avoids be became because been \
before being better between both breaking bug but by bump bumped can case cases change changed changes changing cleanup commit consistent contributed correct corrected correctly could crate default depend \
dependencies dependency deprecate deprecated did do docs documentation documented does doesn don done each enable enabled ensure even every example \
examples existing expose exposed few first fix fixed fixes fixing for from further get had has have how however if implement implementation implemented implements improve improved improvement \
improvements improves in include included includes instead internal into introduce introduced is issue issues it its itself just last less like longer made \
make makes making many may might minor minimum missing more most move moved msrv much must necessary need needed new no not now of off old on once one only or other our out over own part \
performance permit possible previously problem properly provide provided provides pull raise rather re reduce reduced refactor refactored release released remove removed removes removing rename renamed replace replaced \
request require required requires respectively return returned returning returns rust same see set several should simplify since small so some somewhat still such support supported supporting supports switch switched take taken than thank thanks that the \
their them then there these they thing this those though through thus to too under update updated updates upgrade upgraded upon us use used useful user users uses using various version versions very via want was way we were what when where \
whether which while who will with within without work worked working works would yet you your";

/// A word as it stands in the text.
struct Word {
    /// 0 in back quotes, 1 an identifier elsewhere, 2 any other.
    rank: usize,
    /// What is looked for; none if it says too little.
    term: Option<String>,
    /// Only a blank or a hyphen stands between the word before and this one.
    joined: bool,
}

/// The terms of a text, the most important first.
pub fn of(text: &str) -> Vec<String> {
    let words = words(text);
    let mut singles: Vec<(usize, &String)> = Vec::new();
    for rank in 0..3 {
        for term in
            words.iter().filter(|word| word.rank == rank).filter_map(|word| word.term.as_ref())
        {
            if singles.len() < MOST && !singles.iter().any(|(_, known)| *known == term) {
                singles.push((rank, term));
            }
        }
    }
    let mut pairs: Vec<String> = Vec::new();
    for pair in words.windows(2) {
        let [Word { rank: 2, term: Some(a), .. }, Word { rank: 2, term: Some(b), joined: true }] =
            pair
        else {
            continue;
        };
        for writing in [format!("{a}_{b}"), format!("{a}{b}"), format!("{a} {b}")] {
            if !pairs.contains(&writing) && !singles.iter().any(|(_, known)| **known == writing) {
                pairs.push(writing);
            }
        }
    }
    pairs.truncate(MOST_TERMS - singles.len());
    let of = |ranks: std::ops::Range<usize>| {
        let singles = singles.iter().filter(move |(rank, _)| ranks.contains(rank));
        singles.map(|(_, term)| (*term).clone())
    };
    of(0..2).chain(pairs).chain(of(2..3)).collect()
}

fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for (at, stretch) in text.split('`').enumerate() {
        let quoted = at % 2 == 1;
        let mut rest = stretch;
        while let Some(start) = rest.find(in_word) {
            let (gap, from) = rest.split_at(start);
            let (word, behind) = from.split_at(from.find(|c| !in_word(c)).unwrap_or(from.len()));
            let (rank, term) = term(word, quoted);
            words.push(Word {
                rank,
                term,
                joined: rest.len() < stretch.len() && matches!(gap, " " | "-"),
            });
            rest = behind;
        }
    }
    words
}

fn in_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn term(word: &str, quoted: bool) -> (usize, Option<String>) {
    let folded = word.trim_matches('_').to_ascii_lowercase();
    let says = folded.len() >= 3 && folded.chars().any(char::is_alphabetic);
    let inner_capital =
        word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    if quoted {
        (0, says.then_some(folded))
    } else if folded.contains('_') || inner_capital {
        (1, says.then_some(folded))
    } else {
        let common = COMMON.split_whitespace().any(|common| common == folded);
        (2, (says && !common).then(|| singular(folded)))
    }
}

fn singular(word: String) -> String {
    if word.len() > 4
        && let Some(stem) = word.strip_suffix("ies")
    {
        return format!("{stem}y");
    }
    let kept = ["ss", "us", "is"].iter().any(|ending| word.ends_with(ending));
    match word.strip_suffix('s') {
        Some(stem) if word.len() > 3 && !kept => stem.to_owned(),
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn identifiers_are_first_then_pairs_then_words() {
        assert_eq!(
            of("Fix panics in body writers, when read_buf of `Codec::decode` returns HeaderMap"),
            [
                "codec",
                "decode",
                "read_buf",
                "headermap",
                "body_writer",
                "bodywriter",
                "body writer",
                "panic",
                "body",
                "writer"
            ]
        );
    }

    #[test]
    fn a_term_is_listed_once_and_a_plural_without_its_ending() {
        assert_eq!(of("lock, locks, LOCK; bodies, status"), ["lock", "body", "status"]);
    }

    #[test]
    fn at_most_twelve_identifiers_and_words_are_taken() {
        let many: Vec<String> = (0..20).map(|n| format!("name_{n}")).collect();
        assert_eq!(of(&many.join(" ")).len(), 12);
    }

    #[test]
    fn pairs_fill_up_to_the_limit_of_the_tool() {
        let many: Vec<String> =
            (b'a'..=b'z').map(|letter| format!("word{}", char::from(letter))).collect();
        assert_eq!(of(&many.join(" ")).len(), 32);
    }
}
