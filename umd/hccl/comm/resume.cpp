// SPDX-License-Identifier: MIT
/**
 * DOC: Suspending a communicator, and resuming it
 *
 * When a program has aborted tasks of a rank, the rank does not know what the other ranks have done. Some
 * flags are raised and some are not. Pieces are under way. The ranks have noted different calls. So all ranks
 * meet twice. At the first meeting no rank has tasks of the communicator left; then each rank resets its own
 * state. At the second meeting all ranks have reset their state.
 */
#include <fmt/format.h>

#include "comm.h"
#include "drv/device.h"
#include "umd/core/device/open_device.h"
#include "umd/hccl/hccl_result.h"

namespace umd {

using base::Status;

HcclResult Comm::refuse_end() const
{
	return refuse(
		HCCL_E_PARA,
		fmt::format("communicator {} was destroyed; HcclCommInitRootInfo makes another",
			    name_));
}

HcclResult Comm::suspend()
{
	if (!mutex.try_lock())
		return refuse(HCCL_E_AGAIN,
			      fmt::format("communicator {} is in use by another thread", name_));
	std::lock_guard lock(mutex, std::adopt_lock);
	if (has_ended)
		return refuse_end();
	is_suspended = true;
	return HCCL_SUCCESS;
}

/* Refuses new calls from now on. Return: HCCL_E_AGAIN while there are operations. */
HcclResult Comm::begin_resume()
{
	TRY(suspend());
	std::string why;
	const HcclResult failed = failure(&why);
	if (failed != HCCL_SUCCESS)
		return refuse(failed, "the communicator has failed before: " + why);
	std::lock_guard lock(mutex);
	/* Another thread may have destroyed the communicator in the meantime. */
	if (has_ended)
		return refuse_end();
	if (is_resuming)
		return refuse(HCCL_E_AGAIN, fmt::format("communicator {} is in HcclCommResume of "
							"another thread; wait for that call",
							name_));
	const DeviceHold device = device_.hold();
	for (const Order &order : orders) {
		if (device && !device->done(order.fence))
			return refuse(HCCL_E_AGAIN,
				      fmt::format("communicator {} has operations under way; call "
						  "aclrtDeviceTaskAbort first",
						  name_));
	}
	is_resuming = true;
	return HCCL_SUCCESS;
}

/* Waits until all ranks have called this function. */
HcclResult Comm::meet_again()
{
	const uint64_t wait_s = entrance_.settings.connect_s;
	const uint64_t deadline_ns = base::deadline_after(wait_s * base::NS_PER_S);
	joiner_.say_again();
	{
		std::unique_lock lock(failure_mutex_);
		while (!is_met_again_ && failed_.load() == HCCL_SUCCESS && !joiner_.is_alone() &&
		       has_news_.wait(lock, deadline_ns))
			continue;
		if (std::exchange(is_met_again_, false))
			return HCCL_SUCCESS;
	}
	if (joiner_.is_alone())
		fail(HCCL_E_REMOTE,
		     "the process that hosts the communicator has ended, so its ranks can't resume",
		     true);
	fail(HCCL_E_TIMEOUT,
	     fmt::format("not all ranks called HcclCommResume within {} s (HCCL_CONNECT_TIMEOUT)",
			 wait_s),
	     true);
	std::string why;
	const HcclResult failed = failure(&why);
	return refuse(failed, why);
}

/* Resets the state of this rank that other ranks use. */
HcclResult Comm::restart()
{
	if (relay_)
		TRY(relay_->stop());
	TRY(seats_.reset());
	/* The first rank of an island also has the notes of calls by ranks of other islands. */
	for (uint32_t other = 0; other < ranks(); other++) {
		const bool is_first = islands_.near()[0] == rank();
		if (other == rank() || (is_first && !islands_.is_near(other)))
			call_log.restart(other);
	}
	pending.clear();
	return relay_ ? relay_->restart() : HCCL_SUCCESS;
}

HcclResult Comm::begin_anew()
{
	TRY(meet_again());
	const HcclResult result = restart();
	if (result != HCCL_SUCCESS) {
		fail(result,
		     fmt::format("rank {} could not resume: {}", rank(), result_text(result)),
		     true);
		return result;
	}
	TRY(meet_again());
	if (relay_)
		relay_->grant_again();
	return HCCL_SUCCESS;
}

HcclResult Comm::resume()
{
	TRY(begin_resume());
	const HcclResult result = begin_anew();
	std::lock_guard lock(mutex);
	is_resuming = false;
	if (result != HCCL_SUCCESS)
		return result;
	for (Order &order : orders)
		order = {};
	is_suspended = false;
	return HCCL_SUCCESS;
}

} // namespace umd
