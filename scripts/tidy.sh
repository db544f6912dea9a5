#!/bin/sh
# SPDX-License-Identifier: MIT
# clang-tidy over the layers, by the compile commands of build/clang.
. "$(dirname "$0")/common.sh"

need build test
[ -e build/clang/compile_commands.json ] || cmake --preset clang
find base san hal drv umd firmware_sim -name '*.cpp' |
	xargs -n 4 -P "$jobs" clang-tidy-14 --quiet -p build/clang
