use super::*;

#[test]
fn a_file_known_to_lack_a_term_is_not_read_for_it() {
    let terms = ["one", "two", "three"].map(str::to_owned);
    let mut first = Finder::new(&terms, 0, 100);
    first.begin();
    let found = first.scan(b"one three\n", b"f", &mut || true).unwrap();
    let (walked, absent) = found.absent();
    let known = KnownAbsent::from([(walked.to_owned(), absent)]);
    let outcome = |number: usize, walked: &[u8]| {
        let finder = Finder::new(&terms, number, 100);
        TermScanner { number, finder, absent: &known }
            .known_outcome(&FoundFile::new(walked.to_owned()))
    };
    assert!(outcome(1, b"f").is_some_and(|found| found.is_omitted()));
    assert!(outcome(2, b"f").is_none() && outcome(1, b"g").is_none());
}
