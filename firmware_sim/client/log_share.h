// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

#include <sys/types.h>

#include "base/clock.h"

namespace fw {

/** class LogShare - limits the lines that a user may cause in the log. The limit is needed because clients
 * can attach, detach and break the protocol as often as they like. */
class LogShare {
public:
	static constexpr uint64_t AT_ONCE = 100;
	static constexpr uint64_t PERIOD_NS = 100 * base::NS_PER_MS;

	/** admit() - whether a line about @user may be written. @left_out: receives how many earlier lines
	 * were left out. */
	bool admit(uid_t user, uint64_t now_ns, uint64_t &left_out)
	{
		Share &share = shares_[user];
		share.paid_until_ns = std::max(share.paid_until_ns, now_ns);
		left_out = share.left_out;
		if (share.paid_until_ns - now_ns > (AT_ONCE - 1) * PERIOD_NS) {
			share.left_out++;
			return false;
		}
		share.paid_until_ns += PERIOD_NS;
		share.left_out = 0;
		return true;
	}

private:
	struct Share {
		uint64_t paid_until_ns = 0;
		uint64_t left_out = 0;
	};
	std::map<uid_t, Share> shares_;
};

} // namespace fw
