#!/bin/sh
# usage: setup.sh DIR   -> DIR/good and DIR/bad: the library in two releases of Debian, each with the same
# test. Two chains of changes are put into the newer one: names are made as wide as a column, and what ends
# with a space is no longer a name. The test passes with either of them, and fails with both.
# Source packages come through apt, with lists of its own; the system's are not touched.
set -eu
D=$1; PKG=commons-io; GOOD=2.6-2; BAD=2.8.0-1
here=$(cd "$(dirname "$0")" && pwd)
t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' \
  'Label: Debian' | head -n 1)
mkdir -p "$t/lists/partial"
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror bullseye main" > "$t/sources.list"
private() {
  apt-get -q -o Dir::Etc::SourceList="$t/sources.list" -o Dir::Etc::SourceParts=- \
    -o Dir::State::Lists="$t/lists" -o Dir::Cache::PkgCache= -o Dir::Cache::SrcPkgCache= \
    -o APT::Sandbox::User=root "$@"
}
private update
get() { # VERSION TARGET
  (cd "$t" && private source --download-only --tar-only "$PKG=$1")
  mkdir "$t/$1" && tar xf "$t/${PKG}_${1%-*}".orig.tar.* -C "$t/$1" --strip-components=1
  rm -rf "$2"; mkdir -p "$2/src"
  cp -a "$t/$1/src/main/java" "$2/src/main"
  mkdir "$2/src/test"
  cp "$here/OneTest.java" "$here/CharsetNameTest.java" "$2/src/test"
}
get $GOOD "$D/good"
get $BAD "$D/bad"
io="$D/bad/src/main/org/apache/commons/io"
cp "$here/NamePadding.java" "$io"
sed -i 's/return charsetName;/return NamePadding.fill(charsetName);/' "$io/ByteOrderMark.java"
sed -i \
  -e '/public boolean checkStartsWith(/,/^    }/ s/return str/return isWhole(str) \&\& str/' \
  -e '/public boolean checkStartsWith(/,/^    }/ {
    /^    }/ a\
\
    private static final char FILLER = '"' '"';\
\
    private static boolean isWhole(final String name) {\
        return name.isEmpty() || name.charAt(name.length() - 1) != FILLER;\
    }
  }' "$io/IOCase.java"
