/* SPDX-License-Identifier: MIT */
/*
 * DOC: Signals between devices that one thread moves, model-checked
 *
 * Two threads of devices that signal a third device (Inbox::post(), Firmware::kick()), and the thread of that device.
 * Where CPUs are few, the thread of a sender moves the receiver (fw::Movers), whose own thread naps meanwhile
 * (Firmware::give(), doze(), Handover::take_back()). A sender that moves the receiver does not kick it. Instead it looks
 * at the receiver when it has no work, or gives it back before it sleeps (Movers::part()).
 *
 * A sender may be busy for ever: then it neither looks nor sleeps. A receiver that sleeps while a signal lies in its
 * inbox is a state in which nothing can move: spin reports it as an invalid end state. A nap always ends, so it may only
 * delay a signal. But senders that sleep have left no signal to a nap: spin reports a failed assertion.
 *
 * Memory is sequentially consistent here. A store and a look that only a fence keeps in order are the other way round in
 * the mutant without the fence. sleep_wake.pml checks the fences of a kick.
 */
/* MUTANT: NO_FENCE_AT_KICK */
/* MUTANT: NO_KEEP */
/* MUTANT: NO_PART */
/* MUTANT: NO_KICK_OF_WHAT_MOVES_ALONE */
/* MUTANT: NO_KICK_AFTER_LONG_WORK */
/* MUTANT: ALWAYS_LEFT_TO_MOVER */
/* MUTANT: SLEEPS_WHILE_GIVEN */
/* MUTANT: GIVES_ITSELF_AT_ONCE */
/* MUTANT: GIVES_ITSELF_TWICE */
/* MUTANT: GIVEN_BEFORE_LISTED */
/* MUTANT: NO_LOOK_AT_CALLERS_AT_NAP */
/* MUTANT: NO_LOOK_AT_INBOX_AT_SLEEP */

#define NOBODY 2	/* senders are 0 and 1 */

byte unsent[2] = 1;	/* signals that the sender will store */
bool inbox[2];		/* one that was not delivered */

/* Of the receiver. */
bool given;		/* is_given_ */
bool dozes;		/* callers_ */
byte wanted = NOBODY;	/* wanted_by_ */
bool turned;		/* a sender has taken turns since the last nap */
bool prepared;		/* it naps or sleeps, or is about to */
bool kicked;		/* since then */
bool in_futex;

/* Of Movers. */
bool locked;		/* mutex_ */
bool listed;		/* moved_ */
byte mover = NOBODY;	/* mover_ */

/* What the assertions need: signals that have come with no kick, and senders that sleep. */
bool owed[2];
bool gone[3];		/* NOBODY too */

#define ALL_DELIVERED (unsent[0] == 0 && unsent[1] == 0 && !inbox[0] && !inbox[1])
#define IS_LEFT(who) (owed[who] && gone[who] && gone[mover] && in_futex)

inline kick()
{
	d_step {
		kicked = true;
		owed[0] = false;
		owed[1] = false;
		if
		:: prepared -> in_futex = false
		:: else
		fi
	}
}

/* Inbox::deliver(), under the token */
inline deliver()
{
	d_step {
		found = inbox[0] || inbox[1];
		inbox[0] = false;
		inbox[1] = false;
		owed[0] = false;
		owed[1] = false
	}
}

/* Firmware::is_moved_by_kicker() */
inline look()
{
	left = false;
	if
	:: given ->
		if
#ifdef ALWAYS_LEFT_TO_MOVER
		:: left = true
#else
		:: dozes -> left = true
		:: else
#endif
		fi
	:: else
	fi
}

proctype sender(byte me)
{
	bool left, found;
	do
	:: unsent[me] != 0 ->
#ifdef NO_FENCE_AT_KICK
		gone[me] = false;
		look();
		atomic { unsent[me]--; inbox[me] = true };
#else
		atomic { gone[me] = false; unsent[me]--; inbox[me] = true };
		look();
#endif
		if
		:: left ->
			/* Movers::keep() */
			d_step {
#ifndef NO_KEEP
				mover = me;
#endif
				owed[me] = inbox[me]
			}
		:: !left ->
			/* It may be the eighth signal. */
			if
			:: wanted = me
			:: skip
			fi;
			kick()
		fi
	/* Movers::move(), Firmware::turn(): under the lock of Movers and the token */
	:: atomic { !gone[me] && !locked && listed && dozes -> locked = true; deliver(); turned = true };
		/* Firmware::move_here(): after long work the receiver moves itself. */
		if
		:: atomic { dozes -> dozes = false };
#ifndef NO_KICK_AFTER_LONG_WORK
			kick()
#endif
		:: skip
		fi;
		locked = false
	/* Movers::part(), Firmware::move_alone() */
	:: !gone[me] ->
#ifndef NO_PART
		atomic { !locked -> locked = true };
		if
		:: listed && mover == me ->
			if
			:: atomic { dozes -> dozes = false };
#ifndef NO_KICK_OF_WHAT_MOVES_ALONE
				kick()
#endif
			:: else
			fi
		:: else
		fi;
		locked = false;
#endif
		d_step {
			gone[me] = true;
			assert(!IS_LEFT(0) && !IS_LEFT(1))
		}
	:: unsent[me] == 0 && gone[me] -> break
	/* It is busy from now on. */
	:: unsent[me] == 0 -> break
	od
}

inline take_back()
{
	atomic { !locked -> listed = false; mover = NOBODY };
	wanted = NOBODY;
	given = false
}

inline give()
{
#ifdef GIVEN_BEFORE_LISTED
	given = true;
	dozes = true;
#endif
	atomic { !locked -> mover = wanted; listed = true };
	wanted = NOBODY;
#ifndef GIVEN_BEFORE_LISTED
	given = true;
	dozes = true
#endif
}

proctype receiver()
{
	bool found, has_turned, is_fresh;
awake:
	/* Firmware::active_phase() */
	if
	:: ALL_DELIVERED -> goto done
	:: else
	fi;
	if
	:: given && !dozes ->
		take_back();
#ifndef GIVES_ITSELF_AT_ONCE
		is_fresh = true
#endif
	:: else
	fi;
	if
#ifdef GIVES_ITSELF_TWICE
	:: !is_fresh && wanted != NOBODY -> give()
#else
	:: !given && !is_fresh && wanted != NOBODY -> give()
#endif
	:: else
	fi;
	atomic {
		is_fresh = false;
		if
		:: dozes -> goto doze
		:: else
		fi
	};
	/* A burst, with a look at the inbox. */
	deliver();
	if
	:: goto awake
	:: goto sleep
	fi;
doze:
	/* Firmware::nap() */
	atomic { kicked = false; prepared = true };
	if
#ifndef NO_LOOK_AT_CALLERS_AT_NAP
	:: !dozes -> goto swept
#endif
	:: else
	fi;
	d_step {
		in_futex = !kicked;
		assert(!IS_LEFT(0) && !IS_LEFT(1))
	};
	if
	:: !in_futex
	:: in_futex = false
	fi;
swept:
	/* sweep(), which does not always look at the inbox. */
	atomic { prepared = false; found = false };
	if
	:: deliver()
	:: skip
	fi;
	d_step { has_turned = turned; turned = false };
	if
	:: has_turned || !dozes -> goto awake
	:: else
	fi;
	/* Without work it may nap again, but not for ever. */
	if
	:: !found -> goto awake
	:: true
	fi;
#ifdef SLEEPS_WHILE_GIVEN
	if
	:: !found -> goto sleep
	:: else
	fi;
#endif
	dozes = false;
	goto awake;
sleep:
	/* Firmware::sleep() */
	atomic { kicked = false; prepared = true };
	found = false;
#ifndef NO_LOOK_AT_INBOX_AT_SLEEP
	deliver();
#endif
	if
	:: found
	:: !found ->
		in_futex = !kicked;
		/* Nothing is left that it would have to wake for in the end. */
		!in_futex || ALL_DELIVERED
	fi;
	prepared = false;
	goto awake;
done:
	skip
}

init {
	atomic {
		unsent[0] = 2;
		gone[NOBODY] = true;
		run sender(0);
		run sender(1);
		run receiver()
	}
}
