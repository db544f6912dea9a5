# SPDX-License-Identifier: MIT
# To be sourced: ". <toolkit>/set_env.sh", by bash or any POSIX shell, from any folder. With --cuda (or
# UNPU_CUDA=1 in the environment, for shells that hand no arguments to sourced scripts) programs find
# libcuda.so.1 here too; without it the machine's own stays what it is.
#
# bash and zsh tell a sourced script where it is. dash and other shells do not, but they keep the file open while they
# read it; where a shell does not, the script refuses, so that no other toolkit is taken for this one.

unpu_toolkit_=
if [ -n "${BASH_SOURCE:-}" ]; then
	unpu_toolkit_=$(CDPATH='' cd -- "$(dirname -- "$BASH_SOURCE")" && pwd)
elif [ -n "${ZSH_VERSION:-}" ]; then
	eval 'unpu_toolkit_=${${(%):-%x}:A:h}'
else
	read -r unpu_process_ unpu_file_ </proc/self/stat
	for unpu_file_ in "/proc/$unpu_process_/fd"/*; do
		unpu_file_=$(readlink "$unpu_file_" || true)
		case $unpu_file_ in
		*/set_env.sh) unpu_toolkit_=${unpu_file_%/*} ;;
		esac
	done
	unset unpu_process_ unpu_file_
fi

if [ -e "$unpu_toolkit_/lib64/libunpu.so.0" ]; then
	# Programs' build scripts know the toolkit by one of these names.
	ASCEND_TOOLKIT_HOME=$unpu_toolkit_
	ASCEND_HOME_PATH=$unpu_toolkit_
	ASCEND_INSTALL_PATH=$unpu_toolkit_
	# Older ones, and their samples, by these: the folder of headers, that of libraries, that of operators.
	DDK_PATH=$unpu_toolkit_
	NPU_HOST_LIB=$unpu_toolkit_/lib64
	ASCEND_OPP_PATH=$unpu_toolkit_/opp
	ASCEND_AICPU_PATH=$unpu_toolkit_
	export ASCEND_TOOLKIT_HOME ASCEND_HOME_PATH ASCEND_INSTALL_PATH
	export DDK_PATH NPU_HOST_LIB ASCEND_OPP_PATH ASCEND_AICPU_PATH
	# unpu_prepend_ VARIABLE FOLDER - puts the folder first in a list that programs look through, once.
	unpu_prepend_() {
		eval "unpu_list_=\${$1:-}"
		case ":$unpu_list_:" in
		*":$2:"*) ;;
		*) eval "export $1=\"\$2\${unpu_list_:+:\$unpu_list_}\"" ;;
		esac
		unset unpu_list_
	}
	unpu_prepend_ LD_LIBRARY_PATH "$unpu_toolkit_/lib64"
	if [ "${1:-}" = --cuda ] || [ -n "${UNPU_CUDA:-}" ]; then
		unpu_prepend_ LD_LIBRARY_PATH "$unpu_toolkit_/lib64/cuda"
	fi
	unpu_prepend_ PATH "$unpu_toolkit_/bin"
	if [ -d "$unpu_toolkit_/lib64/pkgconfig" ]; then
		unpu_prepend_ PKG_CONFIG_PATH "$unpu_toolkit_/lib64/pkgconfig"
		unpu_prepend_ CMAKE_PREFIX_PATH "$unpu_toolkit_"
		# Build scripts of samples name this folder themselves, but not where the variable is set.
		unpu_prepend_ CMAKE_PREFIX_PATH "$unpu_toolkit_/tools/tikicpulib/lib/cmake"
	fi
	if [ -d "$unpu_toolkit_/python/site-packages" ]; then
		unpu_prepend_ PYTHONPATH "$unpu_toolkit_/python/site-packages"
	fi
	unset -f unpu_prepend_
	unset unpu_toolkit_
else
	echo "set_env.sh: no toolkit in '$unpu_toolkit_', the folder that this shell names; source it from bash" >&2
	unset unpu_toolkit_
	false
fi
