/* SPDX-License-Identifier: MIT */
/*
 * DOC: Semaphore
 *
 * A semaphore is two lines, one per writer, at the same index of two arrays:
 *
 *	completion segment	struct unpu_sem_device	written by the firmware, read-only to the client
 *	client segment		struct unpu_sem_host	written by the client
 *
 * Completion (R3/A3): the firmware stores results, then timestamp and status, then @value with
 * release. A waiter loads @value with acquire. Sleeping (D2): the waiter counts itself in @sleepers,
 * executes the heavy fence, reads @value again and sleeps on the low half of @value (futex). The firmware
 * stores @value, executes the light fence and makes a wake call only if @sleepers counts a thread and
 * @value has reached the least value that a counted thread waits for.
 *
 * The firmware keeps the authoritative value in private memory and never reads its own line back.
 */
#ifndef UNPU_UAPI_SEMAPHORE_H
#define UNPU_UAPI_SEMAPHORE_H

#include "uapi/types.h"

/*
 *	bytes	field		writer
 *	0-7	value		firmware
 *	8-15	timestamp_ns	firmware; nanoseconds since the device started, of the last TIMESTAMP
 *	16-19	status		firmware; timelines: the first failure since the host cleared it
 *	20-23	failures	firmware; timelines: counts failures
 *	24-31	fault_cookie	firmware; cookie of the packet @status is about
 *	32-39	fault_address	firmware; the address that faulted then, or 0
 *	40-47	fault_detail	firmware; BAD_INDEX: the index, an int64; else 0
 *	48-55	output		firmware; timelines: bytes that kernels have printed so far
 *	56-63	reserved	zero
 */
struct unpu_sem_device {
	uint64_t value;
	uint64_t timestamp_ns;
	uint32_t status;
	uint32_t failures;
	uint64_t fault_cookie;
	uint64_t fault_address;
	uint64_t fault_detail;
	uint64_t output;
	uint64_t reserved;
};
UNPU_WIRE_SIZE(unpu_sem_device, 64);
UNPU_WIRE_OFFSET(unpu_sem_device, timestamp_ns, 8);
UNPU_WIRE_OFFSET(unpu_sem_device, status, 16);
UNPU_WIRE_OFFSET(unpu_sem_device, failures, 20);
UNPU_WIRE_OFFSET(unpu_sem_device, fault_cookie, 24);
UNPU_WIRE_OFFSET(unpu_sem_device, fault_address, 32);
UNPU_WIRE_OFFSET(unpu_sem_device, fault_detail, 40);
UNPU_WIRE_OFFSET(unpu_sem_device, output, 48);
UNPU_WIRE_OFFSET(unpu_sem_device, reserved, 56);

/*
 *	bytes	field		writer
 *	0-7	sleepers	client; bits 0-19: number of threads asleep or about to sleep; bits 20-63:
 *				the least value for which such a thread waits, at most
 *				UNPU_SLEEPERS_MOST; all bits zero while no thread sleeps
 *	8-63	reserved	zero
 */
struct unpu_sem_host {
	uint64_t sleepers;
	uint64_t reserved[7];
};
UNPU_WIRE_SIZE(unpu_sem_host, 64);
UNPU_WIRE_OFFSET(unpu_sem_host, reserved, 8);

#define UNPU_SLEEPERS_VALUE_SHIFT 20
#define UNPU_SLEEPERS_COUNT_MASK ((UINT64_C(1) << UNPU_SLEEPERS_VALUE_SHIFT) - 1)
#define UNPU_SLEEPERS_MOST ((UINT64_C(1) << (64 - UNPU_SLEEPERS_VALUE_SHIFT)) - 1)

#endif /* UNPU_UAPI_SEMAPHORE_H */
