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

void Cpu::hop()
{
	if (leave_.load() == 0)
		return;
	uint32_t from = leave_.exchange(0);
	if (cpu_here() != from)
		return;
	uint64_t now = base::now_ns();
	cpu_set_t allowed;
	uint64_t since_ns = now - hopped_ns_;
	if (since_ns < interval_ns_ || sched_getaffinity(0, sizeof(allowed), &allowed) != 0 ||
	    CPU_COUNT(&allowed) < 2)
		return;
	interval_ns_ = since_ns < 4 * interval_ns_ ? std::min(2 * interval_ns_, tuning::HOP_MOST_NS)
						   : tuning::HOP_LEAST_NS;
	hopped_ns_ = now;
	cpu_set_t others = allowed;
	CPU_CLR(from - 1, &others);
	if (sched_setaffinity(0, sizeof(others), &others) == 0)
		(void)sched_setaffinity(0, sizeof(allowed), &allowed);
}

bool Cpu::settle()
{
	hop();
	uint32_t before = number_;
	number_ = cpu_here();
	return number_ != before;
}

} // namespace fw
