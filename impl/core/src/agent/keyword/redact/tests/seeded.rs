//! Texts drawn from a seed, and templates that are filled with them.
//!
//! No line of this repository holds a whole secret, so that no host takes it for a leak: what looks
//! like one is put together when the tests run.

/// SplitMix64: small, and the same on every machine.
pub(super) struct Seeded(u64);

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";

impl Seeded {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    fn text(&mut self, letters: &str, length: usize) -> String {
        let letters: Vec<char> = letters.chars().collect();
        (0..length).map(|_| letters[self.below(letters.len())]).collect()
    }

    /// A password as people make them: a word with digits and a mark, or letters of a generator.
    fn password(&mut self) -> String {
        let word = self.pick(&[
            "hunter", "Sommer", "correct", "dragon", "Winter", "monkey", "tiger", "Berlin",
        ]);
        let mark = self.pick(&["!", "#", "_", "-", "%", "+", ""]);
        let number = self.below(9000) + 10;
        match self.below(4) {
            0 => format!("{word}{number}"),
            1 => format!("{word}{mark}{number}"),
            2 => format!("{word}{mark}{}", self.text(LOWER, 4)) + &number.to_string(),
            _ => self.text(&format!("{LOWER}{UPPER}{DIGITS}"), 12),
        }
    }

    fn slot(&mut self, name: &str) -> String {
        let kind = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let length = name.trim_start_matches(kind).parse().unwrap_or(1);
        let alnum = format!("{LOWER}{UPPER}{DIGITS}");
        match kind {
            "" => "~".to_owned(),
            "pw" => self.password(),
            "word" => self
                .pick(&[
                    "alpha", "server", "client", "parser", "worker", "billing", "report", "shop",
                ])
                .to_owned(),
            "Word" => self
                .pick(&["Alpha", "Server", "Client", "Parser", "Worker", "Billing", "Shop"])
                .to_owned(),
            "lower" => self.text(LOWER, length),
            "upper" => self.text(&format!("{UPPER}{DIGITS}"), length),
            "small" => self.text(&format!("{LOWER}{DIGITS}"), length),
            "digits" => self.text(DIGITS, length),
            "hex" => self.text("0123456789abcdef", length),
            "HEX" => self.text("0123456789ABCDEF", length),
            "alnum" => self.text(&alnum, length),
            "base" => self.text(&format!("{alnum}+/"), length),
            "url" => self.text(&format!("{alnum}-_"), length),
            "uuid" => [8, 4, 4, 4, 12].map(|part| self.text("0123456789abcdef", part)).join("-"),
            _ => panic!("no slot is called {name}"),
        }
    }

    /// A template with its slots, which stand between `~`, filled.
    pub(super) fn fill(&mut self, template: &str) -> String {
        let part = |(number, part): (usize, &str)| {
            if number % 2 == 0 { part.to_owned() } else { self.slot(part) }
        };
        template.split('~').enumerate().map(part).collect()
    }
}

/// A line, and the secrets that it holds.
pub(super) struct Planted {
    pub(super) line: String,
    pub(super) secrets: Vec<String>,
}

/// A filled template, of which what stands between `<<` and `>>` is secret.
pub(super) fn planted(filled: &str) -> Planted {
    let mut all = Planted { line: String::new(), secrets: Vec::new() };
    for piece in filled.split("<<") {
        match piece.split_once(">>") {
            Some((secret, rest)) => {
                all.line += secret;
                all.line += rest;
                all.secrets.push(secret.to_owned());
            }
            None => all.line += piece,
        }
    }
    all
}
