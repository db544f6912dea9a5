#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the toolkit as it is installed and measures it beside the machine's limits and beside its peers. Writes
# bench-result/result.json, result.csv and report.html. Arguments go to bench/run.py: --quick, --rounds N, --out DIR,
# --only PART. With --help or --redraw RESULT it builds nothing. --collectives as the first argument: measures ranks that
# are processes, in one network and in two, beside Open MPI, MPICH and Gloo instead; arguments go to both scripts, as
# --rounds N or --ranks N.

. "$(dirname "$0")/common.sh"

case " $* " in
*" --help "* | *" -h "* | *" --redraw "* | *" --redraw="*) exec python3 -B bench/run.py "$@" ;;
esac
if [ "${1-}" = --collectives ]; then
	shift
	need build bench
	say "building the toolkit and the rivals"
	cmake --preset bench
	cmake --build build/bench --parallel "$jobs" --target firmware-sim bench_far_rank hccl
	say "measuring"
	python3 -B bench/processes.py build/bench --rounds 3 "$@"
	exec python3 -B bench/networks.py build/bench --rounds 3 "$@"
fi
# Before minutes of work, not after them; but a bare system has no python3.
command -v python3 >/dev/null || need build bench
python3 -B bench/run.py --build build/bench --parse "$@"
need build bench
say "building the toolkit and the benches"
configure bench
cmake --build build/bench --parallel "$jobs"
say "measuring"
exec python3 -B bench/run.py --build build/bench "$@"
