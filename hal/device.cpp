// SPDX-License-Identifier: MIT
/**
 * DOC: Device
 *
 * The code that all backends share.
 */
#include "device.h"

#include "base/os/machine.h"
#include "base/sync/futex.h"
#include "sealed.h"
#include "tuning.h"

namespace hal {

using base::Result;
using base::Status;

void configure_waits(WaitPolicy &waits, const Options &options)
{
	uint64_t spin_us = base::usable_cpus() > 1 ? tuning::USUAL_SPIN_US : 0;
	if (options.spin_us >= 0)
		spin_us = static_cast<uint64_t>(options.spin_us);
	bool embedded = options.backend == Backend::THREAD;
	waits.configure(embedded ? options.caller_runs : CallerRuns::OFF, spin_us * 1000,
			options.spin_us < 0);
}

Stepper &Device::no_stepper()
{
	static constinit Stepper none;
	return none;
}

bool Device::alive()
{
	if (base::load_relaxed(life_) == LOST)
		return false;
	if (base::load_acquire(completion().status.broken) == 0 && connected())
		return true;
	base::store_relaxed(life_, uint32_t{LOST});
	return false;
}

Result<base::Mapping> Device::map(const base::Fd &fd, uint64_t bytes, unpu_page_kind pages,
				  void *where)
{
	return base::map_shared(fd, bytes, true, pages, where);
}

void Device::copy_state_of(const Device &inner)
{
	const base::Mapping *theirs[] = {&inner.bar_, &inner.completion_, &inner.client_};
	base::Mapping *ours[] = {&bar_, &completion_, &client_};
	for (size_t i = 0; i < std::size(ours); i++)
		*ours[i] = base::Mapping(theirs[i]->data(), theirs[i]->bytes());
	waits_ = inner.waits_;
	quotas_ = inner.quotas_;
	fence_ = inner.fence_;
	stepper_ = inner.stepper_;
	is_stepped_ = inner.is_stepped_;
	is_scheduled_ = inner.is_scheduled_;
}

/* Rings the doorbell and waits until the device rests again. Until then the device may run packets. If the
 * channel has ended, the device does not answer. */
void Device::ring_until_rest(uint32_t channel)
{
	const bool is_channel = channel < UNPU_MAX_CHANNELS;
	const uint32_t &rests = completion().channels[is_channel ? channel : 0].rests;
	const uint32_t before = base::load_acquire(rests);
	if (base::ring_doorbell(client().doorbells, channel, completion().status, fence_))
		kick();
	while (is_channel && base::load_acquire(rests) == before) {
		const bool has_changed = base::futex_wait(
			rests, before, base::deadline_after(tuning::REST_LOOK_NS), true);
		if (!has_changed &&
		    (!alive() || base::load_relaxed(completion().status.sleeping) != 0))
			return;
	}
}

Status Device::map_segments(const base::Fd &bar, const base::Fd &completion, const base::Fd &client)
{
	TRY(check_sealed(bar, sizeof(unpu_bar), UNPU_PAGE_4K));
	const uint64_t completion_bytes = UNPU_COMPLETION_BYTES(quotas_.semaphores);
	const uint64_t client_bytes = UNPU_CLIENT_BYTES(quotas_.semaphores);
	TRY(check_sealed(completion, completion_bytes, UNPU_PAGE_4K));
	TRY(check_sealed(client, client_bytes, UNPU_PAGE_4K));
	auto bar_map = base::map_shared(bar, sizeof(unpu_bar), false, UNPU_PAGE_4K);
	auto completion_map = base::map_shared(completion, completion_bytes, false, UNPU_PAGE_4K);
	auto client_map = base::map_shared(client, client_bytes, true, UNPU_PAGE_4K);
	if (!bar_map || !completion_map || !client_map)
		return Status::NO_MEMORY;
	bar_ = bar_map.take();
	completion_ = completion_map.take();
	client_ = client_map.take();
	is_scheduled_ = (this->bar().features & UNPU_FEATURE_SCHEDULED) != 0;
	/* A device that explores runs packets only while a thread sleeps, so waits must not poll. */
	if (is_scheduled_)
		waits_.configure(CallerRuns::OFF, 0, false);
	return Status::OK;
}

} // namespace hal
