#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds a release and measures it beside the machine's limits and beside its peers. Writes
# bench-result/result.json, result.csv and report.html. Arguments go to bench/run.py: --quick, --rounds N, --out DIR,
# --only PART. With --help or --redraw RESULT it builds nothing.

. "$(dirname "$0")/common.sh"

case " $* " in
*" --help "* | *" -h "* | *" --redraw "* | *" --redraw="*) exec python3 -B bench/run.py "$@" ;;
esac
# Before minutes of work, not after them.
python3 -B bench/run.py --build build/release --parse "$@"
need build bench
say "building a release"
cmake --preset release
cmake --build --preset release --parallel "$jobs" --target bench_latency bench_graph bench_scale bench_peers bench_operators firmware-sim
say "measuring"
exec python3 -B bench/run.py --build build/release "$@"
