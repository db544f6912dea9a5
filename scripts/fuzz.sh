#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the fuzz targets, which are part of the asan build, and runs each for a while. What reached
# something new is merged into the corpus, tests/adversarial/fuzz/corpus.
#
#	scripts/fuzz.sh				each target for 5 minutes
#	scripts/fuzz.sh --seconds 60		for so long
#	scripts/fuzz.sh --runs 10000000		until it has run so many inputs
#	scripts/fuzz.sh --runs 1000000 graph	this target: packets, mailbox, graph, operators, san, hccl, json, images,
#						worker, models, sockets, calls
#	scripts/fuzz.sh --fast ...		optimised and without sanitizers: many more inputs
. "$(dirname "$0")/common.sh"

preset=asan
limit='--seconds 300'
while :; do
	case ${1:-} in
	--fast)
		preset=fuzz
		shift
		;;
	--seconds | --runs)
		limit="$1 ${2:?how many}"
		shift 2
		;;
	-h | --help) usage ;;
	-*) usage "there is no option $1" ;;
	*)
		break
		;;
	esac
done
[ $# -gt 0 ] || set -- packets mailbox graph operators san hccl json images worker models sockets calls

need build test
configure "$preset" -DUNPU_TESTS=ON
for target; do
	cmake --build "build/$preset" -j "$jobs" --target "unpu_fuzz_$target"
	# shellcheck disable=SC2086
	python3 -B tests/adversarial/fuzz/run_fuzz.py "build/$preset/bin/unpu_fuzz_$target" $limit --keep \
		--jobs "$jobs"
done
