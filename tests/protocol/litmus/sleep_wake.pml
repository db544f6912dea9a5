/* SPDX-License-Identifier: MIT */
/*
 * DOC: D1, model-checked
 *
 * A submitter (drv::Channel::submit(), hal::Device::ring(), fw::Device::kick()) and a device that
 * asks for a doorbell and falls asleep (fw::Channel::rest() and doorbell(), fw::Firmware::sleep()). A
 * device that sleeps while a packet lies in its ring is a state in which nothing can move: spin
 * reports it as an invalid end state.
 *
 * The device looks at the ring once more behind a heavy fence. That is one of its own, which other channels
 * share (fw::Firmware::confirm_asked()), or the one that it passes before it sleeps. caller_arms.pml has a thread
 * that leaves the device without either.
 *
 * Each thread's stores go through a buffer that reaches memory some time later, in order. A full
 * fence empties the thread's own buffer; membarrier empties the buffers of all threads. The model
 * covers both kinds of fences: with membarrier the light fence does nothing.
 *
 * kick() has a fence of its own, for callers that publish work elsewhere than in the ring (an engine, a
 * stop). The submitter of this model has read SLEEPING, so it also sees ASLEEP without that fence. So
 * there is no mutant for it here.
 *
 * MUTANT lines name macros that each take a step away; spin must find what then goes wrong.
 */
/* MUTANT: NO_LIGHT_FENCE_AT_SUBMIT */
/* MUTANT: NO_HEAVY_FENCE_AT_CONFIRM */
/* MUTANT: NO_LOOK_AT_RING_AT_CONFIRM */
/* MUTANT: SAME_ARMING_NUMBER */
/* MUTANT: NO_LIGHT_FENCE_AT_RING */
/* MUTANT: NO_HEAVY_FENCE_AT_SLEEP */
/* MUTANT: NO_LOOK_AT_BELLS_AT_SLEEP */
/* MUTANT: NO_LOOK_AT_RING_AT_SLEEP */
/* MUTANT: NO_KICK_COUNT */
/* MUTANT: RING_BEFORE_PACKET */
/* MUTANT: NO_MEMBARRIER_BUT_LIGHT_FENCES */

#define PACKETS 2

#define VALID 0		/* packets published */
#define ARMED 1		/* arming number, or 0 */
#define BELLS 2		/* doorbell entries stored */
#define SLEEPING 3	/* what the client is told */
#define ASLEEP 4	/* what kick() looks at */

byte memory[5];
byte kicks;
bool in_futex;
bool membarrier;
chan submitter_stores = [4] of { byte, byte };
chan device_stores = [4] of { byte, byte };

inline drain(stores)
{
	do
	:: stores?where, what -> memory[where] = what
	:: empty(stores) -> break
	od
}

/* The frequent side: a full fence, or nothing where the kernel has membarrier. */
inline light_fence()
{
	atomic {
		if
		:: membarrier -> skip
		:: else -> drain(submitter_stores)
		fi
	}
}

inline heavy_fence()
{
	atomic {
#ifndef NO_MEMBARRIER_BUT_LIGHT_FENCES
		if
		:: membarrier -> drain(submitter_stores)
		:: else -> skip
		fi;
#endif
		drain(device_stores)
	}
}

/* Memory takes the stores when it likes. */
proctype buffers()
{
	byte where, what;
end:
	do
	:: atomic { submitter_stores?where, what -> memory[where] = what }
	:: atomic { device_stores?where, what -> memory[where] = what }
	od
}

proctype submitter()
{
	byte where, what, armed, rung, rings, published;
	do
	:: published == PACKETS -> break
	:: published < PACKETS ->
		published++;
#ifdef RING_BEFORE_PACKET
		armed = memory[ARMED];
		submitter_stores!VALID, published;
#else
		submitter_stores!VALID, published;
#ifndef NO_LIGHT_FENCE_AT_SUBMIT
		light_fence();
#endif
		armed = memory[ARMED];
#endif
		if
		:: armed != 0 && armed != rung ->
			rung = armed;
			rings++;
			submitter_stores!BELLS, rings;
#ifndef NO_LIGHT_FENCE_AT_RING
			light_fence();
#endif
			if
			:: memory[SLEEPING] != 0 ->
				/* An addition with release: earlier stores come first. */
				atomic { drain(submitter_stores); kicks++ };
				light_fence();
				if
				:: memory[ASLEEP] != 0 -> in_futex = false
				:: else
				fi
			:: else
			fi
		:: else
		fi
	od
}

proctype device()
{
	byte where, what, seen, arming, consumed, taken;
	bool asked;
poll:
	if
	:: consumed == PACKETS -> goto done
	:: consumed < PACKETS && memory[VALID] > consumed -> consumed++; goto poll
	:: consumed < PACKETS && memory[VALID] == consumed -> skip
	fi;
	/* Channel::rest() */
#ifdef SAME_ARMING_NUMBER
	arming = 1;
#else
	arming++;
#endif
	device_stores!ARMED, arming;
	asked = true;
	if
	:: true ->
		/* confirm_asked() */
		asked = false;
#ifndef NO_HEAVY_FENCE_AT_CONFIRM
		heavy_fence();
#endif
#ifndef NO_LOOK_AT_RING_AT_CONFIRM
		if
		:: memory[VALID] > consumed -> device_stores!ARMED, 0; goto poll
		:: else
		fi
#endif
	:: true -> skip
	fi;
idle:
	/* One more look for bells by the main loop, then sleep(). */
	if
	:: memory[BELLS] > taken -> goto bell
	:: else
	fi;
	seen = kicks;
	device_stores!ASLEEP, 1;
	device_stores!SLEEPING, 1;
#ifndef NO_HEAVY_FENCE_AT_SLEEP
	heavy_fence();
#endif
#ifndef NO_LOOK_AT_RING_AT_SLEEP
	if
	:: asked && memory[VALID] > consumed ->
		device_stores!ASLEEP, 0;
		device_stores!SLEEPING, 0;
		asked = false;
		device_stores!ARMED, 0;
		goto poll
	:: else
	fi;
#endif
	asked = false;
#ifndef NO_LOOK_AT_BELLS_AT_SLEEP
	if
	:: memory[BELLS] > taken ->
		device_stores!ASLEEP, 0;
		device_stores!SLEEPING, 0;
		goto bell
	:: else
	fi;
#endif
	/* The kernel compares and queues in one; entering it is a full fence at the latest then. */
	atomic {
		drain(device_stores);
#ifdef NO_KICK_COUNT
		in_futex = true
#else
		in_futex = (kicks == seen)
#endif
	};
	!in_futex;
	device_stores!ASLEEP, 0;
	device_stores!SLEEPING, 0;
	goto idle;
bell:
	taken++;
	asked = false;
	device_stores!ARMED, 0;
	goto poll;
done:
	skip
}

init {
	atomic {
		if
		:: membarrier = true
		:: membarrier = false
		fi;
		run buffers();
		run submitter();
		run device()
	}
}
