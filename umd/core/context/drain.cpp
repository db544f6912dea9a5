// SPDX-License-Identifier: MIT
/**
 * DOC: The end of a context's work
 *
 * A reset waits for the work of the streams as long as they make progress. A stream without progress
 * loses its work after a limit. A reset by force, and the end of the library, let run what is ready, and drop the
 * rest. A device that does not drop the work either is lost. So every reset ends, whatever the firmware does.
 */
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "context_streams.h"
#include "drv/device.h"
#include "umd/core/device/device_state.h"
#include "umd/core/device/open_device.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/error.h"
#include "umd/core/stream/stream_failure.h"
#include "umd/core/watch/blocked.h"
#include "umd/core/watch/hang_watch.h"
#include "umd/core/watch/ready.h"

namespace umd {

using base::Status;
using drv::Fence;

/* How long streams may make no progress before a reset drops their work: a multiple of the device's
 * limit for an answer. */
static constexpr uint64_t ANSWERS = 5;
/* The second round is for gates that found no room in a full ring. */
static constexpr unsigned ROUNDS = 2;
/* How often the thread checks their progress. */
static constexpr uint64_t LOOK_NS = base::NS_PER_S / 4;

/* Waits for @fences. @told: the device that a message on stderr names if its streams make no progress.
 * Return: TIMEOUT after @patience_ns without progress, DEVICE_LOST. */
static Status settle(drv::Device &device, const std::vector<Fence> &fences, uint64_t patience_ns,
		     OpenDevice *told = nullptr)
{
	auto passed = [&] {
		return std::accumulate(fences.begin(), fences.end(), uint64_t{0},
				       [&](uint64_t sum, const Fence &fence) {
					       return sum + device.value(fence.sem);
				       });
	};
	uint64_t progress = passed();
	uint64_t limit_ns = base::deadline_after(patience_ns);
	for (const Fence &fence : fences) {
		hal::StuckWait stuck{fence.sem, fence.value, base::now_ns(), {}};
		for (;;) {
			uint64_t look_ns = std::min(base::deadline_after(LOOK_NS), limit_ns);
			Status status = device.wait(fence, look_ns);
			if (status == Status::OK)
				break;
			if (status != Status::TIMEOUT)
				return status;
			uint64_t now = passed();
			if (now == progress && base::now_ns() >= limit_ns)
				return Status::TIMEOUT;
			if (now != progress) {
				limit_ns = base::deadline_after(patience_ns);
				stuck = {fence.sem, fence.value, base::now_ns(), {}};
			} else if (told) {
				look_at_end(*told, stuck);
			}
			progress = now;
		}
	}
	return Status::OK;
}

/* @fences: receives the fences of the streams' work. Return: as settle(). */
static Status settle_streams(Context &context, uint64_t patience_ns, std::vector<Fence> &fences,
			     OpenDevice *told)
{
	Status status = Status::OK;
	for (unsigned round = 0; round < ROUNDS && status == Status::OK; round++) {
		Tails tails = tails_of(context);
		fences = std::move(tails.fences);
		status = settle(context.device(), fences, patience_ns, told);
		if (!tails.is_left_out)
			break;
	}
	return status;
}

/* Describes what the first unfinished stream waits for, as the end of an error message. */
static std::string why_stuck(Context &context, const std::vector<Fence> &fences)
{
	for (const Fence &fence : fences) {
		if (!context.device().done(fence))
			return blocked_sentence(*context.open, fence);
	}
	return "";
}

/* A time in seconds, for messages. */
static double seconds(uint64_t ns)
{
	return static_cast<double>(ns) / base::NS_PER_S;
}

/* Return: OK also for a lost device, because it has no work left to wait for. */
static Status drop(Context &context, const std::vector<Fence> &fences)
{
	drv::Device &device = context.device();
	const uint64_t limit_ns = device.hal().answer_limit_ns();
	if (abort_context(context) == Status::OK && settle(device, fences, limit_ns) == Status::OK)
		return Status::OK;
	device.hal().give_up();
	return set_error(
		Status::DEVICE_LOST,
		fmt::format("device {} is lost: it did not drop the remaining tasks of its "
			    "streams within {} s; it is closed, and can be set again",
			    context.state->index, seconds(limit_ns)));
}

Status drain_context(Context &context)
{
	const HazardGuard stay(context);
	if (!stay.alive())
		return Status::OK;
	drv::Device &device = context.device();
	const uint64_t answer_ns = device.hal().answer_limit_ns();
	const uint64_t patience_ns =
		answer_ns > base::NO_DEADLINE / ANSWERS ? base::NO_DEADLINE : ANSWERS * answer_ns;
	std::vector<Fence> fences;
	if (settle_streams(context, patience_ns, fences, context.open) != Status::TIMEOUT)
		return Status::OK;
	const std::string why = why_stuck(context, fences);
	TRY(drop(context, fences));
	return set_error(
		Status::STREAM_TIMEOUT,
		fmt::format("streams made no progress for {} s; their remaining tasks were "
			    "dropped{}",
			    seconds(patience_ns), why));
}

Status drain_by_force(Context &context, uint64_t since_ns)
{
	const HazardGuard stay(context);
	if (!stay.alive())
		return Status::OK;
	std::vector<Fence> fences;
	Status status = Status::OK;
	for (unsigned round = 0; round < ROUNDS && status == Status::OK; round++) {
		Tails tails = tails_of(context);
		fences = std::move(tails.fences);
		status = run_ready(*context.open, fences, since_ns);
		if (!tails.is_left_out)
			break;
	}
	return status == Status::TIMEOUT ? drop(context, fences) : Status::OK;
}

} // namespace umd
