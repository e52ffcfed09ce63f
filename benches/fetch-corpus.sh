#!/usr/bin/env bash
# Fetches the tree that the benches search, Debian's Linux 6.12 sources, into the build directory. Never committed.
# Needs Debian's package tools and about 2 GB. Without it the benches search the cargo registry's sources.
set -euo pipefail
cd "$(dirname "$0")/.."
corpus="${CARGO_TARGET_DIR:-target}/corpus"
tree="$corpus/linux-source-6.12"
if [ -d "$tree" ]; then
    echo "$tree is there already"
    exit 0
fi
mkdir -p "$corpus"
work="$(mktemp -d "$corpus/fetch.XXXXXX")"
trap 'rm -rf "$work"' EXIT
(cd "$work" && apt-get download -q linux-source-6.12 && dpkg-deb -x linux-source-6.12_*.deb unpacked)
tar -xf "$work/unpacked/usr/src/linux-source-6.12.tar.xz" -C "$work"
# Debian's packaging adds rules that ignore the whole tree; without them it is the kernel's own.
sed -i -e '/^\/\*$/d' -e '/^!\/debian\/$/d' "$work/linux-source-6.12/.gitignore"
mv "$work/linux-source-6.12" "$tree"
echo "$tree: $(find "$tree" -type f | wc -l) files"
