#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the project for a chip and a run mode, installs it beside the sources, and runs it on new data.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build_type=Debug
prefix=$here/out
mode=npu
chip=Ascend310P3
read_words=$(getopt -a --options r:,v:,i:,b:,p: \
	--longoptions run-mode:,soc-version:,install-path:,build-type:,install-prefix: -- "$@") || exit 1
eval set -- "$read_words"
while :; do
	case "$1" in
	-r | --run-mode) mode=$2; shift 2 ;;
	-v | --soc-version) chip=$2; shift 2 ;;
	-i | --install-path) toolkit=$2; shift 2 ;;
	-b | --build-type) build_type=$2; shift 2 ;;
	-p | --install-prefix) prefix=$2; shift 2 ;;
	--) break ;;
	esac
done
case " npu cpu sim " in
*" $mode "*) ;;
*) echo "the run mode is npu, cpu or sim" >&2; exit 1 ;;
esac
if [ -z "$toolkit" ]; then
	toolkit=${ASCEND_INSTALL_PATH:-${ASCEND_HOME_PATH:-$HOME/Ascend/ascend-toolkit/latest}}
fi
export ASCEND_TOOLKIT_HOME=$toolkit
export ASCEND_HOME_PATH=$toolkit
. "$toolkit/bin/setenv.bash"
if [ "$mode" = npu ]; then
	export LD_LIBRARY_PATH=$toolkit/runtime/lib64:$LD_LIBRARY_PATH
else
	export LD_LIBRARY_PATH=$toolkit/tools/simulator/$chip/lib:$LD_LIBRARY_PATH
	[ "$mode" = sim ] || export LD_LIBRARY_PATH=$toolkit/tools/tikicpulib/lib:$toolkit/tools/tikicpulib/lib/$chip:$LD_LIBRARY_PATH
fi
set -e
cd "$here"
rm -rf build out
cmake -B build -DRUN_MODE="$mode" -DSOC_VERSION="$chip" -DCMAKE_BUILD_TYPE="$build_type" \
	-DCMAKE_INSTALL_PREFIX="$prefix" -DASCEND_CANN_PACKAGE_PATH="$toolkit"
cmake --build build -j
cmake --install build
rm -f layout_main
cp ./out/bin/layout_main ./
rm -rf input output
mkdir -p input output
python3 gen_data.py
(
	export LD_LIBRARY_PATH=$here/out/lib:$here/out/lib64:$toolkit/lib64:$LD_LIBRARY_PATH
	./layout_main
)
md5sum output/*.bin
python3 verify_result.py output/output_z.bin output/golden.bin
