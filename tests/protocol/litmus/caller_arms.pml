/* SPDX-License-Identifier: MIT */
/*
 * DOC: D1 and K1 for a caller that arms, model-checked
 *
 * A submitter, the device's thread, and a caller that moves the device for some turns (fw::Firmware::turn()). The
 * turns may end with a channel that has ASKED for a doorbell and was not looked at again. The submitter may have
 * published a packet just before, for which it rings no doorbell. So the caller owes a wake to a device that sleeps
 * (fw::Firmware::owes_wake()). A device that sleeps while a packet lies in its ring is a state in which nothing can
 * move: spin reports it as an invalid end state.
 *
 * Memory is sequentially consistent here: sleep_wake.pml checks the fences.
 */
/* MUTANT: NO_KICK_FOR_ASKED_AT_LEAVE */
/* MUTANT: NO_KICK_FOR_QUEUED_AT_LEAVE */
/* MUTANT: NO_LOOK_AT_RING_AT_SLEEP */
/* MUTANT: NO_LOOK_AT_RING_AT_CONFIRM */

#define PACKETS 2
#define VISITS 2	/* of the caller */

mtype = { PARKED, QUEUED, ASKED, ARMED };

byte published, bells;
byte number;		/* armed: the arming number, or 0 */
bool asleep;		/* also what the client is told */
byte kicks, ticket;
bool in_futex;

/* Under the token. */
bool token;
mtype channel = PARKED;	/* its packet waits for a job; it asks for no doorbell */
byte arming, consumed, taken;

inline kick()
{
	atomic {
		kicks++;
		if
		:: asleep -> in_futex = false
		:: else
		fi
	}
}

proctype submitter()
{
	byte armed, rung;
	do
	:: published == PACKETS -> break
	:: published < PACKETS ->
		published++;
		armed = number;
		if
		:: armed != 0 && armed != rung ->
			rung = armed;
			bells++;
			if
			:: asleep -> kick()
			:: else
			fi
		:: else
		fi
	od
}

/* Firmware::look_again() */
inline look_again()
{
	if
	:: channel == ASKED && published > consumed -> number = 0; channel = QUEUED
	:: channel == ASKED && published == consumed -> channel = ARMED
	:: channel != ASKED
	fi
}

/* Firmware::step_locked(), by the device's thread or a caller. The submitter may publish between the look at the ring and
 * the request. */
inline step()
{
	if
	:: atomic { channel == QUEUED && published > consumed -> consumed++ }
	:: channel == QUEUED && published == consumed ->
		atomic { arming++; number = arming; channel = ASKED }
	:: atomic { bells > taken -> taken++;
		if
		:: channel != QUEUED -> number = 0; channel = QUEUED
		:: else
		fi }
	:: channel == ASKED ->
#ifdef NO_LOOK_AT_RING_AT_CONFIRM
		channel = ARMED
#else
		atomic { look_again() }
#endif
	:: (channel == ARMED || channel == PARKED) && bells == taken
	fi
}

proctype caller()
{
	byte visits;
	bool owes;
	do
	:: visits == VISITS -> break
	:: visits < VISITS ->
		atomic { !token -> token = true; visits++ };
		/* It takes back a job that has just ended, before any other thread has seen its end. */
		if
		:: channel == PARKED -> channel = QUEUED
		:: else
		fi;
		do
		:: step()
		:: break
		od;
		/* Firmware::Token ends. */
		atomic {
			owes = false;
#ifndef NO_KICK_FOR_ASKED_AT_LEAVE
			owes = owes || channel == ASKED;
#endif
#ifndef NO_KICK_FOR_QUEUED_AT_LEAVE
			owes = owes || channel == QUEUED;
#endif
			owes = owes && asleep && kicks == ticket;
			token = false
		};
		if
		:: owes -> kick()
		:: else
		fi
	od
}

proctype device()
{
	bool work;
	do
	:: consumed == PACKETS -> break
	:: consumed < PACKETS ->
		atomic { !token -> token = true };
		do
		:: channel != QUEUED -> break
		:: channel == QUEUED -> step()
		od;
		/* Firmware::sleep() */
		ticket = kicks;
		asleep = true;
		atomic {
#ifndef NO_LOOK_AT_RING_AT_SLEEP
			look_again();
#endif
			work = channel == QUEUED || bells > taken || consumed == PACKETS
		};
		token = false;
		if
		:: work
		:: else ->
			atomic { in_futex = kicks == ticket };
			/* Nothing is left that it would have to wake for in the end. */
			!in_futex || consumed == PACKETS
		fi;
		atomic { !token -> token = true };
		asleep = false;
		do
		:: bells > taken -> step()
		:: bells == taken -> break
		od;
		token = false
	od
}

init {
	atomic {
		run submitter();
		run caller();
		run device()
	}
}
