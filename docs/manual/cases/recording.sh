# needs: git cc make tar awk
# What the picture on the first page shows: the case `app`, and orders for an importer.
set -e
. "$CASES/app.sh"
cp "$CASES/../../../crates/cli/src/demo/import.sh" import.sh
chmod +x import.sh
awk 'BEGIN {
    print "{\n  \"shop\": \"corner\",\n  \"count\": 40,\n  \"orders\": ["
    for (i = 0; i < 40; i++)
        printf "    {\"customer\": %d, \"town\": \"Ulm\", \"pieces\": %d}%s\n", i * 7, i == 26 ? -3 : i % 9 + 1, i < 39 ? "," : ""
    print "  ]\n}"
}' >orders.json
