use crate::family::Family;
use crate::generate::{Generator, Mix};

#[test]
fn generated_cases_are_well_formed_and_reproducible() {
    let generator = Generator::of(Mix::Of(Family::Keyword), 7);
    for number in 0..200 {
        let case = generator.case(number);
        assert_eq!(case.validate(), Ok(()), "{}", case.to_yaml());
        assert_eq!(case.family(), Family::Keyword);
        assert_eq!(generator.case(number), case);
    }
}
