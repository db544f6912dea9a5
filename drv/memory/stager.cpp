// SPDX-License-Identifier: MIT
/**
 * DOC: Stager
 *
 * An import of a part of a segment comes without a descriptor, because a descriptor would give access to the
 * whole segment. Host copies of such memory are rare and go through a pinned staging buffer.
 */
#include "stager.h"

#include <algorithm>
#include <cstring>

#include "drv/channel/channel_set.h"
#include "memory.h"

namespace drv {

using base::Status;

static constexpr uint64_t STAGED_BYTES = uint64_t{256} << 10;

Status Stager::run(const unpu_packet &packet)
{
	Channel *channel;
	{
		std::lock_guard lock(mutex_);
		if (!channel_)
			channel_ = TRY(Channel::create(set_, {.is_own = true}));
		channel = channel_.get();
	}
	auto submitted = TRY(channel->submit(packet));
	TRY(set_.wait(submitted, base::NO_DEADLINE));
	Failure failure = channel->failure();
	if (failure.status != Status::OK)
		channel->clear_failure();
	return failure.status;
}

template <class Move> Status Stager::in_pieces(uint64_t bytes, Move move)
{
	std::string why;
	uint64_t most = std::min(bytes, STAGED_BYTES);
	auto piece = TRY(memory_.allocate(Place::PINNED, most, UNPU_PAGE_4K, why));
	Status status = Status::OK;
	auto *memory = reinterpret_cast<std::byte *>(piece.va);
	for (uint64_t done = 0; done < bytes && status == Status::OK; done += most)
		status = move(memory, done, std::min(most, bytes - done));
	(void)memory_.free(Place::PINNED, piece.va);
	return status;
}

Status Stager::read(std::byte *to, uint64_t from, uint64_t bytes)
{
	return in_pieces(bytes, [&](std::byte *piece, uint64_t done, uint64_t part) -> Status {
		TRY(copy(reinterpret_cast<uint64_t>(piece), from + done, part));
		memcpy(to + done, piece, part);
		return Status::OK;
	});
}

Status Stager::write(uint64_t to, const std::byte *from, uint64_t bytes)
{
	return in_pieces(bytes, [&](std::byte *piece, uint64_t done, uint64_t part) {
		memcpy(piece, from + done, part);
		return copy(to + done, reinterpret_cast<uint64_t>(piece), part);
	});
}

Status Stager::copy(uint64_t to, uint64_t from, uint64_t bytes)
{
	return run(copy_packet(0, to, from, bytes));
}

Status Stager::fill(uint64_t to, uint64_t bytes, uint32_t pattern, uint32_t width)
{
	return run(fill_packet(0, to, bytes, pattern, width));
}

} // namespace drv
