#!/bin/sh
# SPDX-License-Identifier: MIT
# Brings the sources into the form that the gate "form" checks. The wire and the public C headers keep
# their hand-made tables.
. "$(dirname "$0")/common.sh"

find base san hal drv umd firmware_sim tests bench examples tools -name '*.cpp' -o -name '*.c' -o -name '*.h' |
	xargs clang-format-14 -i
