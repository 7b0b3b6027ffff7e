#!/usr/bin/env bash
# Copies what is newer.
set -euo pipefail

from=${1:-.} to="$2"
declare -a copied=()

copy() {
  local file=$1
  if [[ $file -nt "$to/$file" && ! -d $file ]]; then
    cp -- "$file" "$to/" 2>>errors.log || return 1
    copied+=("$file")
  fi
}

for file in "$from"/*.txt; do
  copy "$(basename "$file")" && (( count = ${count:-0} + 1 ))
done

case ${#copied[@]} in
  0) echo 'nothing' ;;
  *) printf '%s\n' "${copied[@]}" | sort -u > copied.txt ;;
esac

cat <<END
$count copied
END
while read -r line; do echo "$line"; done < copied.txt
