#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs the suite through ctest: every test on what gcc makes for installing, the
# programs again by clang under the sanitizers. Lists what was skipped and why; ends with the sum of all
# runs, where a test that was skipped counts as such. The status is 0 when nothing failed.
#
#	scripts/test.sh			check, a release build in fewer units, and asan without the tests
#					"again", which run what others run in one more way; both without
#					the tests "full", which take minutes
#	scripts/test.sh --quick		check alone
#	scripts/test.sh --full		all tests of both, and tsan as well
#	scripts/test.sh PRESET...	these: dev, release, check, clang, asan, tsan, quick
. "$(dirname "$0")/common.sh"

# What ctest is not to run, in all presets and in asan.
without='-LE full'
without_asan='-LE again|full'
case ${1:-} in
'') set -- check asan ;;
--quick) set -- check ;;
--full | [!-]*)
	without=
	without_asan=
	[ "$1" != --full ] || set -- check asan tsan
	;;
*)
	sed -n '3,13s/^#[ \t]\{0,1\}//p' scripts/test.sh
	exit 2
	;;
esac

need build test
passed=0
failed=0
skipped=0
failures=$(mktemp)
trap 'rm -f "$failures"' EXIT

# without_aslr - prints how to run a program whose sanitizer can't stand a wide random address space.
without_aslr() {
	if setarch -R true 2>/dev/null; then
		echo setarch -R
	fi
}

# count LOG - adds ctest's closing line to the sum. Skipped tests are among those that it calls passed.
count() {
	line=$(grep -E '^[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+' "$1" | tail -n 1)
	if [ -z "$line" ]; then
		failed=$((failed + 1))
		return
	fi
	bad=$(echo "$line" | sed -E 's/.*, ([0-9]+) tests failed.*/\1/')
	all=$(echo "$line" | sed -E 's/.*out of ([0-9]+).*/\1/')
	left_out=$(grep -c -E '^ *[0-9]+/[0-9]+ Test +#[0-9]+: .*\*\*\*Skipped' "$1" || true)
	passed=$((passed + all - bad - left_out))
	failed=$((failed + bad))
	skipped=$((skipped + left_out))
}

# tell_skipped LOG - prints how many tests, and cases in them, left themselves out for each reason, and the
# name of one. A test that skips itself prints a line "skipped: REASON" and exits with 77.
tell_skipped() {
	awk '/^[0-9]+\/[0-9]+ Testing: / { test = $3 }
		function skip(name, why) { count[why]++; names[why] = name }
		/^skipped: / { skip(test, substr($0, 10)) }
		/: Skipped$/ { getline why }
		# A case that runs in a process of its own is skipped there and here.
		/^\[  SKIPPED \] .* ms\)$/ && !told[test, $4]++ { skip($4, why) }
		END { for (why in count) print "skipped: " count[why] ", as " names[why] ": " why }' "$1" | sort
}

# tell_failed LOG - prints the end of what each failing test said, so that a log which is read from its end has it.
tell_failed() {
	awk -v most=40 '/^[0-9]+\/[0-9]+ Testing: / { test = $3; lines = 0 }
		{ line[lines++ % most] = $0 }
		/^Test Failed\.$/ {
			print "failed: " test
			for (i = lines > most ? lines - most : 0; i < lines; i++)
				print "    " line[i % most]
		}' "$1"
}

# run_preset PRESET - builds it and runs what there is to run in it.
run_preset() {
	say "$1: building build/$1"
	if ! cmake --preset "$1" -DUNPU_TESTS=ON || ! cmake --build "build/$1" -j "$jobs"; then
		echo "$1: the build failed"
		failed=$((failed + 1))
		return
	fi
	case $1 in
	release | check | dev) only=$without ;;
	asan) only="-L run $without_asan" ;;
	*) only="-L run $without" ;;
	esac
	wrapper=
	[ "$1" != tsan ] || wrapper=$(without_aslr)
	say "$1: ctest $only"
	# shellcheck disable=SC2086
	{ $wrapper ctest --test-dir "build/$1" --output-on-failure --no-tests=error \
		-j $((jobs * 2)) $only || true; } 2>&1 | tee "build/$1/ctest.log"
	count "build/$1/ctest.log"
	tell_skipped "build/$1/Testing/Temporary/LastTest.log"
	tell_failed "build/$1/Testing/Temporary/LastTest.log" >>"$failures"
}

for preset; do
	run_preset "$preset"
done

cat "$failures"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
