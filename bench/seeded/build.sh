#!/bin/sh
# usage: build.sh CRATE TEST TARGET [FEATURE...]   builds the crate in this folder, and its test with it
set -eu
crate=$(echo "$1" | tr - _) test=$2 target=$3; shift 3
for feature; do set -- "$@" --cfg "feature=\"$feature\""; shift; done
edition=$(sed -n 's/^edition = "\(.*\)"$/\1/p' Cargo.toml)
mkdir -p "$target"
export CARGO_PKG_NAME="$crate" CARGO_PKG_VERSION=0.0.0
rustc --edition "${edition:-2015}" --cap-lints allow --crate-name "$crate" --crate-type rlib "$@" \
  --out-dir "$target" src/lib.rs
rustc --edition 2021 --cap-lints allow --extern "$crate=$target/lib$crate.rlib" -o "$target/test" "$test"
