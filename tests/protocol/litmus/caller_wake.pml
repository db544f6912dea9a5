/* SPDX-License-Identifier: MIT */
/*
 * DOC: K1, model-checked
 *
 * A channel that is blocked and not armed, and threads other than the device's that resume it: an
 * engine (fw::Engines::work()), and a caller that waits for the first packet, helps the engine
 * (fw::Engines::help()) and moves the device meanwhile (fw::Firmware::turn()). The caller leaves when
 * the first packet has retired, or earlier, by its time limit. A device that sleeps while its channel
 * has work is a state in which nothing can move: spin reports it as an invalid end state.
 *
 * The first packet is a job in pieces, the second one is short, the third one waits and has a time
 * limit. All of them are in the ring from the beginning. Memory is sequentially consistent here:
 * sleep_wake.pml checks the fences of the kick.
 */
/* MUTANT: NO_KICK_BY_ENGINE */
/* MUTANT: NO_KICK_BY_HELPER */
/* MUTANT: NO_KICK_AT_LEAVE */
/* MUTANT: NO_LIMIT_AT_LEAVE */
/* MUTANT: ANY_KICK_COUNTS_AT_LEAVE */
/* MUTANT: NO_LOOK_AT_JOBS_AT_SLEEP */
/* MUTANT: NO_LOOK_AT_QUEUE_AT_SLEEP */
/* MUTANT: TICKET_AFTER_LOOK */

#define PIECES 2
#define PACKETS 3
#define WITH_LIMIT 3	/* the packet that has a time limit */

mtype = { ON_ENGINE, QUEUED, PARKED };

mtype channel = ON_ENGINE;
bool woken;		/* the packet that the channel stands in is over */
byte retired;
bool token;		/* a thread moves the device */
byte open = PIECES;	/* pieces that no thread has begun */
byte undone = PIECES;	/* pieces that are not done */
bool finished;		/* the job is over, and the device has not taken it back */
bool late;		/* the time limit of a parked packet has passed */
byte kicks, ticket;
bool asleep;
bool in_futex;
bool knows_limit;	/* the sleeping thread wakes when the limit passes */

inline kick()
{
	kicks++;
	if
	:: asleep -> in_futex = false
	:: else
	fi
}

/* Firmware::step_locked(). The token is held. */
inline step()
{
	atomic {
		if
		:: finished -> finished = false; channel = QUEUED; woken = true
		:: else
		fi;
		if
		:: channel == PARKED && late -> channel = QUEUED; woken = true; late = false
		:: else
		fi;
		if
		:: channel == QUEUED && woken -> woken = false; retired++
		:: channel == QUEUED && !woken && retired + 1 == WITH_LIMIT -> channel = PARKED
		:: channel == QUEUED && !woken && retired + 1 < WITH_LIMIT -> retired++
		:: else
		fi
	}
}

/* Firmware::Token ends: what the sleeping thread does not know of is told. */
inline leave()
{
	atomic {
		owes = false;
#ifndef NO_KICK_AT_LEAVE
		if
#ifdef ANY_KICK_COUNTS_AT_LEAVE
		:: asleep && kicks == 0 ->
#else
		:: asleep && kicks == ticket ->
#endif
			owes = channel == QUEUED && retired < PACKETS;
#ifndef NO_LIMIT_AT_LEAVE
			owes = owes || (channel == PARKED && !knows_limit)
#endif
		:: else
		fi;
#endif
		token = false
	};
	if
	:: owes -> kick()
	:: else
	fi
}

/* A piece of the job. Return: @ended, whether the job is over and not taken back. */
inline do_piece()
{
	atomic {
		undone--;
		if
		:: undone == 0 -> finished = true
		:: else
		fi
	};
	ended = finished
}

proctype engine()
{
	bool ended;
	do
	:: atomic { open > 0 -> open-- };
		do_piece();
#ifndef NO_KICK_BY_ENGINE
		if
		:: ended -> kick()
		:: else
		fi
#endif
	:: open == 0 -> break
	od
}

proctype caller()
{
	bool ended, owes;
	do
	:: retired > 0 -> break
	:: true -> break		/* its time limit */
	:: atomic { open > 0 -> open-- };
		do_piece();
		/* Firmware::help(): a turn, if no other thread moves the device; it may have no step for jobs. */
		if
		:: ended ->
			if
			:: atomic { !token && asleep -> token = true };
				step();
				leave()
			:: skip
			fi
		:: else
		fi;
#ifndef NO_KICK_BY_HELPER
		if
		:: ended && finished -> kick()
		:: else
		fi
#endif
	:: atomic { !token && asleep -> token = true };
		/* A turn that may do several packets. */
		do
		:: step()
		:: break
		od;
		leave()
	od
}

proctype device()
{
	bool work;
	do
	:: retired == PACKETS -> break
	:: else ->
		atomic { !token -> token = true };
		step();
		step();
		token = false;
		/* Firmware::sleep() */
		atomic { !token -> token = true };
#ifndef TICKET_AFTER_LOOK
		ticket = kicks;
#endif
		asleep = true;
		work = retired == PACKETS;
#ifndef NO_LOOK_AT_JOBS_AT_SLEEP
		work = work || finished;
#endif
#ifndef NO_LOOK_AT_QUEUE_AT_SLEEP
		work = work || channel == QUEUED;
#endif
		knows_limit = channel == PARKED;
#ifdef TICKET_AFTER_LOOK
		ticket = kicks;
#endif
		token = false;
		if
		:: work
		:: else ->
			atomic { in_futex = kicks == ticket };
			/* Nothing is left that it would have to wake for in the end. */
			!in_futex || retired == PACKETS
		fi;
		asleep = false
	od
}

proctype clock()
{
end:
	do
	:: channel == PARKED && !late -> late = true
	:: late && in_futex && knows_limit -> in_futex = false
	od
}

init {
	atomic {
		/* It may have been kicked before. */
		if
		:: kicks = 1
		:: skip
		fi;
		run engine();
		run caller();
		run device();
		run clock()
	}
}
