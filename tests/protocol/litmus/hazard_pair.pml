/* SPDX-License-Identifier: MIT */
/*
 * DOC: G1, G2 and G3, model-checked
 *
 * A thread that looks at an event, at a stream, and at the device of the event, with a pair of hazard
 * pointers (HazardPair in umd/core/handle/hazard.h): it names the event and the stream with one fence, and then the
 * opening of the device in the place of the stream (DeviceRef::look()). The mark of the event and of the
 * stream is that the handle is stale; that of the opening is the epoch, which the closing counts before it
 * takes the opening out of the state. Meanwhile three threads take the event, the stream and the opening
 * away, and one opens the device again. Store buffers and fences as in sleep_wake.pml; the thread that looks
 * has the light fence. What a thread takes away it changes by read-modify-writes, which need no buffer.
 */
/* MUTANT: NO_LIGHT_FENCE_AT_PAIR */
/* MUTANT: NO_LIGHT_FENCE_AT_SECOND */
/* MUTANT: NO_HEAVY_FENCE */
/* MUTANT: NO_FENCE_AT_TAKING */
/* MUTANT: GUESTS_BEFORE_THE_MARK */
/* MUTANT: ONE_HANDLE_CHECKED */
/* MUTANT: EPOCH_CHECKED_FIRST */
/* MUTANT: EPOCH_COUNTED_LAST */
/* MUTANT: EPOCH_NOT_CHECKED */
/* MUTANT: UNNAMED_BEFORE_THE_LAST_LOOK */

#define NOTHING 0
#define EVENT 1
#define STREAM 2
#define OPENING 3
#define NEXT_OPENING 4

#define TAKEN 2

byte memory[3]; /* the pair, and whether the thread has taken the guest that they are in */
bool live[3] = true; /* handles of EVENT and STREAM */
byte epoch = 1;
byte opening = OPENING;
bool gone[5]; /* freed, or used again */
bool membarrier;
chan stores = [8] of { byte, byte };

inline drain()
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
		:: else -> drain()
		fi
	}
}

inline heavy_fence()
{
#ifndef NO_HEAVY_FENCE
	atomic {
		if
		:: membarrier -> drain()
		:: else -> skip
		fi
	}
#else
	skip
#endif
}

proctype buffer()
{
	byte where, what;
end:
	do
	:: atomic { stores?where, what -> memory[where] = what }
	od
}

inline look_at(object)
{
	assert(!gone[object]);
	assert(!gone[object])
}

proctype looker()
{
	byte where, what, found;
	bool same;
	stores!TAKEN, true;
#ifndef NO_FENCE_AT_TAKING
	atomic { drain() };
#endif
	stores!0, EVENT;
	stores!1, STREAM;
#ifndef NO_LIGHT_FENCE_AT_PAIR
	light_fence();
#endif
	if
#ifdef ONE_HANDLE_CHECKED
	:: live[EVENT] ->
#else
	:: live[EVENT] && live[STREAM] ->
#endif
		look_at(EVENT);
		look_at(STREAM);
#ifdef EPOCH_CHECKED_FIRST
		same = (epoch == 1);
#endif
		found = opening;
		stores!1, found;
#ifndef NO_LIGHT_FENCE_AT_SECOND
		light_fence();
#endif
#ifdef EPOCH_NOT_CHECKED
		same = (found != NOTHING);
#elif !defined(EPOCH_CHECKED_FIRST)
		same = (epoch == 1);
#endif
		if
		:: same ->
			assert(found == OPENING);
			look_at(EVENT);
#ifdef UNNAMED_BEFORE_THE_LAST_LOOK
			stores!1, NOTHING;
#endif
			look_at(OPENING)
		:: else
		fi
	:: else
	fi;
	stores!0, NOTHING;
	stores!1, NOTHING
}

inline take_away(object)
{
	if
	:: others ->
		heavy_fence();
		(memory[0] != object && memory[1] != object)
	:: else
	fi;
	gone[object] = true
}

proctype destroyer(byte object)
{
	byte where, what;
	bool others;
#ifdef GUESTS_BEFORE_THE_MARK
	others = memory[TAKEN];
	live[object] = false;
#else
	live[object] = false;
	others = memory[TAKEN];
#endif
	take_away(object)
}

proctype closer()
{
	byte where, what;
	bool others;
#ifdef EPOCH_COUNTED_LAST
	opening = NOTHING;
	epoch++;
#else
	epoch++;
	opening = NOTHING;
#endif
	others = memory[TAKEN];
	take_away(OPENING)
}

proctype opener()
{
	opening == NOTHING && epoch == 2;
	epoch++;
	opening = NEXT_OPENING
}

init {
	atomic {
		if
		:: membarrier = true
		:: membarrier = false
		fi;
		run buffer();
		run looker();
		run destroyer(EVENT);
		run destroyer(STREAM);
		run closer();
		run opener()
	}
}
