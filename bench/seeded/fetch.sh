#!/bin/sh
# usage: fetch.sh ECOSYSTEM PACKAGE OLD NEW DIR   -> DIR/old and DIR/new, the two releases
# With the client of each registry, and without what only describes the archive.
set -eu
ecosystem=$1 package=$2 old=$3 new=$4
mkdir -p "$5"; place=$(cd "$5" && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

pypi() { # VERSION TARGET
  pip download -q --disable-pip-version-check --no-deps --only-binary :all: -d "$work/$1" "$package==$1"
  python3 -m zipfile -e "$work/$1"/*.whl "$2"
  rm -rf "$2"/*.dist-info
}
npm() { # VERSION TARGET
  mkdir -p "$work/$1" "$2"
  (cd "$work/$1" && command npm pack --loglevel error "$package@$1" > /dev/null)
  tar -xzf "$work/$1"/*.tgz -C "$2" --strip-components 1
}
crates() { # VERSION TARGET
  mkdir -p "$work/$1/src"; : > "$work/$1/src/lib.rs"
  printf '[package]\nname = "holder"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n%s = "=%s"\n' \
    "$package" "$1" > "$work/$1/Cargo.toml"
  (cd "$work/$1" && cargo vendor -q --versioned-dirs vendor > out 2> err || { cat err >&2; exit 1; })
  cp -R "$work/$1/vendor/$package-$1" "$2"
  (cd "$2" && rm -rf .cargo-checksum.json .cargo_vcs_info.json Cargo.toml.orig Cargo.lock)
}

"$ecosystem" "$old" "$work/old"
"$ecosystem" "$new" "$work/new"
# Some archives lack the right to write, which would keep a fault from being put in.
chmod -R u+w "$work/old" "$work/new"
rm -rf "$place/old" "$place/new"
mv "$work/old" "$work/new" "$place"
