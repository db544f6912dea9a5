/* SPDX-License-Identifier: MIT */
/*
 * DOC: Event page
 *
 * An event that processes share is an export of kind EVENT: eight semaphores, its lanes, and a page
 * of memory that all members map. A record is a value of one lane; waiting for the event is waiting
 * for the value that @latest names, on the member's own copy of that lane.
 *
 *	bytes	field		writer
 *	0-7	latest		members: the latest record, UNPU_EVENT_RECORD(lane, value); 0: none
 *	64-127	lanes		members: UNPU_EVENT_CLAIM(member, value): who made the lane's last record
 *
 * To record, a member takes a lane whose claimed value the semaphore has reached, or one that it has
 * claimed itself, and claims the next value by compare-and-exchange; then it stores @latest and
 * submits the signal that raises the lane to that value. On a lane that is still on its way the signal
 * waits for the value before, unless it follows that signal's packet on the same channel. The values
 * of a lane that are not reached yet have one owner. When a member leaves, the firmware reads its
 * claims and so knows which values will never be signalled.
 *
 * Every member may write anything here at any time. A bad value can only make another member wait too
 * long or too short: lane and member numbers are bounded by their widths.
 */
#ifndef UNPU_UAPI_EVENT_H
#define UNPU_UAPI_EVENT_H

#include "uapi/types.h"

#define UNPU_EVENT_LANES 8u
#define UNPU_EVENT_VALUE_MASK 0xffffffffffffull

/* Bits 0-47 value, 48-50 lane. */
#define UNPU_EVENT_RECORD(lane, value) ((uint64_t)(lane) << 48 | (value))
#define UNPU_EVENT_RECORD_LANE(record) ((uint32_t)((record) >> 48) & (UNPU_EVENT_LANES - 1))

/* Bits 0-47 value, 48-63 member. */
#define UNPU_EVENT_CLAIM(member, value) ((uint64_t)(member) << 48 | (value))
#define UNPU_EVENT_CLAIM_MEMBER(claim) ((uint32_t)((claim) >> 48))

struct unpu_event_page {
	uint64_t latest;
	uint64_t reserved[7];
	uint64_t lanes[8];
};
UNPU_WIRE_SIZE(unpu_event_page, 128);
UNPU_WIRE_OFFSET(unpu_event_page, lanes, 64);

#endif /* UNPU_UAPI_EVENT_H */
