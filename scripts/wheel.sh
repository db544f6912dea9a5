#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes two wheels for pip, without a network: unpu, with the libraries, the firmware, the package and the module acl in
# a folder of its own, and unpu_acl, which puts that folder on the path of Python ("pip install unpu[acl]").
#
#	scripts/wheel.sh			into build/wheel, of the preset unity
#	scripts/wheel.sh BUILD FOLDER		of what is built in BUILD, into FOLDER
. "$(dirname "$0")/common.sh"

case ${1:-} in
-h | --help) usage ;;
-*) usage "there is no option $1" ;;
esac
build=${1:-build/unity}
folder=${2:-build/wheel}
if [ $# -eq 0 ]; then
	need build
	say "building $build, which takes two to seven minutes on two cores"
	configure unity
	cmake --build "$build" -j "$jobs"
fi

mkdir -p "$folder"
toolkit=$(mktemp -d)
trap 'rm -rf "$toolkit"' EXIT
cmake --install "$build" --prefix "$toolkit" --strip >"$toolkit/install.log"
/usr/bin/python3 -B scripts/wheel.py "$toolkit" "$folder"
