// SPDX-License-Identifier: MIT
/**
 * DOC: Transfers
 *
 * A transfer is cut where its file has multiples of a piece, so that all pieces but the first and the
 * last are whole blocks. With O_DIRECT the kernel accepts only whole blocks at aligned addresses. Any
 * other read reads whole blocks into a bounce buffer; any other write goes through the page cache.
 * Bounce buffers are huge pages, so a large transfer from or to memory without huge pages uses them
 * too.
 */
#include "transfer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include <sys/mman.h>

#include "base/clock.h"
#include "base/sync/ordering.h"

namespace fw {

using base::Status;

static constexpr uint64_t PIECE_BYTES = uint64_t{1} << 20;
/* From this size on, a transfer uses bounce buffers of huge pages and kernel worker threads. */
static constexpr uint64_t LARGE_BYTES = uint64_t{4} << 20;

void Transfer::stop(uint64_t position, Status why, int host_error)
{
	if (position > limit || (position == limit && status != Status::OK))
		return;
	limit = position;
	status = why;
	error = host_error;
}

bool Transfer::over() const
{
	return pieces == 0 && (next >= limit || base::load_relaxed(cancelled));
}

void Transfer::close()
{
	if (base::load_relaxed(cancelled) && moved < bytes && status == Status::OK)
		status = Status::CHANNEL_STOPPED;
	if (!state)
		return;
	base::store_relaxed(state->error, static_cast<uint32_t>(error));
	base::store_release(state->status, static_cast<uint32_t>(status));
	/* @state reports the short file; the packet itself succeeds. */
	if (status == Status::FILE_SHORT)
		status = Status::OK;
}

void Mover::add(Transfer &transfer)
{
	transfer.limit = transfer.bytes;
	active_.push_back(&transfer);
}

Piece &Mover::take_piece()
{
	if (free_.empty()) {
		pieces_.push_back(std::make_unique<Piece>());
		free_.push_back(pieces_.back().get());
	}
	Piece &piece = *free_.back();
	free_.pop_back();
	return piece;
}

void Mover::begin(Transfer &transfer)
{
	uint64_t position = transfer.offset + transfer.next;
	Piece &piece = take_piece();
	piece.transfer = &transfer;
	piece.start = transfer.next;
	piece.bytes =
		std::min(PIECE_BYTES - position % PIECE_BYTES, transfer.limit - transfer.next);
	piece.done = 0;
	piece.is_lost = false;
	transfer.next += piece.bytes;
	if (transfer.pieces++ == 0)
		base::store_relaxed(transfer.stands_since_ns, base::now_ns());
	issue(piece);
}

/* Begins one piece, round robin over the transfers. */
bool Mover::begin_next()
{
	for (size_t i = 0; i < active_.size(); i++) {
		Transfer &transfer = *active_[turn_++ % active_.size()];
		if (transfer.next >= transfer.limit || base::load_relaxed(transfer.cancelled))
			continue;
		begin(transfer);
		return !abandoned();
	}
	return false;
}

bool Mover::wants_direct(const Piece &piece, uint64_t position, uint64_t left) const
{
	const Transfer &transfer = *piece.transfer;
	const HostFile &file = *transfer.file;
	if (!file.direct.valid() || base::load_relaxed(file.direct_refused))
		return false;
	if (transfer.is_write)
		return position % file.unit == 0 && left % file.unit == 0;
	return file.always_direct || !file.cached(position, left);
}

/* Whether the kernel may give shared memory huge pages on request. */
static bool shares_huge_pages()
{
	std::ifstream file("/sys/kernel/mm/transparent_hugepage/shmem_enabled");
	std::string words;
	std::getline(file, words);
	return !words.empty() && words.find("[never]") == std::string::npos &&
	       words.find("[deny]") == std::string::npos;
}

/* Whether a disk would have to handle scattered small pages one by one, which costs more than a copy
 * through a bounce buffer. */
static bool scattered(const Transfer &transfer)
{
	static const bool huge_pages = shares_huge_pages();
	const unpu_page_kind pages = transfer.memory.segment()->pages;
	bool huge = pages == UNPU_PAGE_HUGETLB || (pages == UNPU_PAGE_THP && huge_pages);
	return !huge && transfer.bytes >= LARGE_BYTES;
}

/* Memory of a huge page if the kernel has one. */
static base::Mapping bounce_buffer(uint64_t edges)
{
	const uint64_t bytes = base::round_up(PIECE_BYTES + edges, base::HUGE_PAGE_BYTES);
	auto range = base::reserve_range(bytes, base::HUGE_PAGE_BYTES);
	if (!range || mprotect(range->data(), bytes, PROT_READ | PROT_WRITE) != 0)
		return {};
	madvise(range->data(), bytes, MADV_HUGEPAGE);
	return range.take();
}

void Mover::issue_direct(Piece &piece, uint64_t position, uint64_t left)
{
	const Transfer &transfer = *piece.transfer;
	const HostFile &file = *transfer.file;
	auto address = reinterpret_cast<uint64_t>(piece.buffer);
	uint64_t first = position / file.unit * file.unit;
	uint64_t end = base::round_up(position + left, file.unit);
	piece.is_direct = true;
	bool whole = first == position && end == position + left;
	/* A direct read past the end of the file would zero the rest of the block in the client's
	 * memory. */
	bool straight = whole && address % file.memory_unit == 0 &&
			(transfer.is_write || !file.ends_before(end));
	if (straight && !scattered(transfer))
		return;
	if (!piece.bounce.data())
		piece.bounce = bounce_buffer(2 * file.unit);
	if (!piece.bounce.data()) {
		piece.is_direct = straight;
		return;
	}
	piece.bounces = true;
	piece.skip = position - first;
	if (transfer.is_write)
		memcpy(piece.bounce.data(), piece.buffer, left);
	piece.buffer = piece.bounce.data();
	piece.position = first;
	piece.length = end - first;
	bounced_bytes_ += left;
}

void Mover::issue(Piece &piece)
{
	Transfer &transfer = *piece.transfer;
	base::store_release(place_, INSIDE);
	uint64_t at = piece.start + piece.done;
	uint64_t left = piece.bytes - piece.done;
	piece.is_direct = piece.bounces = false;
	piece.is_apart = !transfer.is_write && transfer.bytes >= LARGE_BYTES;
	piece.skip = 0;
	piece.buffer = transfer.data + at;
	piece.position = transfer.offset + at;
	piece.length = left;
	const bool is_allowed = transfer.file->holds_data();
	if (is_allowed) {
		if (wants_direct(piece, piece.position, left))
			issue_direct(piece, piece.position, left);
		piece.is_apart = piece.is_apart && !piece.is_direct;
		queue_.start(piece);
	}
	(void)base::compare_exchange(place_, INSIDE, OUTSIDE);
	if (is_allowed || abandoned())
		return;
	transfer.stop(at, Status::BAD_FILE, EACCES);
	end(piece);
}

/* Copies a read out of the bounce buffer.
 * Return: number of bytes that belong to the piece. */
uint64_t Mover::take_bounce(Piece &piece, uint64_t got)
{
	const Transfer &transfer = *piece.transfer;
	uint64_t own = got > piece.skip ? got - piece.skip : 0;
	own = std::min(own, piece.bytes - piece.done);
	if (!transfer.is_write)
		memcpy(transfer.data + piece.start + piece.done, piece.bounce.data() + piece.skip,
		       own);
	return own;
}

/* Return: true when the operation was started again. */
bool Mover::refused(Piece &piece, int64_t result)
{
	bool again = result == -EINTR || result == -EAGAIN;
	if (piece.is_direct && (result == -EINVAL || result == -EOPNOTSUPP)) {
		base::store_relaxed(piece.transfer->file->direct_refused, uint32_t{1});
		again = true;
	}
	if (again && base::load_relaxed(piece.transfer->cancelled) == 0)
		issue(piece);
	else
		again = false;
	return again;
}

void Mover::take_up(Piece &piece, int64_t result)
{
	Transfer &transfer = *piece.transfer;
	uint64_t at = piece.start + piece.done;
	base::store_relaxed(transfer.stands_since_ns, base::now_ns());
	if (result < 0) {
		if (refused(piece, result))
			return;
		transfer.stop(at, Status::BAD_FILE, static_cast<int>(-result));
		return end(piece);
	}
	auto got = static_cast<uint64_t>(result);
	uint64_t own = piece.bounces ? take_bounce(piece, got) : got;
	if (piece.is_direct)
		direct_bytes_ += own;
	if (own == 0) {
		if (transfer.is_write)
			transfer.stop(at, Status::BAD_FILE, EIO);
		else
			transfer.stop(at, Status::FILE_SHORT, 0);
		return end(piece);
	}
	piece.done += own;
	bool more = piece.done < piece.bytes && piece.start + piece.done < transfer.limit;
	if (more && !base::load_relaxed(transfer.cancelled)) {
		publish(transfer);
		return issue(piece);
	}
	if (more)
		transfer.stop(piece.start + piece.done, Status::OK, 0);
	end(piece);
}

void Mover::end(Piece &piece)
{
	Transfer &transfer = *piece.transfer;
	piece.transfer = nullptr;
	free_.push_back(&piece);
	if (--transfer.pieces == 0)
		base::store_relaxed(transfer.stands_since_ns, uint64_t{0});
	publish(transfer);
}

void Mover::publish(Transfer &transfer)
{
	uint64_t moved = transfer.next;
	for (const auto &piece : pieces_) {
		if (piece->transfer == &transfer)
			moved = std::min(moved, piece->start + piece->done);
	}
	transfer.moved = std::min(moved, transfer.limit);
	if (transfer.state)
		base::store_release(transfer.state->bytes, transfer.moved);
}

void Mover::write_off()
{
	for (const auto &piece : pieces_) {
		if (piece->transfer && !piece->is_lost && base::load_relaxed(piece->transfer->lost))
			queue_.write_off(*piece);
	}
}

void Mover::turn(bool wait, std::vector<Transfer *> &ended)
{
	while (queue_.room() && begin_next())
		continue;
	if (abandoned())
		return;
	bool early = std::any_of(active_.begin(), active_.end(),
				 [](const Transfer *transfer) { return transfer->over(); });
	int64_t result = 0;
	if (Piece *piece = queue_.next(wait && !early, result))
		take_up(*piece, result);
	if (abandoned())
		return;
	std::erase_if(active_, [&](Transfer *transfer) {
		if (!transfer->over())
			return false;
		transfer->close();
		ended.push_back(transfer);
		return true;
	});
}

} // namespace fw
