use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::*;
use crate::{
    account::MemoryAccount,
    backend::Backend,
    deadline::Deadline,
    job::{Batches, Naming},
    root::Root,
    sandbox::Sandbox,
    walk::FoundFile,
};

#[test]
fn a_batch_has_as_many_names_as_the_arguments_of_a_process_hold() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path().to_owned();
    let sandbox = Sandbox::new(std::slice::from_ref(&here), &here).unwrap();
    let base = Arc::new(Root::open(&here).unwrap());
    let (stop, account) = (AtomicBool::new(false), MemoryAccount::default());
    let job = Job {
        sandbox: &sandbox,
        backend: &Backend::Native,
        base: Arc::clone(&base),
        file: None,
        expression: String::new(),
        max_files: u64::MAX,
        max_file_size_bytes: 1,
        batches: Batches::Growing,
        all_is_text: false,
        naming: Naming::SearchRoot,
        threads: 1,
        deadline: Deadline {
            at: Instant::now() + Duration::from_secs(3_600),
            service: &stop,
            call: &stop,
            seen: None,
            account: &account,
        },
    };
    let elsewhere = vec![b'y'; 496 - here.as_os_str().len()];
    for (opened_at, bytes) in [(None, 256), (Some((base, elsewhere)), 512)] {
        let file = FoundFile { opened_at, ..FoundFile::new(vec![b'x'; 240]) };
        let file = WalkItem::File(file);
        let mut source = Source {
            items: Box::new(std::iter::repeat(file)),
            files: 0,
            next_number: 0,
            batch_size: usize::MAX,
            exhausted: false,
            more_files: false,
        };
        assert_eq!(job.take(&mut source).items.len(), ARGUMENT_BYTES.div_ceil(bytes));
    }
}
