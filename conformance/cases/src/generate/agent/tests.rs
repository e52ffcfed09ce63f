use crate::family::Family;
use crate::generate::{Generator, Mix};

#[test]
fn generated_cases_are_well_formed_and_reproducible() {
    let generator = Generator::of(Mix::Of(Family::Agent), 7);
    for number in 0..300 {
        let case = generator.case(number);
        assert_eq!(case.validate(), Ok(()), "{}", case.to_yaml());
        assert_eq!(case.family(), Family::Agent);
        assert_eq!(generator.case(number), case);
    }
}
