#!/bin/sh
# SPDX-License-Identifier: MIT
# compile.sh TOP CCACHE COMPILER ARGUMENT... - compiles by ccache so that the same commit in two folders is compiled once.
# CMake gives each path below TOP, the top of the tree, from the root on. ccache makes most of them relative itself, but not those
# of clang's precompiled headers; and a precompiled header that has such a path in it is good in its folder alone.
top=$1
export CCACHE_BASEDIR="$top" CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
here=$(pwd -P)
case $here/ in
"$top"/*) ;;
*)
	shift
	exec "$@"
	;;
esac
up=
rest=${here#"$top"}
while [ -n "$rest" ]; do
	rest=${rest%/*}
	up=../$up
done
shift
for argument; do
	shift
	case $argument in
	"$top"/*) set -- "$@" "$up${argument#"$top"/}" ;;
	*) set -- "$@" "$argument" ;;
	esac
done
exec "$@"
