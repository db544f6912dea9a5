#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the fuzz targets, which are part of the asan build, and runs each for a while. What reached
# something new is merged into the corpus, tests/fuzz/corpus.
#
#	scripts/fuzz.sh				each target for 5 minutes
#	scripts/fuzz.sh --seconds 60		for so long
#	scripts/fuzz.sh --runs 10000000		until it has run so many inputs
#	scripts/fuzz.sh --runs 1000000 graph	this target: packets, mailbox, graph, calls
. "$(dirname "$0")/common.sh"

limit='--seconds 300'
case ${1:-} in
--seconds | --runs)
	limit="$1 ${2:?how many}"
	shift 2
	;;
-*)
	sed -n '3,9s/^#[ \t]\{0,1\}//p' scripts/fuzz.sh
	exit 2
	;;
esac
[ $# -gt 0 ] || set -- packets mailbox graph calls

need build test
cmake --preset asan -DUNPU_TESTS=ON
for target; do
	cmake --build build/asan -j "$jobs" --target "unpu_fuzz_$target"
	# shellcheck disable=SC2086
	python3 -B tests/fuzz/run_fuzz.py "build/asan/bin/unpu_fuzz_$target" $limit --keep \
		--jobs "$jobs"
done
