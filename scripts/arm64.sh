#!/bin/sh
# SPDX-License-Identifier: MIT
# Gets what the preset arm64 needs: Debian's cross compiler and qemu-user, which are installed, and the libraries for
# AArch64, which are unpacked into build/arm64-root. No package of this machine is replaced, and no second architecture
# is added to it. Then it configures and builds what its arguments name:
#	scripts/arm64.sh            # everything
#	scripts/arm64.sh unpu_unit  # one target and what it needs
#	scripts/arm64.sh --clang    # the same by clang, in build/arm64-clang; targets may follow
#	scripts/arm64.sh --test     # nothing; it runs ctest, and passes on what follows, such as -R '^unit'
#	scripts/arm64.sh --guest    # nothing; it unpacks what "numa_guest.sh build/arm64 arm64" boots
. "$(dirname "$0")/common.sh"

need arm64
root=$PWD/build/arm64-root
state=$PWD/build/arm64-apt
libraries='libnuma-dev libhwy-dev libdnnl-dev libfmt-dev nlohmann-json3-dev libcli11-dev liburing-dev libspdlog-dev
	libseccomp-dev libdw-dev libucx-dev libgtest-dev libgmock-dev'

# apt_arm64 TOOL ARGUMENT... - apt-get or apt-cache for a system of AArch64 that has no package yet. It changes this
# machine nowhere else.
apt_arm64() {
	tool=$1
	shift
	"$tool" -q -o Dir::State="$state" -o Dir::State::status="$state/status" -o Dir::Cache="$state" \
		-o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User="$(id -un)" "$@"
}

if [ ! -e "$root/.complete" ]; then
	say "unpacking the libraries into $root"
	mkdir -p "$root" "$state/lists/partial" "$state/archives/partial"
	: >"$state/status"
	apt_arm64 apt-get update
	# shellcheck disable=SC2086
	apt_arm64 apt-get -y --download-only --no-install-recommends install $libraries
	for package in "$state"/archives/*.deb; do
		dpkg -x "$package" "$root"
	done
	touch "$root/.complete"
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

# run_tests ARGUMENT... - ctest, where the kernel starts programs of AArch64 by qemu-user. If it does not yet, this
# process gets an entry of its own for them, which Linux has from 6.7 on.
run_tests() {
	export QEMU_LD_PREFIX="$root"
	if [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]; then
		exec ctest --preset arm64 "$@"
	fi
	# shellcheck disable=SC2016
	exec unshare --user --map-root-user --mount sh -c '
		mount -t binfmt_misc none /proc/sys/fs/binfmt_misc || exit 1
		head="\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\xb7\\x00"
		mask="\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfe\\xff\\xff\\xff"
		printf %s ":qemu-aarch64:M::$head:$mask:$(command -v qemu-aarch64-static):PF" \
			>/proc/sys/fs/binfmt_misc/register || exit 1
		exec ctest --preset arm64 "$@"' sh "$@"
}

preset=arm64
case ${1:-} in
--guest)
	get_guest
	exit
	;;
--test)
	shift
	run_tests "$@"
	;;
--clang)
	preset=arm64-clang
	shift
	;;
esac

say "building for AArch64"
cmake --preset $preset
if [ $# -eq 0 ]; then
	set -- all
fi
cmake --build build/$preset --parallel "$jobs" --target "$@"
