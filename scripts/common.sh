# SPDX-License-Identifier: MIT
# Sourced by the other scripts: where the tree is, and the packages it needs.

set -eu
cd "$(dirname "$0")/.."
jobs=${UNPU_JOBS:-$(nproc)}
# Without this ccache keeps nothing that is compiled with a precompiled header. The presets have it too.
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}"

# say TEXT - a step of the script, on a line of its own.
say() {
	printf '\n== %s\n' "$*"
}

# need PURPOSE... - installs what is missing of the packages for these purposes, or says what is.
need() {
	wanted=$(for purpose; do
		awk -v purpose="$purpose" '!/^#/ && index("," $2 ",", "," purpose ",") { print $1 }' scripts/packages.txt
	done)
	missing=
	for package in $wanted; do
		case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true) in
		*' installed') ;;
		*) missing="$missing $package" ;;
		esac
	done
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" -eq 0 ]; then
		as_root=
	elif sudo -n true 2>/dev/null; then
		as_root='sudo -n'
	else
		echo "These Debian packages are missing, and installing them needs root:"
		echo "	apt-get install --no-install-recommends$missing"
		exit 2
	fi
	say "installing$missing"
	$as_root apt-get update -q
	# shellcheck disable=SC2086
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
		--no-install-recommends $missing
}
