/* SPDX-License-Identifier: MIT */
/*
 * DOC: U1 to U4, model-checked
 *
 * A firmware that posts launches to one lane of a worker and takes their ends (fw::Lanes, the end of a poll in
 * Workers::arm()), and the thread of the lane (worker::Lane). A thread that sleeps while a launch is posted, or a
 * firmware that sleeps while one has ended, is a state in which nothing can move. A launch whose arguments, or an end
 * whose answer is not there yet fails an assertion.
 *
 * Store buffers as in sleep_wake.pml. Both sides have full fences: the worker may do nothing for the firmware. Entering
 * the kernel is no fence here. A worker that lies is not modelled: the firmware never waits for it without a deadline.
 */
/* MUTANT: NO_FENCE_AT_POST */
/* MUTANT: NO_FENCE_AT_SLEEP */
/* MUTANT: NO_VALUE_CHECK_IN_FUTEX */
/* MUTANT: POSTED_BEFORE_ARGUMENTS */
/* MUTANT: ENDED_BEFORE_ANSWER */
/* MUTANT: ENDS_BEFORE_ENDED */
/* MUTANT: NO_FENCE_AT_END */
/* MUTANT: NO_FENCE_AT_ARM */
/* MUTANT: NO_LOOK_AT_ENDS_AFTER_ARM */
/* MUTANT: SAME_ARMING_NUMBER */

#define LAUNCHES 3

#define POSTED 0	/* number of the launch */
#define ARGUMENTS 1	/* the number again */
#define SLEEPS 2
#define ENDED 3		/* number of the launch */
#define ANSWER 4	/* the number again */
#define ENDS 5		/* how many */
#define ARMED 6		/* arming number, or 0 */

byte memory[7];
bool in_futex;
bool kicked;	/* an edge of the eventfd that epoll has not told of */
chan firmware_stores = [5] of { byte, byte };
chan thread_stores = [5] of { byte, byte };

inline drain(stores)
{
	do
	:: stores?where, what -> memory[where] = what
	:: empty(stores) -> break
	od
}

/* Memory takes the stores when it likes. */
proctype buffers()
{
	byte where, what;
end:
	do
	:: atomic { firmware_stores?where, what -> memory[where] = what }
	:: atomic { thread_stores?where, what -> memory[where] = what }
	od
}

proctype firmware()
{
	byte where, what, number, seen, arming;
	do
	:: number == LAUNCHES -> break
	:: number < LAUNCHES ->
		number++;
#ifdef POSTED_BEFORE_ARGUMENTS
		firmware_stores!POSTED, number;
		firmware_stores!ARGUMENTS, number;
#else
		firmware_stores!ARGUMENTS, number;
		firmware_stores!POSTED, number;
#endif
#ifndef NO_FENCE_AT_POST
		atomic { drain(firmware_stores) };
#endif
		if
		:: memory[SLEEPS] != 0 ->
			/* The kernel takes a lock, so the store is out when it looks for sleepers. */
			atomic { drain(firmware_stores); in_futex = false }
		:: else
		fi;
poll:
		if
		:: memory[ENDS] != seen -> goto look
		:: goto look	/* a launch of another lane has ended */
		:: memory[ENDS] == seen
		fi;
		/* Workers::arm(), and the device sleeps in epoll. */
#ifdef SAME_ARMING_NUMBER
		arming = 1;
#else
		arming++;
#endif
		firmware_stores!ARMED, arming;
#ifndef NO_FENCE_AT_ARM
		atomic { drain(firmware_stores) };
#endif
#ifndef NO_LOOK_AT_ENDS_AFTER_ARM
		if
		:: memory[ENDS] != seen -> goto look
		:: else
		fi;
#endif
		atomic { kicked -> kicked = false };
		goto poll;
look:
		/* take_ended() */
		seen = memory[ENDS];
		firmware_stores!ARMED, 0;
		if
		:: memory[ENDED] == number -> assert(memory[ANSWER] == number)
		:: else -> goto poll
		fi
	od
}

proctype thread()
{
	byte where, what, done, answered, armed;
	do
	:: done == LAUNCHES -> break
	:: done < LAUNCHES ->
again:
		if
		:: memory[POSTED] == done ->
			thread_stores!SLEEPS, 1;
#ifndef NO_FENCE_AT_SLEEP
			atomic { drain(thread_stores) };
#endif
			/* The kernel compares and queues in one. */
#ifdef NO_VALUE_CHECK_IN_FUTEX
			in_futex = true;
#else
			in_futex = (memory[POSTED] == done);
#endif
			!in_futex;
			goto again
		:: else
		fi;
		thread_stores!SLEEPS, 0;
		done = memory[POSTED];
		assert(memory[ARGUMENTS] == done);
#ifdef ENDED_BEFORE_ANSWER
		thread_stores!ENDED, done;
		thread_stores!ANSWER, done;
		thread_stores!ENDS, done;
#else
#ifdef ENDS_BEFORE_ENDED
		thread_stores!ANSWER, done;
		thread_stores!ENDS, done;
		thread_stores!ENDED, done;
#else
		thread_stores!ANSWER, done;
		thread_stores!ENDED, done;
		thread_stores!ENDS, done;
#endif
#endif
#ifndef NO_FENCE_AT_END
		atomic { drain(thread_stores) };
#endif
		armed = memory[ARMED];
		if
		:: armed != 0 && armed != answered ->
			answered = armed;
			/* write() */
			atomic { drain(thread_stores); kicked = true }
		:: else
		fi
	od
}

init {
	atomic {
		run buffers();
		run firmware();
		run thread()
	}
}
