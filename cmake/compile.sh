#!/bin/sh
# SPDX-License-Identifier: MIT
# compile.sh TOP CCACHE COMPILER ARGUMENT... - compiles by ccache so that the same commit in two folders is compiled once. CMake
# writes each path below TOP, the top of the tree, from the root on. ccache makes paths of the command relative, but not those of
# clang's precompiled headers and not those in the files that include a room; this script does.
top=$1
shift
export CCACHE_BASEDIR="$top" CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros

# climb FOLDER - prints the way from it up to the top: ../ for each step.
climb() {
	rest=${1#"$top"/}/
	while [ -n "$rest" ]; do
		rest=${rest#*/}
		printf ../
	done
}

here=$(pwd -P)
case $here in
"$top"/*) up=$(climb "$here") ;;
*) exec "$@" ;;
esac
for argument; do
	shift
	case $argument in
	"$top"/*/Unity/unity_*.cxx)
		sed "s|\"$top/|\"$(climb "${argument%/*}")|" "$argument" >"$argument.relative.cpp"
		set -- "$@" "$up${argument#"$top"/}.relative.cpp"
		;;
	"$top"/*) set -- "$@" "$up${argument#"$top"/}" ;;
	*) set -- "$@" "$argument" ;;
	esac
done
exec "$@"
