// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "drv/device.h"

namespace umd {

/** note_many_queries() - looks whether a loop of queries ends. Called for each of a number of queries. */
void note_many_queries(drv::Device &device, const drv::Fence &fence);

/** note_vain_query() - a query has found that @fence is not done. A stepped device does work only while a thread waits,
 * so a loop of queries does not end. Writes a line, once in a process, when the same query has failed for a second.
 * Context: any thread. */
inline void note_vain_query(drv::Device &device, const drv::Fence &fence)
{
	constexpr uint32_t MANY = 1024;
	static thread_local constinit uint32_t queries = 0;
	if (++queries % MANY == 0) [[unlikely]]
		note_many_queries(device, fence);
}

} // namespace umd
