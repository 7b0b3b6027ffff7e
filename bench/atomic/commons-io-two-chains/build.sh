#!/bin/sh
# Builds the whole library, as its users have it, and the test that is run.
path=/usr/share/java/junit4.jar:/usr/share/java/hamcrest.jar
rm -rf built && mkdir built || exit 1
find src/main -name '*.java' | sort > built/sources
# The quick compiler of the virtual machine is enough for what runs so shortly.
exec javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -proc:none -nowarn -encoding UTF-8 \
  -cp "$path" -sourcepath src/test -d built @built/sources \
  src/test/OneTest.java src/test/CharsetNameTest.java
