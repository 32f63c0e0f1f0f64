#!/bin/sh
# tarball.sh CPACK_CONFIG FOLDER: makes the tarball and unpacks it as FOLDER/hostwarp.
set -eu
config=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cpack --config "$config" -B "$folder" >"$folder/cpack.log" || {
  cat "$folder/cpack.log"
  exit 1
}
mkdir "$folder/hostwarp"
tar -xzf "$folder"/hostwarp-*.tar.gz -C "$folder/hostwarp" --strip-components=1
rm -rf "$folder"/hostwarp-*.tar.gz "$folder/_CPack_Packages"
