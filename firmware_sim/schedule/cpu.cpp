// SPDX-License-Identifier: MIT
/**
 * DOC: CPU of the device's thread
 */
#include "cpu.h"

#include <algorithm>

#include <sched.h>

#include "base/clock.h"
#include "tuning.h"

namespace fw {

uint32_t cpu_here()
{
	return static_cast<uint32_t>(sched_getcpu() + 1);
}

bool Cpu::wants_to_move()
{
	if (leave_.load() == 0)
		return false;
	return leave_.exchange(0) == cpu_here() && base::now_ns() - moved_ns_ >= interval_ns_;
}

void Cpu::move()
{
	const uint64_t now_ns = base::now_ns();
	const uint64_t since_ns = now_ns - moved_ns_;
	cpu_set_t allowed;
	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0 || CPU_COUNT(&allowed) < 2)
		return;
	interval_ns_ = since_ns < 4 * interval_ns_ ? std::min(2 * interval_ns_, tuning::HOP_MOST_NS)
						   : tuning::HOP_LEAST_NS;
	moved_ns_ = now_ns;
	cpu_set_t others = allowed;
	CPU_CLR(cpu_here() - 1, &others);
	if (sched_setaffinity(0, sizeof(others), &others) == 0)
		(void)sched_setaffinity(0, sizeof(allowed), &allowed);
}

bool Cpu::settle()
{
	const uint32_t before = number_;
	number_ = cpu_here();
	if (number_ == before)
		return false;
	if (!is_kicked_on(number_))
		way_ = Way::POLLS;
	return true;
}

void Cpu::give_way()
{
	const uint32_t here = cpu_here();
	if (!is_kicked_on(here))
		return;
	const uint64_t now_ns = base::coarse_ns();
	const bool is_soon = now_ns - shared_ns_ < tuning::SHARED_SOON_NS;
	if (is_soon)
		leave(here - 1);
	shared_ns_ = now_ns;
	way_ = is_soon ? Way::SLEEPS_AGAIN : Way::SLEEPS;
}

} // namespace fw
