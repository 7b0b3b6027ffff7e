#!/bin/sh
# run after build.sh in the root of a candidate tree; 0 good, 1 the failure, 125 cannot tell
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
  -cp built:/usr/share/java/junit4.jar:/usr/share/java/hamcrest.jar \
  OneTest org.apache.commons.io.CharsetNameTest aNameBeginsWithItself
