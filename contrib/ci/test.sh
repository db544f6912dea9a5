#!/bin/sh
# SPDX-License-Identifier: MIT
# test.sh PREFIX COMMAND...: runs a command, as ctest or pytest, with the toolkit in PREFIX. README.md lists the settings.
# Ends as the command does, and with 1 when unpu-san found something.
set -eu

if [ $# -lt 2 ]; then
	echo "usage: test.sh PREFIX COMMAND...; the command is missing" >&2
	exit 2
fi
prefix=$1
shift
. "$prefix/set_env.sh"
export UNPU_CHECK="${UNPU_CHECK:-error}" UNPU_LOG_ERRORS="${UNPU_LOG_ERRORS:-1}"
unpu doctor || echo "test.sh: the machine lacks something; the tests run all the same" >&2
"$@"
if [ -n "${UNPU_CI_SAN:-}" ]; then
	echo "test.sh: once more under unpu-san"
	set -- --reports "${UNPU_CI_REPORTS:-unpu-san}" -- "$@"
	if [ -n "${UNPU_CI_SUPPRESSIONS:-}" ]; then
		set -- --suppressions "$UNPU_CI_SUPPRESSIONS" "$@"
	fi
	if [ -n "${UNPU_CI_BASELINE:-}" ]; then
		set -- --baseline "$UNPU_CI_BASELINE" "$@"
	fi
	unpu-san run "$@"
fi
