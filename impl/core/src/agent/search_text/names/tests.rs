use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::{
    agent::search_text::{Finder, Term, terms},
    identifier::{Demand, identifiers, occurs},
    index::words::{Builder, Found, Shape, Words},
};

/// Names over few letters, so that words meet: cases, digits, `_`, more than eight parts, letters
/// beyond ASCII.
const NAME: &str = "[aAbB]{1,2}|[aAbB1]{1,4}|_{0,2}[aAbB]{1,2}(_{0,2}[aAbB1é]{1,2}){0,3}_?|([aA]b1){1,5}|(aB?_){1,4}b";

/// A line that defines a name, or does not.
fn line() -> impl Strategy<Value = String> {
    let forms = ["def @(a):", "struct @ {", "#define @ b", "    @ = a", "@ @b ä@", "int @(a)\r"];
    (prop::sample::select(forms.to_vec()), NAME).prop_map(|(form, name)| form.replace('@', &name))
}

fn tree() -> impl Strategy<Value = Vec<(String, String)>> {
    let text = prop::collection::vec(line(), 0..12).prop_map(|lines| lines.join("\n"));
    prop::collection::vec((prop::sample::select(vec!["c", "py", "txt"]), text), 1..9).prop_map(
        |files| {
            // Paths hold no word of a query.
            let named = ('k'..).zip(files);
            named.map(|(letter, (ending, text))| (format!("z{letter}.{ending}"), text)).collect()
        },
    )
}

fn stored(tree: &[(String, String)], shape: Shape) -> Vec<u8> {
    let mut builder = Builder::default();
    for (file, (path, text)) in (0..).zip(tree) {
        names(path.as_bytes(), text.as_bytes(), |name, level| builder.add(file, name, level));
    }
    builder.finish(u32::try_from(tree.len()).unwrap(), shape).unwrap()
}

/// What the index says of each term.
fn found(bytes: &[u8], terms: &[Term], demand: Demand) -> Vec<Vec<Found>> {
    let words: Vec<_> = terms.iter().filter_map(Term::word).collect();
    let stored = Arc::new(bytes.to_vec());
    let opened = Words::open(stored, bytes.len() as u64).unwrap();
    let found = opened.find(&words, demand).unwrap();
    // Blocks are kept now, and lists read from places within.
    assert_eq!(opened.find(&words, demand).unwrap(), found);
    found.into_iter().map(|found| found.expect("few parts")).collect()
}

/// In how many identifiers of a text a term occurs.
fn identifiers_with(term: &Term, text: &str) -> usize {
    let word = term.word().unwrap();
    identifiers(text).filter(|name| occurs(word.parts, name).is_some()).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn the_index_measures_what_a_search_measures_in_every_file(
        tree in tree(),
        query in prop::collection::vec(NAME, 1..4),
        any: bool,
        shape in (prop_oneof![1_usize..5, Just(40)], 0_usize..4).prop_map(|(names, blocks)| Shape { names, blocks }),
    ) {
        let terms = terms(&query.join(" ")).unwrap();
        let bytes = stored(&tree, shape);
        let demand = if any { Demand::Any } else { Demand::All };
        let by_index = found(&bytes, &terms, demand);
        let mut finder =
            if any { Finder::any(terms.clone(), true) } else { Finder::all(terms.clone()) };
        for (file, (path, text)) in (0_u32..).zip(&tree) {
            let own: Vec<Option<&Found>> = by_index
                .iter()
                .map(|found| found.iter().find(|found| found.file == file))
                .collect();
            let measures = finder.measure(text.as_bytes(), path.as_bytes(), &mut || true).unwrap();
            let matches =
                if any { own.iter().any(Option::is_some) } else { own.iter().all(Option::is_some) };
            prop_assert_eq!(measures.is_some(), matches, "{} {:?}", path, text);
            if let Some(measures) = measures {
                for (term, found) in measures.terms.iter().zip(&own) {
                    let found = found.copied().unwrap_or_default();
                    let own = (term.units, term.occurrences, term.strength);
                    let by_index = (found.units, found.identifiers, found.strength);
                    prop_assert_eq!(own, by_index, "{} {:?}", path, text);
                }
            }
            for (term, own) in terms.iter().zip(own) {
                let with = own.map_or(0, |found| found.identifiers);
                prop_assert_eq!(with as usize, identifiers_with(term, text), "{:?} {:?}", term, text);
            }
        }
    }
}

#[test]
fn names_that_are_made_of_several_words_are_told_by_their_common_parts() {
    // Ten common parts in one query are too many for keys of their sets.
    let names: Vec<String> = (b'c'..b'm').map(|c| char::from(c).to_string().repeat(2)).collect();
    let mut lines: Vec<String> = Vec::new();
    for (a, one) in names.iter().enumerate() {
        for other in names.iter().skip(a + 1) {
            lines.push(format!("struct {one}_{other} {{"));
        }
    }
    let tree = [("zz.c".to_owned(), lines.join("\n"))];
    let bytes = stored(&tree, Shape { names: 1, blocks: 3 });
    for count in [2, 3, 9, 10] {
        let terms = terms(&names.get(..count).unwrap().join(" ")).unwrap();
        let strengths: Vec<u32> = found(&bytes, &terms, Demand::All)
            .iter()
            .filter_map(|found| Some(found.first()?.strength))
            .collect();
        assert_eq!(strengths, vec![3 * 8 * 2 * 2; count]);
    }
    // A word may be some parts of such a name, joined.
    let tree = [("zz.c".to_owned(), "struct aB_b {".to_owned())];
    let bytes = stored(&tree, Shape { names: 1, blocks: 0 });
    let found = found(&bytes, &terms("a_b ab").unwrap(), Demand::All);
    assert!(
        found.iter().flatten().all(|found| found.strength == 3 * 8 * 2 * 2) && found.len() == 2
    );
}
