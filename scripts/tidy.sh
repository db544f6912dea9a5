#!/bin/sh
# SPDX-License-Identifier: MIT
# clang-tidy over the layers, by the compile commands of build/clang.
. "$(dirname "$0")/common.sh"

need build test
# If clang-tidy can't read .clang-tidy, it says so, runs its default checks and ends with 0.
if clang-tidy-14 --dump-config -- 2>&1 | grep 'Error parsing'; then
	exit 1
fi
[ -e build/clang/compile_commands.json ] || cmake --preset clang
find base san hal drv umd firmware_sim -name '*.cpp' |
	xargs -n 4 -P "$jobs" clang-tidy-14 --quiet -p build/clang
