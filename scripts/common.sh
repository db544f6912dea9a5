# SPDX-License-Identifier: MIT
# Sourced by the other scripts: where the tree is, and the packages it needs.

set -eu
unset CDPATH # else a folder without "./" may be that of another tree
cd -P "$(dirname "$0")/.."
jobs=${UNPU_JOBS:-$(nproc)}

# ccache compiles nothing where it has no folder to write to, as in a container whose user has no home.
if [ -z "${CCACHE_READONLY:-}" ] && compiled=$(ccache --get-config cache_dir 2>/dev/null) &&
	! { mkdir -p "$compiled" && [ -w "$compiled" ]; } 2>/dev/null; then
	export CCACHE_DISABLE=1
fi

# say TEXT - a step of the script, on a line of its own.
say() {
	printf '\n== %s\n' "$*"
}

# usage [SENTENCE] - prints the comment at the head of the script, and ends it: with 0, or after the sentence with 2.
usage() {
	sed -n '3,/^\. /s/^#[ \t]\{0,1\}//p' "scripts/${0##*/}"
	[ $# -gt 0 ] || exit 0
	echo "$0: $1" >&2
	exit 2
}

# fences LANGUAGE - prints the parts of README.md in this language: c++ is the program, cmake its project, sh the commands.
fences() {
	awk -v fence='```'"$1" '$0 == fence { inside = 1; next } $0 == "```" { inside = 0 } inside' README.md
}

# tracked - prints the name of each file that git has of the tree, each with a NUL; where the tree comes from an archive, of
# each that no build has made.
tracked() {
	if [ -e .git ]; then
		git ls-files -z
	else
		find . \( -path ./build -o -path ./bench-result \) -prune -o ! -type d -print0
	fi
}

# list_missing REASON - prints the packages in $missing. Ends the script where one of them is not optional.
list_missing() {
	echo "These Debian packages are missing$1:"
	echo "	sudo apt-get update && sudo apt-get install --no-install-recommends$missing"
	for package in $missing; do
		grep -q "^$package .*; optional$" scripts/packages.txt || exit 2
	done
	echo "All of them are optional: what needs them is skipped."
}

# need PURPOSE... - installs what is missing of the packages for these purposes, or lists it: without root, and where
# $may_install is empty.
may_install=yes
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
	if [ -z "$may_install" ]; then
		list_missing ''
		return 0
	elif [ "$(id -u)" -eq 0 ]; then
		as_root=
	elif sudo -n true 2>/dev/null; then
		as_root='sudo -n'
	else
		list_missing ', and installing them needs root'
		return 0
	fi
	say "installing$missing"
	# shellcheck disable=SC2086
	{ $as_root apt-get update -q && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
		--no-install-recommends $missing; } || list_missing ", and apt-get can't install them"
}

# configure PRESET OPTION... - by CMake; anew where the build is that of a folder from which the tree was moved, as it looks when
# a container has it at another place.
configure() {
	anew=
	known=build/$1/CMakeCache.txt
	[ ! -f "$known" ] || grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$known" || anew=--fresh
	cmake $anew --preset "$@"
}

# can_register - whether a namespace of users can have entries of its own for programs of other machines, as Linux has
# from 6.7 on.
can_register() {
	printf '6.7\n%s\n' "$(uname -r)" | sort -V -C
}

# run_arm64 COMMAND... - runs it where the kernel starts programs of AArch64 by the qemu-user that is first in PATH, if
# can_register, and else by what the machine has an entry for. A root has all users in its namespace, as tests ask for.
run_arm64() {
	if ! can_register; then
		[ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || echo "this kernel has no entry for programs of AArch64" >&2
		"$@"
		return
	fi
	users=--map-root-user
	[ "$(id -u)" -ne 0 ] || users=
	if ! unshare --user --map-root-user --mount true; then
		echo "programs of AArch64 need a namespace of users, which this system refuses" >&2
		return 1
	fi
	folder=$(mktemp -d)
	mkfifo "$folder/go"
	# shellcheck disable=SC2016
	unshare --user $users --mount sh -c '
		read -r _ <"$0/go"
		rm -r "$0"
		mount -t binfmt_misc none /proc/sys/fs/binfmt_misc || exit 1
		head="\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\xb7\\x00"
		mask="\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfe\\xff\\xff\\xff"
		printf %s ":qemu-aarch64:M::$head:$mask:$(command -v qemu-aarch64-static):PF" \
			>/proc/sys/fs/binfmt_misc/register || exit 1
		exec "$@"' "$folder" "$@" <&0 &
	child=$!
	trap 'kill "$child"' INT TERM
	if [ -z "$users" ]; then
		until [ "$(readlink /proc/$child/ns/user)" != "$(readlink /proc/self/ns/user)" ]; do sleep 0.01; done
		echo 0 0 65536 >/proc/$child/uid_map
		echo 0 0 65536 >/proc/$child/gid_map
	fi
	echo go >"$folder/go"
	wait "$child"
}
