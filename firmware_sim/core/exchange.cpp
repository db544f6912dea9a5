// SPDX-License-Identifier: MIT
/**
 * DOC: Exchange
 *
 * The list of exports of all clients, common to all devices of one firmware. Every word of a key must
 * match, and nonces are random, so an old key never names a newer export.
 */
#include "exchange.h"

#include <algorithm>
#include <cstring>

#include "base/os/calls/transfers.h"

namespace fw {

using base::Result;
using base::Status;

/* The first room for processes that may import an export. */
static constexpr size_t ALLOWED_FEW = 16;

/* A number that cannot be guessed and does not repeat; never 0. */
static uint64_t random_word()
{
	uint64_t word = 0;
	while (word == 0)
		(void)base::calls::fill_random(&word, sizeof(word));
	return word;
}

Exchange::Exchange() : instance_(random_word()) {}

unpu_export_key Exchange::add(Export what)
{
	std::lock_guard lock(mutex_);
	what.key.instance = instance_;
	do
		what.key.nonce = random_word();
	while (exports_.contains(what.key.nonce));
	while (++objects_ == 0)
		continue;
	what.key.object = objects_;
	const uint64_t nonce = what.key.nonce;
	Listed &added = exports_.emplace(nonce, std::move(what)).first->second;
	added.what.owner->exports.add(added.of_owner);
	added.what.owner->count++;
	if (const auto segment = added.what.segment.lock())
		segment->exports.add(added.of_segment);
	return added.what.key;
}

/* The lock is held. */
bool Exchange::has_ended(const Export &what)
{
	if (what.owner && what.owner->has_ended)
		return true;
	if (what.key.kind != UNPU_EXPORT_MEMORY)
		return false;
	const std::shared_ptr<Segment> segment = what.segment.lock();
	return !segment || segment->are_exports_ended;
}

Export *Exchange::look_up(const unpu_export_key &key)
{
	auto found = exports_.find(key.nonce);
	if (found == exports_.end() || memcmp(&found->second.what.key, &key, sizeof(key)) != 0 ||
	    has_ended(found->second.what))
		return nullptr;
	return &found->second.what;
}

/* Makes room for another process in the list of @what. The room doubles, and the owner is charged for it.
 * Return: QUOTA. */
static Status make_room(Export &what, Account &account)
{
	auto &allowed = what.allowed;
	if (allowed.size() == UNPU_EXPORT_MAX_ALLOWED)
		return Status::QUOTA;
	if (allowed.size() < allowed.capacity())
		return Status::OK;
	const size_t room = std::max(2 * allowed.capacity(), ALLOWED_FEW);
	auto charge = std::make_shared<Charge>();
	TRY(account.charge(Resource::MEMORY, room * sizeof(allowed[0]), *charge));
	allowed.reserve(room);
	what.allowed_memory = std::move(charge);
	return Status::OK;
}

Status Exchange::allow(const Exporter *owner, Account &account, const unpu_export_key &key,
		       const uint32_t *pids, uint32_t count)
{
	std::lock_guard lock(mutex_);
	Export *found = look_up(key);
	if (!found || found->owner != owner)
		return Status::NOT_SHARED;
	for (uint32_t i = 0; i < count; i++) {
		auto &allowed = found->allowed;
		if (pids[i] == 0)
			found->flags |= UNPU_EXPORT_ANY_PROCESS;
		if (pids[i] == 0 ||
		    std::find(allowed.begin(), allowed.end(), pids[i]) != allowed.end())
			continue;
		TRY(make_room(*found, account));
		allowed.push_back(pids[i]);
	}
	return Status::OK;
}

Result<Export> Exchange::find(const unpu_export_key &key, uint32_t pid)
{
	std::lock_guard lock(mutex_);
	const Export *found = look_up(key);
	if (!found)
		return Status::NOT_SHARED;
	const auto &allowed = found->allowed;
	if (pid == found->key.pid) {
		if (!(found->flags & UNPU_EXPORT_SAME_PROCESS))
			return Status::SAME_PROCESS;
	} else if (!(found->flags & UNPU_EXPORT_ANY_PROCESS) &&
		   std::find(allowed.begin(), allowed.end(), pid) == allowed.end()) {
		return Status::NOT_ALLOWED;
	}
	return *found;
}

Result<unpu_export_key> Exchange::key_of(uint64_t nonce)
{
	std::lock_guard lock(mutex_);
	auto found = exports_.find(nonce);
	if (found == exports_.end() || has_ended(found->second.what))
		return Status::NOT_SHARED;
	return found->second.what.key;
}

void Exchange::end(Exporter &owner)
{
	std::lock_guard lock(mutex_);
	owner.has_ended = true;
}

void Exchange::end(Exporter &owner, Segment &segment)
{
	std::lock_guard lock(mutex_);
	segment.are_exports_ended = true;
	owner.ended.take(segment.exports);
}

/* Takes an export out of all lists. The caller destroys it without the lock. */
Export Exchange::take(const Export &what)
{
	const auto found = exports_.find(what.key.nonce);
	Export gone = std::move(found->second.what);
	gone.owner->count--;
	exports_.erase(found);
	return gone;
}

bool Exchange::free_ended(Exporter &owner, unsigned &left)
{
	for (;; left--) {
		Export gone;
		std::lock_guard lock(mutex_);
		const ExportLink &from = owner.has_ended ? owner.exports : owner.ended;
		if (from.empty())
			return true;
		if (left == 0)
			return false;
		gone = take(*from.first());
	}
}

size_t Exchange::blocks()
{
	std::lock_guard lock(mutex_);
	return pool_.blocks();
}

Result<Export> Exchange::withdraw(const Exporter *owner, const unpu_export_key &key)
{
	std::lock_guard lock(mutex_);
	const Export *found = look_up(key);
	if (!found || found->owner != owner)
		return Status::NOT_SHARED;
	return take(*found);
}

std::shared_ptr<Exchange> make_exchange()
{
	return std::make_shared<Exchange>();
}

uint64_t instance(const Exchange &exchange)
{
	return exchange.instance();
}

} // namespace fw
