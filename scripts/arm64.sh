#!/bin/sh
# SPDX-License-Identifier: MIT
# Gets what the preset arm64 needs: Debian's cross compiler and qemu-user, which are installed, and the libraries for
# AArch64, which are unpacked into build/arm64-root. No package of this machine is replaced, and no second architecture
# is added to it. Then it configures and builds what its arguments name:
#	scripts/arm64.sh            # everything
#	scripts/arm64.sh unpu_unit  # one target and what it needs
. "$(dirname "$0")/common.sh"

need arm64
root=$PWD/build/arm64-root
state=$PWD/build/arm64-apt
libraries='libnuma-dev libhwy-dev libdnnl-dev libfmt-dev nlohmann-json3-dev libcli11-dev liburing-dev libspdlog-dev
	libseccomp-dev libdw-dev libgtest-dev libgmock-dev'

# apt_arm64 ARGUMENT... - apt-get for a system of AArch64 that has no package yet. It changes this machine nowhere
# else.
apt_arm64() {
	apt-get -q -o Dir::State="$state" -o Dir::State::status="$state/status" -o Dir::Cache="$state" \
		-o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User="$(id -un)" "$@"
}

if [ ! -e "$root/.complete" ]; then
	say "unpacking the libraries into $root"
	mkdir -p "$root" "$state/lists/partial" "$state/archives/partial"
	: >"$state/status"
	apt_arm64 update
	# shellcheck disable=SC2086
	apt_arm64 -y --download-only --no-install-recommends install $libraries
	for package in "$state"/archives/*.deb; do
		dpkg -x "$package" "$root"
	done
	touch "$root/.complete"
fi

say "building for AArch64"
cmake --preset arm64
if [ $# -eq 0 ]; then
	set -- all
fi
cmake --build build/arm64 --parallel "$jobs" --target "$@"
