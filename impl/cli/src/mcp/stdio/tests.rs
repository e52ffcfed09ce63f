use std::{
    future::poll_fn,
    pin::pin,
    task::Poll,
    time::{Duration, Instant},
};

use super::*;

/// Whether a line that has come is handed on while so many bytes of answers wait to be written.
fn is_taken(unwritten: usize) -> bool {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(async {
        let stage = Arc::new(watch::Sender::new(Stage::Open));
        let mut stdio =
            Stdio::open(&stage, &b"a line\n"[..], io::sink(), Arc::default(), Duration::MAX)
                .expect("threads");
        let until = Instant::now() + Duration::from_secs(30);
        while stdio.lines.is_empty() {
            assert!(Instant::now() < until, "the line was not read");
            thread::yield_now();
        }
        stdio.unwritten.bytes.store(unwritten, Ordering::Relaxed);
        let mut next = pin!(stdio.next());
        // Others have their turn first; after a few there is nothing left to wait for but the
        // client.
        for _ in 0..8 {
            if let Poll::Ready(line) =
                poll_fn(|context| Poll::Ready(next.as_mut().poll(context))).await
            {
                return matches!(line, Some(Line::Whole(line)) if line == b"a line\n");
            }
            tokio::task::yield_now().await;
        }
        false
    })
}

#[test]
fn no_line_is_read_while_more_than_64_mebibytes_are_unwritten() {
    for (unwritten, taken) in
        [(0, true), (67_108_864, true), (67_108_865, false), (usize::MAX, false)]
    {
        assert_eq!(is_taken(unwritten), taken, "{unwritten}");
    }
}

#[test]
fn a_line_over_the_length_limit_is_skipped_and_the_next_is_read() {
    for (length, whole) in [(8_388_608, true), (8_388_609, false)] {
        let input = [vec![b'x'; length], b"\nnext\n".to_vec()].concat();
        let (sender, mut lines) = mpsc::channel(3);
        read(&input[..], &sender);
        match lines.try_recv() {
            Ok(Line::Whole(line)) => assert!(whole && line.len() == length + 1, "{length}"),
            Ok(Line::TooLong) => assert!(!whole, "{length}"),
            Err(error) => panic!("{length}: {error}"),
        }
        assert!(matches!(lines.try_recv(), Ok(Line::Whole(line)) if line == b"next\n"), "{length}");
        assert!(lines.try_recv().is_err());
    }
}
