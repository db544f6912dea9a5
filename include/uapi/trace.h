/* SPDX-License-Identifier: MIT */
/*
 * DOC: Trace
 *
 * Trace entries of 32 bytes, one per event. Host and firmware each write them into rings in private
 * memory, not in a shared segment. The format is still part of the wire, because the tools match entries
 * of both sides: the same task has the same timeline and value, under the BAR's generation and the client
 * status's session.
 *
 *	bytes	field	meaning
 *	0-7	time_ns	CLOCK_MONOTONIC, which all processes of a machine have in common
 *	8-15	cookie	of the task (struct unpu_packet), or 0
 *	16-23	value	by kind
 *	24-27	object	by kind
 *	28-29	lane	host: number of the attachment; firmware: channel, line of a graph, or engine
 *	30	client	firmware: number of the client
 *	31	kind	enum unpu_trace_kind
 */
#ifndef UNPU_UAPI_TRACE_H
#define UNPU_UAPI_TRACE_H

#include "uapi/types.h"

/*
 * X(name, number): numbers are never reused. Up to 31 the host writes them, from 32 on the firmware.
 * A fence is a timeline in @object and its value in @value.
 */
#define UNPU_TRACE_LIST(X) \
	X(SUBMIT, 1)		/* a packet goes into its ring; its fence */ \
	X(DOORBELL, 2)		/* object: channel, or UNPU_DOORBELL_MAILBOX */ \
	X(KICK, 3)		/* a system call to wake the device */ \
	X(WAIT_BEGIN, 4)	/* a thread waits for a fence that has not passed */ \
	X(WAIT_SLEEP, 5)	/* it polled long enough and sleeps in the kernel */ \
	X(WAIT_END, 6)		/* the same fence; cookie: enum unpu_status */ \
	X(CALL_BEGIN, 7)	/* a host function; cookie: its task, value: its token */ \
	X(CALL_END, 8)		/* as CALL_BEGIN */ \
	X(MARK, 9)		/* value: text; object: category; cookie: call to name */ \
	X(RANGE_PUSH, 10)	/* a range of one thread, nested; as MARK */ \
	X(RANGE_POP, 11)	/* the last one pushed */ \
	X(RANGE_START, 12)	/* a range that any thread may end; as MARK, cookie: its id */ \
	X(RANGE_STOP, 13)	/* cookie: its id */ \
	X(FETCH, 32)		/* a packet was copied from its ring; its fence */ \
	X(START, 33)		/* and begins; object: enum unpu_opcode */ \
	X(END, 34)		/* it retires; its fence */ \
	X(NODE_START, 35)	/* lane: line, value: launching timeline; object: opcode */ \
	X(NODE_END, 36)		/* the same lane and value */ \
	X(NODE_PARK, 37)	/* the same; object: semaphore or 0 */ \
	X(NODE_WAKE, 38)	/* the same; object: enum unpu_status */ \
	X(PARK, 39)		/* a task is parked; object: semaphore or 0, value: wanted */ \
	X(WAKE, 40)		/* it may continue; object: enum unpu_status */ \
	X(FAULT, 41)		/* the task that ends next failed; object: status, value: address */ \
	X(JOB, 42)		/* an engine's; time_ns: begin, value: duration */ \
	X(SIGNAL, 43)		/* object: a semaphore, which becomes value */ \
	X(WAKE_CALL, 44)	/* a system call to wake host threads; as SIGNAL */ \
	X(HOST_CALL, 45)	/* a call is posted; cookie: its task, value: its token */ \
	X(MESSAGE, 46)		/* object: enum unpu_message_type, value: sequence */ \
	X(SLEEP, 47)		/* the device goes to sleep */ \
	X(AWAKE, 48)		/* and is awake again */

enum unpu_trace_kind {
#define UNPU_TRACE_ENUM(name, number) UNPU_TRACE_##name = number,
	UNPU_TRACE_LIST(UNPU_TRACE_ENUM)
#undef UNPU_TRACE_ENUM
};

struct unpu_trace_entry {
	uint64_t time_ns;
	uint64_t cookie;
	uint64_t value;
	uint32_t object;
	uint16_t lane;
	uint8_t client;
	uint8_t kind;
};
UNPU_WIRE_SIZE(unpu_trace_entry, 32);
UNPU_WIRE_OFFSET(unpu_trace_entry, cookie, 8);
UNPU_WIRE_OFFSET(unpu_trace_entry, value, 16);
UNPU_WIRE_OFFSET(unpu_trace_entry, object, 24);
UNPU_WIRE_OFFSET(unpu_trace_entry, lane, 28);
UNPU_WIRE_OFFSET(unpu_trace_entry, client, 30);
UNPU_WIRE_OFFSET(unpu_trace_entry, kind, 31);

#endif /* UNPU_UAPI_TRACE_H */
