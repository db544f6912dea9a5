#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh SOURCE PREFIX: builds unpu from a checkout and installs the toolkit to PREFIX. Where the toolkit is there
# already, as from a cache of the CI service, nothing is built.
#
# On Debian and Ubuntu it installs the packages that the build needs, where it may. UNPU_CMAKE_OPTIONS is given to cmake.
set -eu

if [ $# -ne 2 ]; then
	echo "usage: install.sh SOURCE PREFIX" >&2
	exit 2
fi
source=$(cd "$1" && pwd)
prefix=$2
if [ -e "$prefix/lib64/libunpu.so" ] && [ -z "${UNPU_REBUILD:-}" ]; then
	echo "install.sh: $prefix has a toolkit"
	exit 0
fi

if command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ]; then
	wanted=
	for package in $(awk '!/^#/ && index("," $2 ",", ",build,") { print $1 }' "$source/scripts/packages.txt"); do
		case $package in
		# The default compilers do; only the presets name these.
		gcc-12 | g++-12 | libbenchmark-dev) continue ;;
		esac
		dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed$' || wanted="$wanted $package"
	done
	if [ -n "$wanted" ]; then
		apt-get update -q
		# shellcheck disable=SC2086
		DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $wanted
	fi
fi

build=${UNPU_BUILD:-$prefix.build}
# shellcheck disable=SC2086
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DUNPU_TESTS=OFF -DUNPU_BENCH=OFF \
	-DUNPU_UNITY=ON -DUNPU_PRECOMPILE=ON ${UNPU_CMAKE_OPTIONS:-}
cmake --build "$build"
cmake --install "$build" --prefix "$prefix" >"$build/install.log"
echo "install.sh: the toolkit is in $prefix"
