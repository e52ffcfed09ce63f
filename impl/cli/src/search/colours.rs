//! The colours of `--colors`, as ripgrep reads and writes them.

use std::io::{self, Write};

use crate::errors::Failure;

const RESET: &[u8] = b"\x1b[0m";

/// What is coloured, each with its style.
#[derive(Clone, Debug)]
pub(super) struct Colours {
    pub(super) path: Style,
    pub(super) line: Style,
    pub(super) column: Style,
    pub(super) matched: Style,
    /// The rest of a matching line.
    pub(super) highlight: Style,
}

/// Colours and attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "attributes of a terminal")]
pub(super) struct Style {
    foreground: Option<Colour>,
    background: Option<Colour>,
    bold: bool,
    intense: bool,
    underline: bool,
    italic: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colour {
    /// One of eight.
    Named(u8),
    Indexed(u8),
    Rgb(u8, u8, u8),
}

impl Style {
    const fn of(colour: u8) -> Self {
        Self {
            foreground: Some(Colour::Named(colour)),
            background: None,
            bold: false,
            intense: false,
            underline: false,
            italic: false,
        }
    }

    pub(super) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Switches the terminal to this style.
    pub(super) fn begin(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(RESET)?;
        for (on, code) in [(self.bold, 1), (self.italic, 3), (self.underline, 4)] {
            if on {
                write!(out, "\x1b[{code}m")?;
            }
        }
        for (colour, ground) in [(self.foreground, 3), (self.background, 4)] {
            match colour {
                None => {}
                Some(Colour::Named(colour)) if self.intense => {
                    write!(out, "\x1b[{ground}8;5;{}m", colour + 8)?;
                }
                Some(Colour::Named(colour)) => write!(out, "\x1b[{ground}{colour}m")?,
                Some(Colour::Indexed(colour)) => write!(out, "\x1b[{ground}8;5;{colour}m")?,
                Some(Colour::Rgb(red, green, blue)) => {
                    write!(out, "\x1b[{ground}8;2;{red};{green};{blue}m")?;
                }
            }
        }
        Ok(())
    }

    /// Switches back.
    pub(super) fn end(out: &mut impl Write) -> io::Result<()> {
        out.write_all(RESET)
    }
}

impl Default for Colours {
    fn default() -> Self {
        Self {
            path: Style::of(5),
            line: Style::of(2),
            column: Style::default(),
            matched: Style { bold: true, ..Style::of(1) },
            highlight: Style::default(),
        }
    }
}

impl Colours {
    /// The usual ones, changed as the flags say.
    pub(super) fn of(flags: &[String]) -> Result<Self, Failure> {
        let mut colours = Self::default();
        for flag in flags {
            let lower = flag.to_ascii_lowercase();
            let parts: Vec<&str> = lower.split(':').collect();
            colours.change(&parts).ok_or_else(|| {
                Failure::new(format!(
                    "--colors `{flag}` is none; write `path`, `line`, `column`, `match` or \
                     `highlight`, then `:none`, `:fg:COLOR`, `:bg:COLOR` or `:style:bold`, as in \
                     `match:fg:red` or `path:bg:0,128,255`"
                ))
            })?;
        }
        Ok(colours)
    }

    fn change(&mut self, parts: &[&str]) -> Option<()> {
        let (what, how) = parts.split_first()?;
        let style = match *what {
            "path" => &mut self.path,
            "line" => &mut self.line,
            "column" => &mut self.column,
            "match" => &mut self.matched,
            "highlight" => &mut self.highlight,
            _ => return None,
        };
        match *how {
            ["none"] => *style = Style::default(),
            ["fg", name] => style.foreground = Some(colour(name)?),
            ["bg", name] => style.background = Some(colour(name)?),
            ["style", name] => {
                let (name, on) = match name.strip_prefix("no") {
                    Some(name) => (name, false),
                    None => (name, true),
                };
                match name {
                    "bold" => style.bold = on,
                    "intense" => style.intense = on,
                    "underline" => style.underline = on,
                    "italic" => style.italic = on,
                    _ => return None,
                }
            }
            _ => return None,
        }
        Some(())
    }
}

fn colour(name: &str) -> Option<Colour> {
    const NAMES: [&str; 8] =
        ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
    if let Some(number) = NAMES.iter().position(|known| *known == name) {
        return Some(Colour::Named(u8::try_from(number).ok()?));
    }
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(hex) => u8::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    };
    match name.split(',').map(number).collect::<Option<Vec<u8>>>()?.as_slice() {
        [index] => Some(Colour::Indexed(*index)),
        [red, green, blue] => Some(Colour::Rgb(*red, *green, *blue)),
        _ => None,
    }
}
