#!/usr/bin/env bash
# fetch-imgui.sh ARCHIVE_DIR: downloads Debian 13's source archive of Dear ImGui with apt, where the machine is a Debian.
#
# Its own apt configuration, lists and caches: the machine's are left alone, no root is needed. Only the mirror's address is taken
# from the machine's sources. Prints the archive's path.
set -euo pipefail
readonly out=$1 version=1.90.1+ds
grep -q '^ID=debian' /etc/os-release
command -v apt-get >/dev/null
apt=$(mktemp -d)
trap 'rm -rf "$apt"' EXIT
mkdir -p "$out" "$apt/lists/partial" "$apt/archives/partial"
options=(-q -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$apt/lists"
  -o "Dir::Cache=$apt" -o APT::Sandbox::User=)
for mirror in $(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | sort -u | grep -v security); do
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >"$apt/sources.list"
  apt-get "${options[@]}" update >&2 || continue
  (cd "$out" && apt-get "${options[@]}" source --download-only "imgui=$version-1" >&2) || continue
  rm -f "$out"/imgui_*.dsc "$out"/imgui_*.debian.tar.xz
  echo "$out/imgui_$version.orig.tar.xz"
  exit 0
done
exit 1
