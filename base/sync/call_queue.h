// SPDX-License-Identifier: MIT
/**
 * DOC: Call queue
 *
 * Both sides of an entry of a client's call queue (struct unpu_call_entry). The firmware overwrites the
 * entries of ended calls and does not wait for readers. So a reader copies the entry first and then checks
 * that the token is still the expected one.
 *
 *	pair	firmware			host
 *	Q1	token, store fence, the rest	the rest, load fence, token
 *	R3	the rest, sequence (release)	sequence (acquire), the rest
 */
#pragma once

#include "ordering.h"
#include "uapi/regs.h"

namespace base {

/** struct Call - the contents of an entry. */
struct Call {
	uint64_t call = 0;
	uint64_t token = 0;
	uint64_t cookie = 0;
	uint64_t address = 0;
	uint32_t status = 0;
	uint32_t timeline = 0;
};

/** post_call() - writes the entry of @call.token. Context: one thread at a time. */
inline void post_call(unpu_call_entry *queue, const Call &call)
{
	unpu_call_entry &entry = queue[(call.token - 1) % UNPU_CALL_QUEUE_ENTRIES];
	store_relaxed(entry.token, call.token);
	store_fence(); /* Q1: a reader that copies a new field then also sees the new token */
	store_relaxed(entry.call, call.call);
	store_relaxed(entry.cookie, call.cookie);
	store_relaxed(entry.address, call.address);
	store_relaxed(entry.status, call.status);
	store_relaxed(entry.timeline, call.timeline);
	store_release(entry.sequence, call.token); /* R3 */
}

/** take_call() - reads the entry of @token. Context: any thread.
 * Return: false if the entry is not published yet or is already overwritten; @call is then undefined. */
inline bool take_call(const unpu_call_entry *queue, uint64_t token, Call &call)
{
	const unpu_call_entry &entry = queue[(token - 1) % UNPU_CALL_QUEUE_ENTRIES];
	if (load_acquire(entry.sequence) != token) /* R3 */
		return false;
	call.call = load_relaxed(entry.call);
	call.cookie = load_relaxed(entry.cookie);
	call.address = load_relaxed(entry.address);
	call.status = load_relaxed(entry.status);
	call.timeline = load_relaxed(entry.timeline);
	load_fence(); /* Q1 */
	call.token = load_relaxed(entry.token);
	return call.token == token;
}

} // namespace base
