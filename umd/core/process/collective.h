// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace umd {

/** enum class Collective - the collective operations. In the cookie of a packet their numbers come after
 * those of enum class Call, with a gap. */
enum class Collective : uint8_t {
	NONE = 0,
	ALL_REDUCE = 0x40,
	REDUCE,
	BROADCAST,
	ALL_GATHER,
	REDUCE_SCATTER,
	SCATTER,
	ALL_GATHER_V,
	REDUCE_SCATTER_V,
	ALL_TO_ALL,
	ALL_TO_ALL_V,
	ALL_TO_ALL_VC,
	BARRIER,
	SEND,
	RECV,
	BATCH,
	END,
};
/** is_collective() - whether the number of a call is one of these. */
constexpr bool is_collective(uint16_t number)
{
	return number >= static_cast<uint8_t>(Collective::ALL_REDUCE) &&
	       number < static_cast<uint8_t>(Collective::END);
}

/** is_reduction() - whether the call computes. is_exchange() - whether each pair of ranks has data of its own. */
constexpr bool is_reduction(Collective call)
{
	return call == Collective::ALL_REDUCE || call == Collective::REDUCE ||
	       call == Collective::REDUCE_SCATTER || call == Collective::REDUCE_SCATTER_V;
}
constexpr bool is_exchange(Collective call)
{
	return call == Collective::SCATTER || call == Collective::ALL_TO_ALL ||
	       call == Collective::ALL_TO_ALL_V || call == Collective::ALL_TO_ALL_VC;
}

/** collective_name() - the name of an operation, for messages. */
const char *collective_name(Collective call);

} // namespace umd
