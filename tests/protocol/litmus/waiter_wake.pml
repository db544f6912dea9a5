/* SPDX-License-Identifier: MIT */
/*
 * DOC: D2, model-checked
 *
 * A waiter (sleep_until() in hal/wait.cpp) and the device that signals (fw::Semaphores' publish()).
 * The word of sleepers is the value the waiter wants, 0 while it wants none. A waiter that sleeps on
 * a value that has passed is a state in which nothing can move. Store
 * buffers and fences as in sleep_wake.pml; the device has the light fence here.
 */
/* MUTANT: NO_LIGHT_FENCE_AT_SIGNAL */
/* MUTANT: NO_HEAVY_FENCE_AT_WAIT */
/* MUTANT: NO_VALUE_CHECK_IN_FUTEX */
/* MUTANT: LOOK_BEFORE_SLEEPERS */
/* MUTANT: NO_MEMBARRIER_BUT_LIGHT_FENCES */
/* MUTANT: WAKES_PAST_WHAT_IS_WANTED */

#define ROUNDS 3

#define VALUE 0
#define SLEEPERS 1

byte memory[2];
bool in_futex;
bool membarrier;
chan waiter_stores = [3] of { byte, byte };
chan device_stores = [3] of { byte, byte };

inline drain(stores)
{
	do
	:: stores?where, what -> memory[where] = what
	:: empty(stores) -> break
	od
}

inline light_fence()
{
	atomic {
		if
		:: membarrier -> skip
		:: else -> drain(device_stores)
		fi
	}
}

inline heavy_fence()
{
	atomic {
#ifndef NO_MEMBARRIER_BUT_LIGHT_FENCES
		if
		:: membarrier -> drain(device_stores)
		:: else -> skip
		fi;
#endif
		drain(waiter_stores)
	}
}

proctype buffers()
{
	byte where, what;
end:
	do
	:: atomic { waiter_stores?where, what -> memory[where] = what }
	:: atomic { device_stores?where, what -> memory[where] = what }
	od
}

proctype device()
{
	byte where, what, value;
	do
	:: value == ROUNDS -> break
	:: value < ROUNDS ->
		value++;
		device_stores!VALUE, value;
#ifndef NO_LIGHT_FENCE_AT_SIGNAL
		light_fence();
#endif
		if
#ifdef WAKES_PAST_WHAT_IS_WANTED
		:: memory[SLEEPERS] != 0 && value > memory[SLEEPERS] ->
#else
		:: memory[SLEEPERS] != 0 && value >= memory[SLEEPERS] ->
#endif
			/* The kernel takes a lock, so the store is out when it looks for sleepers. */
			atomic { drain(device_stores); in_futex = false }
		:: else
		fi
	od
}

/* It waits for any value that is to come, not only for the next one. */
proctype waiter()
{
	byte where, what, seen, wanted;
	do
	:: wanted == ROUNDS -> break
	:: wanted < ROUNDS ->
		if
		:: wanted++
		:: wanted + 1 < ROUNDS -> wanted = wanted + 2
		fi;
#ifdef LOOK_BEFORE_SLEEPERS
		seen = memory[VALUE];
#endif
		waiter_stores!SLEEPERS, wanted;
#ifndef NO_HEAVY_FENCE_AT_WAIT
		heavy_fence();
#endif
again:
#ifndef LOOK_BEFORE_SLEEPERS
		seen = memory[VALUE];
#endif
		if
		:: seen < wanted ->
			atomic {
				drain(waiter_stores);
#if defined(NO_VALUE_CHECK_IN_FUTEX) || defined(LOOK_BEFORE_SLEEPERS)
				in_futex = true
#else
				in_futex = (memory[VALUE] == seen)
#endif
			};
			!in_futex;
#ifdef LOOK_BEFORE_SLEEPERS
			seen = memory[VALUE];
#endif
			goto again
		:: else
		fi;
		waiter_stores!SLEEPERS, 0
	od
}

init {
	atomic {
		if
		:: membarrier = true
		:: membarrier = false
		fi;
		run buffers();
		run device();
		run waiter()
	}
}
