//! Malformed and hostile output of search programs.

use bolero::produce;

use super::{Frames, HEAD_BYTES, Malformed};
use crate::soup;

type Records = Vec<(Vec<u8>, u64)>;

/// The records read before the stream ended or became malformed, and which of the two it was.
fn read<'p>(pieces: impl Iterator<Item = &'p [u8]>) -> (Records, Result<(), Malformed>) {
    let (mut frames, mut records) = (Frames::default(), Vec::new());
    for piece in pieces {
        if frames.push(piece, &mut |name, line| records.push((name.to_vec(), line))).is_err() {
            return (records, Err(Malformed));
        }
        assert!(frames.head.len() <= HEAD_BYTES);
    }
    let ended = frames.finish();
    (records, ended)
}

#[test]
fn a_split_stream_parses_like_the_whole_stream() {
    let words =
        &["a", "b", "\0", ":", "\n", "1", "12", "\u{0}3:", "+", "text\n", "./a\u{0}7:x\n", "é"];
    let input = (soup::bytes(words, 60), produce::<Vec<u8>>().with().len(1_usize..8));
    bolero::check!().with_iterations(3_000).with_generator(input).for_each(|(stream, lengths)| {
        let whole = read(std::iter::once(stream.as_slice()));
        let (mut pieces, mut rest) = (Vec::new(), stream.as_slice());
        for length in lengths.iter().cycle() {
            let (piece, after) = rest.split_at(usize::from(*length).clamp(1, 40).min(rest.len()));
            pieces.push(piece);
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        assert_eq!(read(pieces.into_iter()), whole);
        let names: usize = whole.0.iter().map(|(name, _)| name.len() + 4).sum();
        assert!(names <= stream.len() + 4 && whole.0.iter().all(|(_, line)| *line > 0));
    });
}

#[test]
fn records_are_read_back_as_they_were_written() {
    let one = (produce::<Vec<u8>>(), produce::<u64>(), produce::<Vec<u8>>());
    let records = produce::<Vec<_>>().with().values(one).len(0_usize..6);
    bolero::check!().with_iterations(1_000).with_generator(records).for_each(|records| {
        let (mut stream, mut written) = (Vec::new(), Vec::new());
        for (name, line, text) in records {
            let name: Vec<u8> = name.iter().copied().filter(|byte| *byte > 0).collect();
            let text: Vec<u8> = text.iter().copied().filter(|byte| *byte != b'\n').collect();
            let line = (*line).max(1);
            stream
                .extend([&name, &b"\0"[..], format!("{line}:").as_bytes(), &text, b"\n"].concat());
            written.push((name, line));
        }
        assert_eq!(read(stream.chunks(7)), (written, Ok(())));
    });
}
