# needs: git cc make tar
# Releases of the case `app` as folders, outside of any repository.
set -e
mkdir app
(cd app && . "$CASES/app.sh")
mv app/releases app/test.sh .
rm -rf app
