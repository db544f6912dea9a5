#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the preset unity, first what the README's program needs, and runs it; installs the toolkit into build/toolkit, and builds
# and runs the examples against it as a user would; then starts a firmware-sim and runs programs on it that share what they have.
#
#	scripts/demo.sh			all of it
#	scripts/demo.sh BUILD PLACE	with what is built in BUILD, as two folders in PLACE
#	scripts/demo.sh --no-install	lists the packages that are missing instead of installing them
. "$(dirname "$0")/common.sh"

# The examples say themselves which device they need.
unset UNPU_DEVICE UNPU_CHECK
case ${1:-} in
--no-install)
	may_install=
	shift
	;;
-h | --help) usage ;;
-*) usage "there is no option $1" ;;
esac
[ $# -le 2 ] || usage "$# words are too many"
build=${1:-build/unity}
place=${2:-build}
if [ $# -eq 0 ]; then
	need build
	configure unity
	say "building the libraries of the README's program and of the first example"
	cmake --build "$build" -j "$jobs" --target ascendcl nnopbase opapi unpu
	fences c++ >"$build/prog.cpp"
	for source in "$build/prog.cpp" examples/stream_sync.cpp; do
		say "$source, compiled and run"
		g++ "$source" -o "$build/first" -I"$build/include" -I"$build/include/aclnn" -L"$build/lib64" -lascendcl -lnnopbase -lopapi
		LD_LIBRARY_PATH=$build/lib64 "$build/first"
	done
	say "building the rest: operators, the compiler of kernels, the tools"
	cmake --build "$build" -j "$jobs"
elif [ ! -f "$build/cmake_install.cmake" ]; then
	usage "$build: there is no build of unpu"
fi

mkdir -p "$place/demo"
place=$(cd "$place" && pwd)
demo=$place/demo
T=$place/toolkit
say "installing $T"
rm -rf "$T"
cmake --install "$build" --prefix "$T" >"$demo/install.log"
(cd "$T" && find . -type f ! -path './include/*' | sort)

if [ -d "$T/share/doc/unpu/html" ]; then
	say "the book"
	python3 -B debian/tests/book "$T/share/doc/unpu/html"
fi

say "building the examples with the toolkit alone"
for source in examples/*.cpp examples/classify/*.cpp examples/pair/*.cpp 'examples/decoder/*.cpp'; do
	program=$(basename "$source" .cpp)
	[ "$source" = "${source%\*.cpp}" ] || program=decoder
	echo "g++ $source -o \"\$demo/$program\" -I\"\$T/include\" -I\"\$T/include/aclnn\" -L\"\$T/lib64\" -lascendcl -lnnopbase -lopapi -lunpu"
done >"$demo/commands"
export T demo
cat "$demo/commands"
tr '\n' '\0' <"$demo/commands" | xargs -0 -n 1 -P "$jobs" sh -c

say ". $T/set_env.sh"
. "$T/set_env.sh"

failed=0
for source in examples/*.cpp; do
	name=$(basename "$source" .cpp)
	say "$name"
	"$demo/$name" >"$demo/$name.out" || failed=1
	cat "$demo/$name.out"
	diff "${source%.cpp}.expected" "$demo/$name.out" || failed=1
done

say "a model: atc --model=classify.onnx --framework=5 --soc_version=Ascend310P3 --output=classify"
python3 -B examples/classify/make_model.py "$demo"
(cd "$demo" && atc --model=classify.onnx --framework=5 --soc_version=Ascend310P3 --output=classify) || failed=1
# classify PROGRAM... - runs it with the model and a picture.
classify() {
	say "$* classify.om picture.ppm"
	"$@" "$demo/classify.om" "$demo/picture.ppm" >"$demo/classify.out" || failed=1
	cat "$demo/classify.out"
	diff examples/classify/classify.expected "$demo/classify.out" || failed=1
}
classify "$demo/classify"
[ ! -d "$T/python/site-packages" ] || classify python3 -B examples/classify/classify.py

say "decoder --time"
"$demo/decoder" --time || failed=1

say "unpu-info"
unpu-info || failed=1

shared=$(mktemp -d)
say "firmware-sim --listen $shared/npu --devices 2 --memory 1G &"
firmware-sim --listen "$shared/npu" --devices 2 --memory 1G &
firmware=$!
trap 'kill "$firmware" 2>/dev/null || true; rm -rf "$shared"' EXIT
# dash runs that only where the script ends by itself.
trap 'exit 143' HUP INT TERM
tries=0
while [ ! -S "$shared/npu" ] && [ "$tries" -lt 100 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
export UNPU_DEVICE="unix:$shared/npu"

say "producer & consumer"
"$demo/producer" "$shared" >"$demo/producer.out" &
producer=$!
"$demo/consumer" "$shared" >"$demo/consumer.out" || failed=1
wait "$producer" || failed=1
for name in producer consumer; do
	cat "$demo/$name.out"
	diff examples/pair/"$name".expected "$demo/$name.out" || failed=1
done

say "unpu-info with UNPU_DEVICE=$UNPU_DEVICE"
unpu-info || failed=1

say "kill $firmware"
kill "$firmware"
wait "$firmware" || failed=1
[ ! -e "$shared/npu" ] || failed=1
exit "$failed"
