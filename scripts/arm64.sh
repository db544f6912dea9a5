#!/bin/sh
# SPDX-License-Identifier: MIT
# Gets what the preset arm64 needs: Debian's cross compiler and qemu-user, which are installed, and the libraries for
# AArch64 and a newer qemu-user, which are unpacked into build/arm64-root and build/arm64-tools. No package of this
# machine is replaced, and no second architecture is added to it. Then it configures and builds what its arguments name:
#	scripts/arm64.sh            # everything
#	scripts/arm64.sh unpu_unit  # one target and what it needs
#	scripts/arm64.sh --clang    # the same by clang, in build/arm64-clang; targets may follow
#	scripts/arm64.sh --tsan     # the same with ThreadSanitizer, in build/arm64-tsan, for "numa_guest.sh build/arm64-tsan arm64"
#	scripts/arm64.sh --test     # nothing; it runs ctest, and passes on what follows, such as -R '^unit'
#	scripts/arm64.sh --clang --test     # the same with what clang has built
#	scripts/arm64.sh --guest    # nothing; it unpacks what "numa_guest.sh build/arm64 arm64" boots
#	scripts/arm64.sh --herd     # nothing; it unpacks herd7, which judges the litmus tests of the ordering table
. "$(dirname "$0")/common.sh"

preset=arm64
case ${1:-} in
--clang | --tsan)
	preset=arm64-${1#--}
	shift
	;;
esac
case ${1:-} in
--test)
	if [ $preset = arm64-tsan ]; then
		echo "qemu-user has no addresses for ThreadSanitizer; numa_guest.sh runs build/$preset" >&2
		exit 2
	fi
	if [ ! -f build/$preset/CTestTestfile.cmake ]; then
		echo "build/$preset is not there; scripts/arm64.sh builds it" >&2
		exit 2
	fi
	;;
--guest | --herd) ;;
-h | --help) usage ;;
-*) usage "there is no option $1" ;;
esac

need arm64
root=$PWD/build/arm64-root
state=$PWD/build/arm64-apt
libraries='libnuma-dev libhwy-dev libdnnl-dev libfmt-dev nlohmann-json3-dev libcli11-dev liburing-dev libspdlog-dev
	libseccomp-dev libsodium-dev libdw-dev libucx-dev libgtest-dev libgmock-dev python3 libpython3-dev libclang-rt-14-dev'

# apt_arm64 TOOL ARGUMENT... - apt-get or apt-cache for a system of AArch64 that has no package yet. It changes this
# machine nowhere else.
apt_arm64() {
	tool=$1
	shift
	"$tool" -q -o Dir::State="$state" -o Dir::State::status="$state/status" -o Dir::Cache="$state" \
		-o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User="$(id -un)" "$@"
}

if [ "$(cat "$root/.complete" 2>/dev/null)" != "$libraries" ]; then
	say "unpacking the libraries into $root"
	mkdir -p "$root" "$state/lists/partial" "$state/archives/partial"
	: >"$state/status"
	apt_arm64 apt-get update
	# shellcheck disable=SC2086
	apt_arm64 apt-get -y --download-only --no-install-recommends install $libraries
	for package in "$state"/archives/*.deb; do
		dpkg -x "$package" "$root"
	done
	echo "$libraries" >"$root/.complete"
fi

# get_guest - a kernel and busybox, which numa_guest.sh finds in the root.
get_guest() {
	say "unpacking a kernel and busybox into $root"
	kernel=$(apt_arm64 apt-cache depends linux-image-arm64 | sed -n 's/.*Depends: \(linux-image-.*\)/\1/p' | head -n 1)
	cd "$state"
	apt_arm64 apt-get download "$kernel" busybox-static
	for package in "$kernel"_*.deb busybox-static_*.deb; do
		dpkg -x "$package" "$root"
		rm "$package"
	done
}

# from_debian PACKAGE... - fetches them from the unstable suite of this machine's mirror of Debian, into the folder $newer.
newer=$state/unstable
from_debian() {
	mkdir -p build/arm64-tools "$newer/lists/partial" "$newer/archives/partial"
	: >"$newer/status"
	# shellcheck disable=SC2016
	apt-get indextargets --format 'deb $(REPO_URI) unstable main' 'Created-By: Packages' 'Label: Debian' |
		grep -v -e -updates -e -security | sort -u >"$newer/sources"
	(
		cd "$newer"
		options="-q -o Dir::State=$newer -o Dir::State::status=$newer/status -o Dir::Cache=$newer
			-o Dir::Etc::sourcelist=$newer/sources -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User=$(id -un)"
		# shellcheck disable=SC2086
		apt-get $options update
		# shellcheck disable=SC2086
		apt-get $options download "$@"
	)
}

# is_new QEMU - whether it has what the tests need. Up to version 7 it keeps an entry for each page of a range that a
# program reserves, and the driver reserves 16 TiB. In 10.0 the timer has a frequency of 0, and UCX can't tell the time.
is_new() {
	"$1" --version 2>/dev/null | grep -q 'version 1[1-9]\.'
}

# get_emulator - the qemu-user of Debian's unstable suite, if the installed one is old. It is unpacked and not installed.
get_emulator() {
	if is_new build/arm64-tools/qemu-aarch64-static || is_new qemu-aarch64-static; then
		return
	fi
	say "unpacking a newer qemu-user into build/arm64-tools"
	from_debian qemu-user
	dpkg-deb --fsys-tarfile "$newer"/qemu-user_*.deb |
		tar -x -O ./usr/bin/qemu-aarch64 >build/arm64-tools/qemu-new
	rm "$newer"/qemu-user_*.deb
	chmod +x build/arm64-tools/qemu-new
	mv build/arm64-tools/qemu-new build/arm64-tools/qemu-aarch64-static
}

# get_judge - herd7, which only the unstable suite has, with the C library that it needs.
get_judge() {
	say "unpacking herd7 into build/arm64-tools"
	from_debian herdtools7 libc6 libgmp10
	rm -rf build/arm64-tools/herd
	mkdir build/arm64-tools/herd
	dpkg-deb --fsys-tarfile "$newer"/herdtools7_*.deb |
		tar -x -C build/arm64-tools/herd ./usr/bin/herd7 ./usr/share/herdtools7/herd
	for package in "$newer"/lib*.deb; do
		dpkg -x "$package" build/arm64-tools/herd
	done
	rm "$newer"/*.deb
	cat >build/arm64-tools/herd7 <<'PROGRAM'
#!/bin/sh
folder=$(dirname "$0")/herd/usr
libraries=$(echo "$folder"/lib/*-linux-gnu)
exec "$libraries"/ld-linux-*.so.? --library-path "$libraries" "$folder/bin/herd7" \
	-set-libdir "$folder/share/herdtools7/herd" "$@"
PROGRAM
	chmod +x build/arm64-tools/herd7
	build/arm64-tools/herd7 -version
}

get_emulator
case ${1:-} in
--guest)
	get_guest
	exit
	;;
--herd)
	get_judge
	exit
	;;
--test)
	shift
	export QEMU_LD_PREFIX="$root"
	# The compiler of kernels asks for g++, and means one of its own architecture.
	mkdir -p build/arm64-tools
	ln -sf "$(command -v aarch64-linux-gnu-g++-12)" build/arm64-tools/g++
	export PATH="$PWD/build/arm64-tools:$PATH"
	# An entry of the machine may start an older qemu. The driver reserves less where there is less; a program that needs
	# too much all the same must not take the machine with it.
	if ! can_register; then
		export QEMU_RESERVED_VA=0x2000000000
		ulimit -d 8000000
	fi
	run_arm64 ctest --preset $preset --no-tests=error "$@"
	exit
	;;
esac

say "building for AArch64"
cmake --preset $preset
if [ $# -eq 0 ]; then
	set -- all
fi
cmake --build build/$preset --parallel "$jobs" --target "$@"
