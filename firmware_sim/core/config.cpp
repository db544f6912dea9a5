// SPDX-License-Identifier: MIT
/**
 * DOC: Configuration
 *
 * Computes defaults of missing options from the CPUs and the memory of the machine. It also computes the
 * number of semaphores from the quotas of a client.
 */
#include "config.h"

#include <algorithm>
#include <utility>

#include "base/os/machine.h"
#include "firmware_sim/schedule/semaphores.h"
#include "firmware_sim/schedule/tuning.h"
#include "uapi/regs.h"

namespace fw {

static constexpr unsigned ENGINES_MOST = 4;
static constexpr uint64_t MEMORY_MOST_BYTES = uint64_t{64} << 30;

Config configure(const Wishes &wishes)
{
	unsigned cpus = base::usable_cpus();
	Config config;
	config.memory_bytes = wishes.memory_bytes;
	if (config.memory_bytes == 0)
		config.memory_bytes = std::min(base::host_memory_bytes() / 2, MEMORY_MOST_BYTES);
	config.memory_bytes = base::round_up(config.memory_bytes, base::HUGE_PAGE_BYTES);
	uint32_t poll_us = cpus > 1 ? tuning::USUAL_POLL_US : 0;
	if (wishes.poll_us >= 0)
		poll_us = static_cast<uint32_t>(wishes.poll_us);
	config.idle_polls = poll_us * tuning::POLLS_PER_US;
	config.engines = cpus > 1 ? std::min(cpus, ENGINES_MOST) : 0;
	/* On one CPU both sides sleep on each round trip, and one heavy fence costs more than many full
	 * fences. */
	config.full_fences = cpus == 1;
	if (wishes.engines >= 0)
		config.engines = static_cast<uint32_t>(wishes.engines);
	config.engine_cpus = wishes.engine_cpus;
	if (wishes.watchdog_ms >= 0)
		config.watchdog_ns = static_cast<uint64_t>(wishes.watchdog_ms) * base::NS_PER_MS;
	return config;
}

void explore(Config &config, std::shared_ptr<const base::SchedulePlan> plan)
{
	config.schedule = std::move(plan);
	config.engines = 0;
	config.idle_polls = 0;
	config.features |= UNPU_FEATURE_SCHEDULED;
}

/* A client can make the kernel allocate all pages of its control segments, because it may touch them without a
 * request. So they count as memory of the client from the start. */
static constexpr uint64_t SEMAPHORE_BYTES =
	sizeof(unpu_sem_device) + sizeof(unpu_sem_host) + Semaphores::ENTRY_BYTES;
static constexpr uint64_t PART_FOR_SEMAPHORES = 16;

uint32_t Quotas::semaphore_limit() const
{
	if (semaphores || !memory_bytes)
		return semaphores;
	const uint64_t fit = memory_bytes / PART_FOR_SEMAPHORES / SEMAPHORE_BYTES;
	return static_cast<uint32_t>(std::clamp<uint64_t>(fit, 1, UNPU_MAX_SEMAPHORES));
}

uint64_t Quotas::control_bytes() const
{
	const uint32_t limit = semaphore_limit();
	const uint64_t table_bytes = uint64_t{Semaphores::ENTRY_BYTES} * UNPU_SEMAPHORES_END(limit);
	uint64_t pages_bytes = 0;
	for (uint64_t bytes : {UNPU_COMPLETION_BYTES(limit), UNPU_CLIENT_BYTES(limit), table_bytes})
		pages_bytes += base::round_up(bytes, base::segment_unit(UNPU_PAGE_4K));
	return pages_bytes;
}

bool Quotas::are_possible() const
{
	return memory_bytes == 0 || control_bytes() <= memory_bytes / 2;
}

} // namespace fw
