// SPDX-License-Identifier: MIT
/**
 * DOC: Names of collective operations
 */
#include "collective.h"

#include <cstddef>
#include <iterator>

namespace umd {

const char *collective_name(Collective call)
{
	static constexpr const char *NAMES[] = {
		"HcclAllReduce",     "HcclReduce",    "HcclBroadcast",	   "HcclAllGather",
		"HcclReduceScatter", "HcclScatter",   "HcclAllGatherV",	   "HcclReduceScatterV",
		"HcclAlltoAll",	     "HcclAlltoAllV", "HcclAlltoAllVC",	   "HcclBarrier",
		"HcclSend",	     "HcclRecv",      "HcclBatchSendRecv",
	};
	constexpr auto FIRST = static_cast<size_t>(Collective::ALL_REDUCE);
	static_assert(std::size(NAMES) == static_cast<size_t>(Collective::END) - FIRST);
	if (!is_collective(static_cast<uint16_t>(call)))
		return "an operation";
	return NAMES[static_cast<size_t>(call) - FIRST];
}

} // namespace umd
