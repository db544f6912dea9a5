#!/bin/sh
# SPDX-License-Identifier: MIT
# compile.sh TOP CCACHE COMPILER ARGUMENT... - compiles by ccache so that the same commit in two folders is compiled once. CMake
# writes each path below TOP, the top of the tree, from the root on. ccache makes paths of the command relative, but not those of
# clang's precompiled headers and not those in the files that include a room; this script does. A precompiled header of clang
# names its folder by the whole path, so each tree makes its own, and ccache knows it by the sum of what was precompiled.
top=$1
shift
export CCACHE_BASEDIR="$top" CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1

# The folder as sed takes it.
pattern=$(echo "$top" | sed 's/[][\.*^$|]/\\&/g')

# climb FOLDER - prints the way from it up to the top: ../ for each step.
climb() {
	rest=${1#"$top"/}/
	while [ -n "$rest" ]; do
		rest=${rest#*/}
		printf ../
	done
}

# precompile COMPILER ARGUMENT... - writes the header, and beside it the sum of these words and of each file that it includes.
precompile() {
	"$@" || exit
	words="$*"
	while [ "$1" != -MF ]; do shift; done
	# shellcheck disable=SC2046
	{ echo "$words" | sed "s|$pattern||g" && sha256sum $(sed 's/^[^:]*://; s/\\$//' "$2"); } | sha256sum >"${2%.d}.sum"
}

here=$(pwd -P)
case $here in
# ccache looks for variables in the names of folders.
*\$*)
	shift
	exec "$@"
	;;
"$top"/*) up=$(climb "$here") ;;
*) exec "$@" ;;
esac
for argument; do
	shift
	case $argument in
	"$top"/*/Unity/unity_*.cxx)
		sed "s|\"$pattern/|\"$(climb "${argument%/*}")|" "$argument" >"$argument.relative.cpp" || exit
		set -- "$@" "$up${argument#"$top"/}.relative.cpp"
		;;
	"$top"/*) set -- "$@" "$up${argument#"$top"/}" ;;
	*) set -- "$@" "$argument" ;;
	esac
done
case " $* " in
*" -emit-pch "*)
	shift
	precompile "$@"
	;;
*) exec "$@" ;;
esac
