// SPDX-License-Identifier: MIT
/**
 * DOC: DPDK
 *
 * rte_ring with one producer and one consumer; both sides poll.
 */
#include <cstdio>
#include <cstdlib>

#include "peers/echo.h"
#include "peers/peer.h"

/* Last: they define NS_PER_S. */
#include <rte_ring.h>
#include <rte_ring_elem.h>

namespace bench {

namespace {

constexpr unsigned DEPTH = 1024;

class Ring {
public:
	Ring()
	{
		const ssize_t bytes = rte_ring_get_memsize_elem(sizeof(Descriptor), DEPTH);
		ring_ = static_cast<rte_ring *>(
			std::aligned_alloc(128, (static_cast<size_t>(bytes) + 127) / 128 * 128));
		if (!ring_ ||
		    rte_ring_init(ring_, "bench", DEPTH, RING_F_SP_ENQ | RING_F_SC_DEQ) != 0) {
			std::fprintf(stderr, "DPDK: no ring can be made\n");
			std::exit(1);
		}
	}
	~Ring() { std::free(ring_); }

	bool send(const Descriptor &descriptor)
	{
		return rte_ring_sp_enqueue_bulk_elem(ring_, &descriptor, sizeof(descriptor), 1,
						     nullptr) == 1;
	}
	bool receive(Descriptor &descriptor)
	{
		return rte_ring_sc_dequeue_bulk_elem(ring_, &descriptor, sizeof(descriptor), 1,
						     nullptr) == 1;
	}

private:
	rte_ring *ring_;
};

} // namespace

void run_dpdk(const Effort &effort, Round &round)
{
	Ring there;
	Ring back;
	Echo<Ring> echo(there, back);
	add_trip(effort, round, "dpdk_ring", "trip", "DPDK rte_ring, there and back",
		 [&] { echo.trip(); });
}

} // namespace bench
