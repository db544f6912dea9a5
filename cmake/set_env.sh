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
	export ASCEND_TOOLKIT_HOME ASCEND_HOME_PATH ASCEND_INSTALL_PATH
	case ":${LD_LIBRARY_PATH:-}:" in
	*":$unpu_toolkit_/lib64:"*) ;;
	*) LD_LIBRARY_PATH=$unpu_toolkit_/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ;;
	esac
	if [ "${1:-}" = --cuda ] || [ -n "${UNPU_CUDA:-}" ]; then
		case ":$LD_LIBRARY_PATH:" in
		*":$unpu_toolkit_/lib64/cuda:"*) ;;
		*) LD_LIBRARY_PATH=$unpu_toolkit_/lib64/cuda:$LD_LIBRARY_PATH ;;
		esac
	fi
	export LD_LIBRARY_PATH
	case ":${PATH:-}:" in
	*":$unpu_toolkit_/bin:"*) ;;
	*) PATH=$unpu_toolkit_/bin${PATH:+:$PATH} ;;
	esac
	export PATH
	if [ -d "$unpu_toolkit_/python/site-packages" ]; then
		case ":${PYTHONPATH:-}:" in
		*":$unpu_toolkit_/python/site-packages:"*) ;;
		*) PYTHONPATH=$unpu_toolkit_/python/site-packages${PYTHONPATH:+:$PYTHONPATH} ;;
		esac
		export PYTHONPATH
	fi
	unset unpu_toolkit_
else
	echo "set_env.sh: no toolkit in '$unpu_toolkit_', the folder that this shell names; source it from bash" >&2
	unset unpu_toolkit_
	false
fi
