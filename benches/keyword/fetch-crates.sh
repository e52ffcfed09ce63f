#!/usr/bin/env bash
# Fetches published crates, by cargo, into the build directory, and checks them against `crates.tsv` (name, version, SHA-256 of the archive, what for). Never committed.
#   fetch-crates.sh                        what ranking needs
#   fetch-crates.sh all                    also what deriving the tasks needed
#   fetch-crates.sh new NAME [VERSION]...  others, unchecked; the newest version if none is named
set -euo pipefail
cd "$(dirname "$0")/../.."
list="$PWD/benches/keyword/crates.tsv"
mkdir -p "${CARGO_TARGET_DIR:-target}/corpus/crates"
crates="$(cd "${CARGO_TARGET_DIR:-target}/corpus/crates" && pwd)"
cache="${CARGO_HOME:-$HOME/.cargo}/registry/cache"
# Without a lock file in sight, cargo takes the version it is told.
outside="$(mktemp -d)"
trap 'rmdir "$outside"' EXIT

fetch() {
    local archive="$1-$2.crate"
    [ -f "$crates/$archive" ] && return
    compgen -G "$cache/*/$archive" >/dev/null || (cd "$outside" && cargo info --quiet "$1@$2" >/dev/null)
    cp "$cache"/*/"$archive" "$crates/$archive"
}

if [ "${1:-}" = new ]; then
    name="$2"
    shift 2
    [ $# -gt 0 ] || set -- "$(cd "$outside" && cargo info --quiet "$name" | sed -n 's/^version: \([^ ]*\).*/\1/p')"
    for version in "$@"; do fetch "$name" "$version" || echo "$name $version is not to be had" >&2; done
    exit
fi
wanted="ranking"
[ "${1:-}" = all ] && wanted="ranking|deriving"
awk -F '\t' -v wanted="^($wanted)\$" '$4 ~ wanted' "$list" >"$crates/wanted.tsv"
while IFS=$'\t' read -r name version _; do fetch "$name" "$version"; done <"$crates/wanted.tsv"
cd "$crates"
awk -F '\t' '{ print $3 "  " $1 "-" $2 ".crate" }' wanted.tsv | sha256sum --check --quiet
echo "$crates: $(wc -l <wanted.tsv) crates"
