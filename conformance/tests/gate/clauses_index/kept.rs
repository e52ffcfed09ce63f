//! Snapshots below `golden/index`.

use insta::Settings;
use touchstone::golden;

/// Holds a text against the snapshot that was read and kept.
pub(crate) fn keep(name: &str, text: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(golden::directory("index"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}
