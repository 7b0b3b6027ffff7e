#!/bin/sh
# usage: coverage.sh DIR   -> DIR/coverage: which lines of DIR/bad each of some tests executes, as
# JaCoCo tells it (one XML a test), and how the tests end, as JUnit's XML (one a class of tests).
# Needs libjacoco-java and unzip.
set -eu
here=$(cd "$(dirname "$0")" && pwd); D=$(cd "$1" && pwd)
jars=/usr/share/java
path=$jars/junit4.jar:$jars/hamcrest.jar
jacoco=$jars/org.jacoco.core.jar:$jars/org.jacoco.report.jar:$jars/asm.jar:$jars/asm-commons.jar:$jars/asm-tree.jar
package=org.apache.commons.io
t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
unzip -q -p $jars/org.jacoco.agent.jar jacocoagent.jar > "$t/agent.jar"
mkdir "$t/main" "$t/test"
# JaCoCo knows the class files of its time.
javac --release 8 -proc:none -nowarn -encoding UTF-8 -g -d "$t/main" \
  $(find "$D/bad/src/main" -name '*.java')
suites="IOUtilsCopyTestCase CopyUtilsTest IOUtilsWriteTestCase HexDumpTest EndianUtilsTest"
set --; for suite in $suites; do set -- "$@" "$D/bad/src/test/org/apache/commons/io/$suite.java"; done
javac --release 8 -proc:none -nowarn -encoding UTF-8 -d "$t/test" \
  -cp "$t/main:$t/agent.jar:$path:$jacoco" -sourcepath "$D/bad/src/test" "$@" "$here/Coverage.java"
rm -rf "$D/coverage"; mkdir "$D/coverage"
cd "$t"
exec java -javaagent:"$t/agent.jar"=output=none,includes="$package.*",excludes="$package.*Test*" \
  -cp "$t/test:$t/main:$path:$jacoco" Coverage "$D/coverage" "$t/main" \
  $(for suite in $suites; do echo "$package.$suite"; done)
