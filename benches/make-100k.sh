#!/usr/bin/env bash
# Makes a tree of a little more than 100,000 files from the one that fetch-corpus.sh fetches: all of it, and below `copies/` parts of it once more.
# Real copies, since a file with several names is looked at each time. Needs about 2 GB. Never committed.
set -euo pipefail
cd "$(dirname "$0")/.."
corpus="${CARGO_TARGET_DIR:-target}/corpus"
tree="$corpus/100k"
source="$corpus/linux-source-6.12"
if [ -d "$tree" ]; then
    echo "$tree is there already"
    exit 0
fi
[ -d "$source" ] || { echo "$source is not there; run benches/fetch-corpus.sh" >&2; exit 2; }
work="$(mktemp -d "$corpus/100k.XXXXXX")"
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cp -a --reflink=auto "$source/." "$work/"
mkdir "$work/copies"
for part in fs net kernel mm sound drivers/net drivers/media; do
    mkdir -p "$work/copies/$(dirname "$part")"
    cp -a --reflink=auto "$source/$part" "$work/copies/$part"
done
files="$(find "$work" -type f | wc -l)"
[ "$files" -ge 101000 ] || { echo "only $files files" >&2; exit 1; }
mv "$work" "$tree"
echo "$tree: $files files"
