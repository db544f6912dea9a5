#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds Release, installs the toolkit into build/toolkit, and builds and runs the examples against it
# as a user would; then starts a firmware-sim and runs programs on it that share what they have.
. "$(dirname "$0")/common.sh"

need build
say "building build/release"
cmake --preset release -DUNPU_TESTS=OFF
cmake --build build/release -j "$jobs"

say "installing build/toolkit"
rm -rf build/toolkit
cmake --install build/release --prefix "$PWD/build/toolkit" >build/install.log
find build/toolkit -type f ! -path '*/include/*' | sort

say "building the examples with the toolkit alone"
T=$PWD/build/toolkit
mkdir -p build/demo
for source in examples/*.cpp examples/pair/*.cpp; do
	program=build/demo/$(basename "$source" .cpp)
	echo "g++ $source -o $program -I\$T/include -I\$T/include/aclnn -L\$T/lib64" \
		"-lascendcl -lnnopbase -lopapi -lunpu"
	g++ "$source" -o "$program" -I"$T/include" -I"$T/include/aclnn" -L"$T/lib64" \
		-lascendcl -lnnopbase -lopapi -lunpu
done

say ". build/toolkit/set_env.sh"
. build/toolkit/set_env.sh

failed=0
for source in examples/*.cpp; do
	name=$(basename "$source" .cpp)
	say "build/demo/$name"
	build/demo/"$name" >build/demo/"$name".out || failed=1
	cat build/demo/"$name".out
	diff "${source%.cpp}.expected" build/demo/"$name".out || failed=1
done

say "unpu-info"
unpu-info || failed=1

place=$(mktemp -d)
say "firmware-sim --listen $place/npu --devices 2 --memory 1G &"
firmware-sim --listen "$place/npu" --devices 2 --memory 1G &
firmware=$!
trap 'kill "$firmware" 2>/dev/null || true; rm -rf "$place"' EXIT
tries=0
while [ ! -S "$place/npu" ] && [ "$tries" -lt 100 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
export UNPU_DEVICE="unix:$place/npu"

say "build/demo/producer & build/demo/consumer"
build/demo/producer "$place" >build/demo/producer.out &
producer=$!
build/demo/consumer "$place" >build/demo/consumer.out || failed=1
wait "$producer" || failed=1
for name in producer consumer; do
	cat build/demo/"$name".out
	diff examples/pair/"$name".expected build/demo/"$name".out || failed=1
done

say "unpu-info with UNPU_DEVICE=$UNPU_DEVICE"
unpu-info || failed=1

say "kill $firmware"
kill "$firmware"
wait "$firmware" || failed=1
[ ! -e "$place/npu" ] || failed=1
exit "$failed"
