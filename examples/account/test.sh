#!/bin/sh
# Builds the version in the current folder with ajc and runs one of its tests with JUnit.
# 0: the test passes, 1: an assertion of it fails, 125: it cannot be built or ends otherwise.
test=${1:-testTransfer}
jars=${JARS:-/usr/share/java}
path=$jars/aspectjrt.jar:$jars/junit4.jar:$jars/hamcrest.jar
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

# The quick compiler of the virtual machine is enough for what runs so shortly.
export JDK_JAVA_OPTIONS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
command -v ajc > "$made/said" || exit 127
ajc -8 -nowarn -classpath "$path" -d "$made" -sourceroots . > "$made/said" 2>&1 || {
    # What is wrong with the sources, not what ajc thinks of its own libraries.
    grep -A 2 -E '\[error\]' "$made/said" || cat "$made/said"
    exit 125
}
java -cp "$made:$path" junit.textui.TestRunner -m "AccountTest.$test" > "$made/said" 2>&1
case $? in
    0) exit 0 ;;
    1) grep -q '^There was 1 failure' "$made/said" || exit 125 ;;
    *) exit 125 ;;
esac
# Without the times and traces, which differ from run to run and from line to line.
grep -E -A 1 '^1\)' "$made/said"
exit 1
