/* SPDX-License-Identifier: MIT */
/*
 * DOC: A call queue that a thread which polls takes over, model-checked
 *
 * The device, which posts entries into a queue of two places; the thread of one CallListener, which handles those of its
 * kind (CallListener::serve()); and a thread that polls, and takes entries over meanwhile (CallListener::take_over(),
 * hand_back()). The device uses a place again once its entry was answered: entries of another kind are answered by another
 * thread at any time. Some entries are bound to the listener's thread, the last one among them, which ends it.
 *
 * The thread that polls looks again when something has changed, and may leave at any time. So if it waits for the
 * listener, and this one sleeps, or sleeps after it has left, then nothing can move: spin reports it as an invalid end
 * state. An entry that is handled twice, or by the wrong thread, or one that was not handled in the end, fails an assertion.
 *
 * Memory is sequentially consistent here. The word that hands over is one futex, on which the kernel takes a lock, and
 * sleep_wake.pml checks the fences between the device and who waits for its value.
 */
/* MUTANT: TAKES_WITHOUT_EXCHANGE */
/* MUTANT: TAKES_OVERWRITTEN */
/* MUTANT: STARTS_AT_OVERWRITTEN */
/* MUTANT: TAKES_BOUND */
/* MUTANT: KEEPS_BOUND */
/* MUTANT: NO_HAND_BACK_AT_LEAVE */
/* MUTANT: WAKES_BEFORE_STORE */
/* MUTANT: NO_WAKE */
/* MUTANT: NO_VALUE_CHECK_IN_FUTEX */
/* MUTANT: SKIPS_AFTER_TAKEN_OVER */

#define ENTRIES 4	/* the last one ends the listener */
#define PLACES 2

#define BRIEF 1
#define BOUND 2
#define OTHER 3		/* of another listener */
#define END 4

byte number[PLACES];	/* of the entry that is there, from 1 */
byte kind[PLACES];
bool answered[PLACES] = true;
byte there;		/* the value of UNPU_SEM_CALLS */
byte wanted = 255;	/* the value that the listener sleeps for in the kernel */

byte taken;		/* taken_ */
bool over;		/* is_taken_over_ */
bool in_futex;		/* on it */
bool ended, left;	/* the two threads */

bool is_own[ENTRIES];	/* what the assertions need */
byte handled[ENTRIES];

proctype device()
{
	byte what, at;
	do
	:: there == ENTRIES -> break
	:: else ->
		at = there % PLACES;
		answered[at];
		if
		:: there == ENTRIES - 1 -> what = END
		:: there < ENTRIES - 1 -> what = BRIEF
		:: there < ENTRIES - 1 -> what = BOUND
		:: there < ENTRIES - 1 -> what = OTHER
		fi;
		d_step {
			number[at] = there + 1;
			kind[at] = what;
			answered[at] = false;
			is_own[there] = what != OTHER
		};
		d_step {
			there++;
			if
			:: there >= wanted -> wanted = 255
			:: else
			fi
		}
	od
}

/* The thread of another listener. */
proctype other()
{
end:
	do
	:: atomic { number[0] != 0 && kind[0] == OTHER && !answered[0] -> answered[0] = true }
	:: atomic { number[1] != 0 && kind[1] == OTHER && !answered[1] -> answered[1] = true }
	od
}

/* CallListener::take_next(). @result: 0: nothing is there; a kind; BOUND and END are not taken by @polls */
inline take_next(polls)
{
	result = 0;
	done = taken;
	do
	:: there <= done -> break
	:: else ->
#ifdef STARTS_AT_OVERWRITTEN
		next = (there > PLACES && there - PLACES + 1 > done -> there - PLACES + 1 : done);
#else
		next = (there > PLACES && there - PLACES > done -> there - PLACES : done);
#endif
		/* base::take_call() tells of an entry that was overwritten, also while it is read. */
		d_step {
			found = number[next % PLACES];
			what = kind[next % PLACES]
		};
#ifdef TAKES_OVERWRITTEN
		found = next + 1;
#endif
#ifndef TAKES_BOUND
		if
		:: polls && found == next + 1 && (what == BOUND || what == END) ->
			result = what;
			break
		:: else
		fi;
#endif
#ifdef TAKES_WITHOUT_EXCHANGE
		if
		:: taken == done -> taken = next + 1; is_taker = true
		:: else -> is_taker = false; done = taken
		fi;
#else
		atomic {
			if
			:: taken == done -> taken = next + 1; is_taker = true
			:: else -> is_taker = false; done = taken
			fi
		};
#endif
		if
		:: is_taker && found == next + 1 -> result = what; break
		:: is_taker && found != next + 1 -> done = next + 1
		:: else
		fi
	od
}

/* The handler, which passes over what is of another listener. */
inline handle(polls)
{
	d_step {
		if
		:: what != OTHER ->
			assert(number[next % PLACES] == next + 1 && kind[next % PLACES] == what);
			assert(!polls || what == BRIEF);
			handled[next]++;
			assert(handled[next] == 1);
			answered[next % PLACES] = true
		:: else
		fi
	}
}

inline hand_back()
{
	if
	:: over ->
#ifdef WAKES_BEFORE_STORE
		in_futex = false;
		over = false
#else
		over = false;
#ifndef NO_WAKE
		in_futex = false
#endif
#endif
	:: else
	fi
}

proctype poller()
{
	byte result, done, next, found, what, seen, seen_taken;
	bool is_taker;
	do
	:: ended -> break
	:: else ->
		/* take_over() */
		do
		:: true ->
			seen = there;
			seen_taken = taken;
			take_next(true);
			if
			:: result == 0 -> over = true; break
			:: result == BOUND || result == END ->
#ifdef TAKES_BOUND
				handle(true)
#else
#ifndef KEEPS_BOUND
				hand_back();
#endif
				break
#endif
			:: else -> handle(true)
			fi
		od;
		if
		/* It polls on. */
		:: true -> there != seen || taken != seen_taken || ended
		/* It sleeps, or ends. */
		:: true -> break
		fi
	od;
#ifndef NO_HAND_BACK_AT_LEAVE
	hand_back();
#endif
	left = true
}

proctype listener()
{
	byte result, done, next, found, what;
	bool is_taker;
	do
	:: over ->
		/* The kernel compares the word under its lock. */
#ifdef NO_VALUE_CHECK_IN_FUTEX
		in_futex = true;
#else
		d_step { in_futex = over };
#endif
		!in_futex
	:: !over ->
		/* hal::wait_passively() */
		done = taken + 1;
		d_step { wanted = (there >= done -> 255 : done) };
		wanted == 255;
#ifdef SKIPS_AFTER_TAKEN_OVER
		taken = (taken < done -> done : taken);
#endif
		if
		:: over
		:: !over ->
			take_next(false);
			if
			:: result == 0
			:: result == END -> handle(false); break
			:: else -> handle(false)
			fi
		fi
	od;
	ended = true
}

init {
	byte each;
	atomic {
		run device();
		run other();
		run poller();
		run listener()
	}
	/* The thread that polls may handle its last entry after the listener has ended. */
	ended && left;
	for (each : 0 .. ENTRIES - 1) {
		assert(!is_own[each] || handled[each] == 1)
	}
}
