-- The index of one tree, schema version 3 (`SCHEMA` in key.rs). One database for each key; the
-- file's name is the hash of the key.
--
-- A segment is a set of files that never changes, with the n-grams they hold. A file is known by
-- its rank: its place in the order of paths within its segment. The base holds nearly everything;
-- each delta holds what changed in one go. A file that changed or went is marked dead in the
-- segment that had it. All else is in blocks of bytes.
--
-- Worked example. Three files are indexed: `a.c` ("main"), `b.c` ("mail"), `c.c` ("no"). The base
-- is segment 1:
--
--   segment  id 1, base 1, active 1, dead NULL
--   block    (1, header, 0)     3 files, 1 catalog block, 1 block of postings, ...
--            (1, catalog, 0)    a.c, b.c, c.c with size, times, inode, what became of them
--            (1, postings, 0)   "ail" -> 1; "ain" -> 0; "mai" -> 0, 1
--            (1, directory, 0)  the first gram of each block of postings: "ail"
--            (1, sketch_*, 0)   which bits of a filter one gram sets, or several
--            (1, tree, 0)       the directories and ignore files that were seen, with their times
--
-- Then `b.c` becomes "nail". One transaction adds segment 2, a delta with `b.c` as its rank 0 and
-- "ail", "nai" -> 0, and sets `dead` of segment 1 to the bits 010. A search for "mai" asks segment
-- 1 (ranks 0 and 1; 1 is dead) and segment 2 (none): only `a.c` has to be read.
--
-- Shards of words are not in `segment`: theirs are the numbers from 1048576 on, and a shard is there
-- if its header is, which is written last.
--
-- Merging writes segment 3, inactive, in several transactions, then sets `active` of 3 to 1 and of
-- 1 and 2 to 0 in one. What is inactive belongs to nobody and is deleted.

CREATE TABLE meta (
  name   TEXT PRIMARY KEY,  -- a component of the key (key.rs), or a fact about the index
  value  NOT NULL
) WITHOUT ROWID;

CREATE TABLE segment (
  id      INTEGER PRIMARY KEY,
  base    INTEGER NOT NULL CHECK (base IN (0, 1)),
  active  INTEGER NOT NULL CHECK (active IN (0, 1)),
  dead    BLOB,             -- one bit a file; NULL for none
  sum     INTEGER NOT NULL  -- checksum of `dead`, with the id
);

CREATE TABLE block (
  place    INTEGER PRIMARY KEY,  -- segment * 2^36 + kind * 2^32 + number
  sum      INTEGER NOT NULL,     -- XXH3 of `content`, with `place` as its seed
  content  BLOB NOT NULL,
  segment  INTEGER GENERATED ALWAYS AS (place >> 36) VIRTUAL,
  -- 0 header, 1 catalog, 2 postings, 3 directory, 4 and 5 sketches, 6 tree, 7 and 8 packed filters
  -- (number: the rank), 9 words
  kind     INTEGER GENERATED ALWAYS AS ((place >> 32) & 15) VIRTUAL,
  number   INTEGER GENERATED ALWAYS AS (place & 4294967295) VIRTUAL
);
