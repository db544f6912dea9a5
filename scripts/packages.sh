#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds Debian's packages and the archives of cpack; tries them. Ends with 77 where it may not (no root, no network).
#
#	scripts/packages.sh [FOLDER]	works in FOLDER (build/packages), where the packages stay
#	scripts/packages.sh --try FOLDER	tries those that are there, and builds nothing
#	scripts/packages.sh --arm64 [FOLDER]	builds those for arm64 (in build/packages-arm64), and tries nothing
#
# The packages are installed into a system that debootstrap makes of the machine's own mirror. There debian/tests runs;
# then they are purged, and each file is as it was before. A second run is faster: FOLDER keeps the objects of the last build,
# what ccache has of it, and the system without our packages.
. "$(dirname "$0")/common.sh"
. scripts/root.sh

builds=yes
foreign=
case ${1:-} in
--try)
	builds=
	shift
	;;
--arm64)
	foreign=arm64
	shift
	;;
-h | --help) usage ;;
-*) usage "there is no option $1" ;;
esac
folder=${1:-build/packages${foreign:+-$foreign}}
need_root
need build packages ${foreign:+arm64}
version=$(sed -n 's/^project(unpu VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[ "$(dpkg-parsechangelog -S Version)" = "$version" ] ||
	{ echo "debian/changelog is not of version $version"; exit 1; }
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
tree=$folder/unpu-$version
root=$folder/root

# copy_tree - what git has of the tree, as the build writes into debian/. What is gone from the tree goes in the copy too; its
# objects stay.
copy_tree() {
	mkdir -p "$tree"
	tracked >"$folder/files"
	tar -cf "$folder/tree.tar" --null -T "$folder/files"
	find "$tree" -mindepth 1 -maxdepth 1 ! -name 'obj-*' -exec rm -rf {} +
	tar -xf "$folder/tree.tar" -C "$tree"
}

# judge - lintian.
judge() {
	(cd "$folder" && ls ./*.deb)
	say "lintian"
	lintian --fail-on error --tag-display-limit 5 "$folder"/*.changes
}

# build - the packages of this machine.
build() {
	say "building the packages in $tree"
	copy_tree
	rm -f "$folder"/*.deb "$folder"/*.changes "$folder"/*.buildinfo
	# debhelper gives a build a home of its own, where ccache would begin anew.
	(export CCACHE_DIR="${CCACHE_DIR:-$folder/ccache}" DEB_BUILD_OPTIONS="parallel=$jobs ${DEB_BUILD_OPTIONS:-}"
		cd "$tree" && dpkg-buildpackage -us -uc -b -nc) >"$folder/build.log" 2>&1 || { tail -n 60 "$folder/build.log"; exit 1; }
	judge
}

# build_foreign - those of another architecture, as Debian cross builds: in a system that has the libraries of both, so that
# nothing of this machine excludes them. The package of the book has no architecture; build() makes it.
build_foreign() {
	root=$folder/builder
	if [ ! -e "$root/.complete" ]; then
		say "a system with the libraries for $foreign in $root"
		rm -rf "$root"
		mkdir -p "$root"
		tar -C "$root" -xf "$base"
		cp /etc/resolv.conf "$root/etc/"
		mkdir -p "$root/build/depends"
		cp -a debian "$root/build/depends/"
		(inside dpkg --add-architecture "$foreign" && inside apt-get update -q &&
			inside apt-get install -q -y --no-install-recommends "crossbuild-essential-$foreign" &&
			inside apt-get build-dep -q -y --no-install-recommends -a "$foreign" -P cross,nodoc --arch-only \
				/build/depends && inside apt-get clean) >"$folder/chroot.log" 2>&1 || { tail "$folder/chroot.log"; exit 1; }
		touch "$root/.complete"
	fi
	tree=$root/build/unpu-$version
	say "building the packages for $foreign in $tree"
	copy_tree
	rm -f "$root"/build/unpu_* "$root"/build/*.deb "$folder"/*.deb "$folder"/*.changes "$folder"/*.buildinfo
	# The build runs a program that it has made, for the completions of shells.
	(enter=run_arm64 && inside sh -c "cd /build/unpu-$version && DEB_BUILD_OPTIONS='parallel=$jobs nocheck ${DEB_BUILD_OPTIONS:-}' \
		dpkg-buildpackage -a$foreign -Pcross,nodoc -us -uc -B -nc") >"$folder/build.log" 2>&1 ||
		{ tail -n 60 "$folder/build.log"; exit 1; }
	mv "$root"/build/*.deb "$root"/build/*.changes "$root"/build/*.buildinfo "$folder"
	judge
}

# make_system - $root: the base with what the packages depend on, and without them. It is kept as an archive for as long as
# they depend on the same.
make_system() {
	wanted=$(for package in "$folder"/*.deb; do
		case $package in *-dbgsym_*) continue ;; esac
		dpkg-deb -f "$package" Depends
	done | tr ',' '\n' | grep -vE '^ *((libunpu|unpu|firmware-sim|python3-unpu).*)?$' | sort -u | paste -s -d,)
	wanted="$wanted, cmake, g++, make, pkg-config"
	rm -rf "$root"
	mkdir -p "$root"
	if [ -f "$folder/system.tar" ] && [ "$(cat "$folder/system.wanted")" = "$wanted" ]; then
		tar -C "$root" -xf "$folder/system.tar"
		return
	fi
	rm -f "$folder/system.tar"
	tar -C "$root" -xf "$base"
	cp /etc/resolv.conf "$root/etc/"
	inside apt-get update -q >"$folder/chroot.log"
	inside apt-get satisfy -q -y --no-install-recommends "$wanted" >>"$folder/chroot.log"
	inside apt-get clean
	echo "$wanted" >"$folder/system.wanted"
	tar -C "$root" --exclude './proc/*' -cf "$folder/system.part" .
	mv "$folder/system.part" "$folder/system.tar"
}

# state FILE - each file, link and folder of the system, and the users, but for what apt and dpkg keep for themselves.
state() {
	(cd "$root" && find . -xdev \( -path ./proc -o -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt \
		-o -path ./var/lib/dpkg -o -path ./tmp -o -name ld.so.cache -o -name aux-cache \) -prune -o -printf '%p %y %l\n' |
		sort; cat etc/group etc/passwd) >"$1"
}

try_packages() {
	say "installing into $root"
	make_system
	state "$folder/before"
	mkdir -p "$root/tmp/tree/debian"
	cp -a README.md Documentation "$root/tmp/tree/"
	cp -a debian/tests "$root/tmp/tree/debian/"
	names=
	for package in "$folder"/*.deb; do
		case $package in *-dbgsym_*) continue ;; esac
		cp "$package" "$root/tmp/"
		names="$names $(dpkg-deb -f "$package" Package)"
	done
	# shellcheck disable=SC2046
	inside dpkg -i $(cd "$root" && ls tmp/*.deb | sed 's,^,/,') >>"$folder/chroot.log"
	inside ldconfig
	for test in program tutorial book; do
		say "debian/tests/$test"
		inside sh -c "cd /tmp/tree && AUTOPKGTEST_TMP= debian/tests/$test"
	done
	say "purging$names"
	# shellcheck disable=SC2086
	inside dpkg --purge $names >>"$folder/chroot.log"
	state "$folder/after"
	diff "$folder/before" "$folder/after" || { echo "the packages left these"; exit 1; }
	echo "purged: nothing is left"
}

# try_archives - cpack's. The tar file is tried as a toolkit; rpm lists what is in its file.
try_archives() {
	objects=$(echo "$tree"/obj-*)
	say "cpack -G TGZ, RPM"
	(cd "$objects" && cpack -G TGZ -B "$folder/archives" && cpack -G RPM -B "$folder/archives") >"$folder/cpack.log" 2>&1 ||
		{ tail "$folder/cpack.log"; exit 1; }
	rm -rf "$folder/unpacked"
	mkdir -p "$folder/unpacked"
	tar -C "$folder/unpacked" -xzf "$folder"/archives/*.tar.gz
	T=$(echo "$folder"/unpacked/*)
	fences c++ >"$folder/prog.cpp"
	g++ "$folder/prog.cpp" -o "$folder/prog" -I"$T/include" -I"$T/include/aclnn" -L"$T/lib64" -lascendcl -lnnopbase -lopapi
	(. "$T/set_env.sh" && [ "$("$folder/prog")" = "to the device and back" ])
	rpm -qlp "$folder"/archives/*.rpm | grep -x /opt/unpu/lib64/libunpu.so.0
	ls "$folder/archives"/*.*
}

fetching=
if [ ! -f "$base" ]; then
	say "debootstrap $suite, meanwhile"
	fetch_base &
	fetching=$!
fi
if [ -n "$foreign" ]; then
	[ -z "$fetching" ] || wait "$fetching"
	build_foreign
	exit
fi
if [ -n "$builds" ]; then
	build
	try_archives
fi
[ -z "$fetching" ] || wait "$fetching"
try_packages
