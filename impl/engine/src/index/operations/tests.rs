use std::fs;

use super::*;
use crate::{
    config::{Config, Preset},
    index::{IndexOptions, tests::World},
};

#[test]
fn clearing_says_how_many_bytes_all_indexes_had() {
    let world = World::new(&[]);
    let mut config = Config::preset(Preset::Agent);
    let roots = ["one", "two"].map(|name| world.root.join(name));
    for root in &roots {
        fs::create_dir(root).unwrap();
        config.index.index_roots.push(root.to_str().unwrap().to_owned());
    }
    config.index.index_path.clone_from(&world.settings.index_path);
    let sandbox = Sandbox::new(std::slice::from_ref(&world.root), &world.root).unwrap();
    let options = IndexOptions { using: IndexUse::Stepped, ..IndexOptions::default() };
    let indexes = Indexes::new(&config, &sandbox, &Arc::default(), &options).unwrap();
    cache_directory(&config.index, &sandbox, true).unwrap();
    for index in &indexes.roots {
        fs::write(world.cache().join(format!("{}.sqlite", index.key.hash())), "12345").unwrap();
    }
    assert_eq!(indexes.clear().unwrap(), 10);
    assert_eq!(indexes.clear().unwrap(), 0);
}
