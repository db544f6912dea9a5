#!/bin/sh
# SPDX-License-Identifier: MIT
# Types the README's commands on a Debian that has never seen the project: a root of debootstrap's minbase, with what git tracks
# of this tree, or with all of it where there is no git. First as root, which installs the packages, then as an ordinary user.
# Ends with 77 where it may not.
#
#	scripts/fresh.sh		what CI runs: the tests are only configured, the bench is left out, and the compile cache
#					of this machine serves the compiler of the same package
#	scripts/fresh.sh --all		every command of README.md and of the tutorial, without a compile cache
. "$(dirname "$0")/common.sh"
. scripts/root.sh

whole=
case ${1:-} in
'') ;;
--all) whole=yes ;;
-h | --help) usage ;;
*) usage "there is no option $1" ;;
esac
[ $# -le 1 ] || usage "$# words are too many"
need_root
# One at a time: they have one root.
mkdir -p "$cache"
exec 9>"$cache/lock"
flock -n 9 || { say "waiting for another fresh.sh, which works in $cache/fresh"; flock 9; }
root=$cache/fresh
# What the packages are is known by their list: a system that has them all is kept, too.
installed=$cache/installed-$suite-$(sha256sum scripts/packages.txt | cut -c 1-16).tar
archives=$cache/archives
compiled=$(ccache --get-config cache_dir 2>/dev/null || true)

# mounted COMMAND... - runs it where the system sees the packages that were fetched before, and the compile cache.
mounted() {
	# shellcheck disable=SC2016
	unshare --mount sh -c 'mount --bind "$1" "$3/var/cache/apt/archives" && { [ -z "$2" ] || mount --bind "$2" "$3/ccache"; } &&
		shift 3 && exec "$@"' sh "$archives" "$compiled" "$root" "$@"
}
enter=mounted

# lines - the commands of README.md in their order, as one script.
lines() {
	fences sh |
		if [ -n "$whole" ]; then
			sed 's,bench\.sh --quick,& --rounds 1,'
		else
			sed 's,test\.sh fast,test.sh --configure fast,; /bench\.sh/d'
		fi
}

# put_tree FOLDER - what git has of the tree, and the program and the project that README.md shows.
put_tree() {
	mkdir -p "$1/program"
	tracked >"$cache/tracked"
	tar -cf - --null -T "$cache/tracked" | tar -xf - -C "$1"
	fences c++ >"$1/prog.cpp"
	fences cmake >"$1/program/CMakeLists.txt"
	lines >"$1/lines.sh"
}

# as_user USER COMMAND... - runs it in the system as this user.
as_user() {
	user=$1
	shift
	inside setpriv "--reuid=$user" "--regid=$user" --init-groups env HOME="/srv/$user" "$@"
}

# type_as USER ENVIRONMENT... - the commands, in this user's home.
type_as() {
	say "README.md as $1: $(wc -l <"$root/srv/$1/unpu/lines.sh") lines"
	# shellcheck disable=SC2016
	as_user "$@" bash -c 'cd ~/unpu && set -ev && . ./lines.sh'
	# shellcheck disable=SC2016
	[ -z "$whole" ] || as_user "$1" \
		sh -c 'cd ~/unpu && AUTOPKGTEST_TMP=$(mktemp -d) UNPU_TOOLKIT=$PWD/build/toolkit debian/tests/tutorial'
}

say "a bare $suite in $root"
fetch_base
rm -rf "$root"
mkdir -p "$root" "$archives/partial"
if [ -z "$whole" ] && [ -f "$installed" ]; then
	tar -C "$root" -xf "$installed"
else
	tar -C "$root" -xf "$base"
fi
cp /etc/resolv.conf "$root/etc/"
[ -z "$whole" ] || compiled=
[ -z "$compiled" ] || mkdir -p "$root/ccache" "$compiled"
inside apt-get update -q
[ -z "$compiled" ] || inside apt-get install -q -y --no-install-recommends ccache
put_tree "$root/srv/$(id -un)/unpu"
type_as root CCACHE_DIR=/ccache

inside id guest >/dev/null 2>&1 || inside useradd --home-dir /srv/guest guest
put_tree "$root/srv/guest/unpu"
inside chown -R guest: /srv/guest
type_as guest CCACHE_DIR=/ccache CCACHE_READONLY=1 CCACHE_TEMPDIR=/tmp

if [ ! -f "$installed" ]; then
	rm -rf "$root"/srv/* "$root"/tmp/*
	tar -C "$root" --exclude './proc/*' --exclude './ccache/*' --exclude './var/cache/apt/archives/*' -cf "$installed.part" .
	mv "$installed.part" "$installed"
fi
rm -rf "$root"
say "README.md works on a bare $suite, as root and as an ordinary user"
