// SPDX-License-Identifier: MIT
#ifndef UNPU_TESTS_HOSTILE_HOSTILE_H
#define UNPU_TESTS_HOSTILE_HOSTILE_H

#include "hostile_peer.h"

namespace hostile {

/* Where the firmware is. */
struct Place {
	std::string path;
};

/* The options of the firmware: clients of a user, and the time to attach. */
constexpr unsigned USER_CLIENTS = 24;
constexpr const char *ATTACH_MS = "2000";

/* The first condition that does not hold; nullptr if all hold. */
using End = const char *;

struct Case {
	const char *name;
	End (*run)(Peer &peer, const Place &place);
};

/* CHECK() - ends the case with what does not hold. */
#define CHECK(...) \
	do { \
		if (!(__VA_ARGS__)) \
			return #__VA_ARGS__; \
	} while (0)

/* Of files of their own. */
End holes_that_no_page_is_left_for(Peer &peer, const Place &place);
End descriptors_that_close_slowly(Peer &peer, const Place &place);
End sockets_inside_sockets(Peer &peer, const Place &place);
End snapshots_without_a_pause(Peer &peer, const Place &place);

/* The crafted lies. */
const std::vector<Case> &cases();

/* What random lies came to. */
struct Tally {
	uint64_t attaches = 0;
	uint64_t cut_off = 0;
	uint64_t writes = 0;
	uint64_t packets = 0;
	uint64_t requests = 0;
	uint64_t messages = 0;
};

/* lie_at_random() - for so long; false when the firmware does not let a client in any more. */
bool lie_at_random(const Place &place, uint64_t for_ns, uint64_t seed, Tally &tally);

} // namespace hostile

#endif
