#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs the suite through ctest: every test on what gcc makes for installing, the
# programs again by clang under the sanitizers. Lists what was skipped and why; ends with the sum of all
# runs, where a test that was skipped counts as such. The status is 0 when nothing failed.
#
#	scripts/test.sh			what CI runs: check, asan without the tests "again", and scripts/fresh.sh
#	scripts/test.sh fast		what one runs before each commit: the tests "fast" of a build in debug mode; the gates look
#					at what differs from the branch that this one left
#	scripts/test.sh check		every test but "full", on a release build in fewer units
#	scripts/test.sh full		what a release has to pass: all tests of check, asan and tsan, and scripts/fresh.sh --all
#	scripts/test.sh PRESET...	all tests of these: dev, release, clang, asan, tsan, quick
#
# --no-install lists the packages that are missing instead of installing them; --configure ends before the build.
#
# "again" are tests that run what others run in one more way, "full" those that take minutes.
. "$(dirname "$0")/common.sh"

configure_only=
for word; do
	shift
	case $word in
	--no-install) may_install= ;;
	--configure) configure_only=yes ;;
	fast | check | full | dev | release | clang | asan | tsan | quick) set -- "$@" "$word" ;;
	-h | --help) usage ;;
	*) usage "there is no tier, preset or option $word" ;;
	esac
done
# What ctest is not to run, in all presets and in asan; what it is to run; which targets are built for it; fresh.sh's words.
without='-LE full'
without_asan='-LE again|full'
only=
targets=all
fresh=
[ $# -le 1 ] || case " $* " in *" fast "* | *" full "*) usage "fast and full stand alone" ;; esac
case ${1:-} in
'')
	set -- check asan
	fresh=yes
	;;
fast)
	set -- quick
	only='-L fast'
	targets=unpu_fast
	export UNPU_GATES=changed
	;;
check) ;;
full)
	set -- check asan tsan
	without=
	without_asan=
	fresh=--all
	;;
*)
	without=
	without_asan=
	;;
esac

need build test
passed=0
failed=0
skipped=0
failures=$(mktemp)
compiled=$(mktemp)
trap 'rm -f "$failures" "$compiled"' EXIT
export CCACHE_STATSLOG="$compiled"

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
		/^Unable to find executable: / { print "failed: " $0 }
		/^Test Failed\.$/ {
			print "failed: " test
			for (i = lines > most ? lines - most : 0; i < lines; i++)
				print "    " line[i % most]
		}' "$1"
}

# run_preset PRESET - builds it and runs what there is to run in it.
run_preset() {
	say "$1: building build/$1"
	if ! configure "$1" -DUNPU_TESTS=ON; then
		echo "$1: it can't be configured"
		failed=$((failed + 1))
		return
	fi
	[ -z "$configure_only" ] || return 0
	if ! cmake --build "build/$1" -j "$jobs" --target "$targets"; then
		echo "$1: the build failed"
		failed=$((failed + 1))
		return
	fi
	case $1 in
	release | check | dev) words=$without ;;
	asan) words="-L run $without_asan" ;;
	*) words=${only:-"-L run $without"} ;;
	esac
	wrapper=
	[ "$1" != tsan ] || wrapper=$(without_aslr)
	say "$1: ctest $words"
	# shellcheck disable=SC2086
	{ $wrapper ctest --test-dir "build/$1" --output-on-failure --no-tests=error \
		-j $((jobs * 2)) $words || true; } 2>&1 | tee "build/$1/ctest.log"
	count "build/$1/ctest.log"
	tell_skipped "build/$1/Testing/Temporary/LastTest.log"
	{
		tell_failed "build/$1/Testing/Temporary/LastTest.log"
		sed -n '/^The following tests FAILED:$/,/^$/p' "build/$1/ctest.log"
	} >>"$failures"
}

# run_fresh WORD - the README's commands in a bare system.
run_fresh() {
	say "scripts/fresh.sh"
	status=0
	if [ "$1" = yes ]; then scripts/fresh.sh; else scripts/fresh.sh "$1"; fi || status=$?
	case $status in
	0) passed=$((passed + 1)) ;;
	77) skipped=$((skipped + 1)) ;;
	*)
		failed=$((failed + 1))
		echo "failed: scripts/fresh.sh" >>"$failures"
		;;
	esac
}

for preset; do
	run_preset "$preset"
done
[ -z "$fresh" ] || [ -n "$configure_only" ] || run_fresh "$fresh"

cat "$failures"
awk '/^(direct|preprocessed)_cache_hit$/ { found++; all++ } /^cache_miss$/ { all++ }
	END { if (all) printf "ccache: %d of %d units found, %.0f %%\n", found, all, 100 * found / all }' "$compiled"
[ -z "$configure_only" ] || { [ "$failed" -eq 0 ] && exit; }
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
