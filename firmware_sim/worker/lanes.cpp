// SPDX-License-Identifier: MIT
/**
 * DOC: Lanes of a worker
 */
#include "lanes.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include <sys/eventfd.h>
#include <unistd.h>

#include "base/json/controls.h"
#include "base/os/calls/transfers.h"
#include "base/sync/futex.h"
#include "firmware_sim/schedule/cpu.h"

namespace fw {

using base::Status;

Status Lanes::init()
{
	auto file = TRY(base::create_sealed("unpu-board", UNPU_WORKER_BOARD_BYTES, UNPU_PAGE_4K));
	auto mapped = TRY(base::map_shared(file.fd, UNPU_WORKER_BOARD_BYTES, true, UNPU_PAGE_4K));
	file_ = std::move(file.fd);
	board_ = std::move(mapped);
	kick_ = base::Fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	return kick_.valid() ? Status::OK : Status::NO_RESOURCE;
}

void Lanes::clear()
{
	for (uint32_t lane = 0; lane < UNPU_WORKER_LANES; lane++)
		memset(at(lane), 0, sizeof(unpu_worker_lane));
	memset(&board(), 0, sizeof(unpu_worker_board));
	base::store_relaxed(seen_, uint32_t{0});
	is_armed_ = false;
}

uint32_t Lanes::post(uint32_t lane, const KernelJob &job, uint64_t messages)
{
	unpu_worker_lane &to = line(lane);
	to.messages = messages;
	to.cookie = job.cookie;
	to.head = job.head;
	if (!job.args.empty())
		memcpy(at(lane) + UNPU_WORKER_ARGS_AT, job.args.data(),
		       std::min<size_t>(job.args.size() * sizeof(job.args[0]),
					UNPU_KERNEL_WIRE_MAX_ARGS));
	if (++last_ == 0)
		last_ = 1;
	const uint32_t here = cpu_here();
	base::store_relaxed(to.poster, here);
	base::store_release(to.posted, last_); /* U1 */
	base::full_fence(); /* U2: the thread stores @sleeps, then loads @posted */
	if (base::load_relaxed(to.sleeps) != 0) {
		base::futex_wake_all(to.posted, true);
		/* The woken thread needs the CPU on which the caller would poll for its end, so the caller
		 * yields. */
		if (base::load_relaxed(to.cpu) == here)
			std::this_thread::yield();
	}
	return last_;
}

bool Lanes::has_begun(uint32_t lane, uint32_t number) const
{
	return base::load_relaxed(line(lane).started) == number;
}

bool Lanes::has_ended(uint32_t lane, uint32_t number, unpu_worker_answer &answer) const
{
	if (base::load_acquire(line(lane).ended) != number) /* U3 */
		return false;
	answer = line(lane).answer;
	answer.text_bytes = std::min(answer.text_bytes, UNPU_WORKER_TEXT_BYTES);
	answer.output_bytes = std::min<uint64_t>(answer.output_bytes, UNPU_WORKER_OUTPUT_BYTES);
	return true;
}

/* Chooses the piece of output to which a record of @bytes is appended. Return: nullptr if there are too many
 * pieces. */
static OutputPiece *piece_for(std::vector<OutputPiece> &pieces, uint64_t bytes, bool is_observed)
{
	if (!pieces.empty() && pieces.back().is_observed == is_observed &&
	    pieces.back().records.size() + bytes <= OutputPiece::BYTES)
		return &pieces.back();
	if (pieces.size() == OutputPiece::MOST)
		return nullptr;
	pieces.emplace_back();
	pieces.back().is_observed = is_observed;
	return &pieces.back();
}

void Lanes::take_output(uint32_t lane, const unpu_worker_answer &answer, KernelJob &job) const
{
	const std::byte *from = at(lane) + UNPU_WORKER_OUTPUT_AT;
	uint64_t bytes = answer.output_bytes;
	while (bytes >= sizeof(unpu_kernel_output)) {
		unpu_kernel_output head;
		memcpy(&head, from, sizeof(head));
		const uint64_t whole = sizeof(head) + base::round_up(head.bytes, sizeof(uint64_t));
		if (whole > bytes)
			return;
		const bool is_observed = head.core == UNPU_KERNEL_OBSERVED;
		head.cookie = is_observed ? job.head.observer : job.cookie;
		head.image = job.head.image;
		head.entry = job.head.entry;
		OutputPiece *piece = piece_for(job.output, whole, is_observed);
		if (!piece)
			return;
		const auto *text = reinterpret_cast<const std::byte *>(&head);
		piece->records.insert(piece->records.end(), text, text + sizeof(head));
		piece->records.insert(piece->records.end(), from + sizeof(head), from + whole);
		piece->text_bytes += head.bytes;
		from += whole;
		bytes -= whole;
	}
}

static std::string clean(const void *from, uint32_t bytes)
{
	return base::without_controls(
		{static_cast<const char *>(from), std::min(bytes, UNPU_WORKER_TEXT_BYTES)});
}

std::string Lanes::sentence(uint32_t lane, const unpu_worker_answer &answer) const
{
	return clean(at(lane) + UNPU_WORKER_TEXT_AT, answer.text_bytes);
}

std::string Lanes::place(uint32_t lane, uint32_t number) const
{
	const unpu_worker_place &from = board().places[lane];
	if (base::load_acquire(from.number) != number)
		return {};
	const std::string text =
		clean(from.text, std::min(base::load_acquire(from.bytes), UNPU_WORKER_PLACE_BYTES));
	/* The worker may have been asked once more. */
	return base::load_acquire(from.number) == number ? text : "";
}

uint32_t Lanes::printed(uint32_t lane, uint32_t number) const
{
	const unpu_worker_place &from = board().places[lane];
	return base::load_acquire(from.number) == number
		       ? std::min(base::load_acquire(from.output_bytes), UNPU_WORKER_OUTPUT_BYTES)
		       : 0;
}

std::string Lanes::message_sentence(const unpu_worker_answer &answer) const
{
	return clean(board().text, answer.text_bytes);
}

bool Lanes::arm()
{
	is_armed_ = true;
	/* U4: the worker adds to @ends, then loads @armed. Its process has no heavy fence. */
	return arming_.arm(board().armed, base::FenceScope::NONE, [this] { return has_news(); });
}

void Lanes::disarm()
{
	if (!is_armed_)
		return;
	is_armed_ = false;
	base::Arming::disarm(board().armed);
}

void Lanes::drain_kick() const
{
	uint64_t count;
	(void)base::calls::read(kick_.get(), &count, sizeof(count));
}

} // namespace fw
