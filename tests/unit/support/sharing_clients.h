// SPDX-License-Identifier: MIT
/**
 * DOC: Clients that share
 *
 * Three clients of one firmware, as if each were a process: alice and bob on one device, carol on
 * another.
 */
#pragma once

#include "wire_client.h"

namespace wire {

constexpr uint32_t ALICE = 100, BOB = 200, CAROL = 300;

/* class Sharing - the fixture: two devices at rest. */
class Sharing : public testing::Test {
protected:
	std::shared_ptr<fw::Exchange> exchange = fw::make_exchange();
	std::unique_ptr<fw::Device> first = make_device(0, 0, exchange, 0);
	std::unique_ptr<fw::Device> second = make_device(0, 0, exchange, 1);
	Client alice{*first, ALICE};
	Client bob{*first, BOB};
	Client carol{*second, CAROL};

	/* rest() - until neither device moves. */
	void rest()
	{
		while (settle(*first) + settle(*second) > 0)
			continue;
	}

	static std::vector<uint32_t> fresh(Client &client, unsigned count)
	{
		std::vector<uint32_t> sems;
		for (unsigned i = 0; i < count; i++)
			sems.push_back(client.new_semaphore());
		return sems;
	}

	static unpu_export_key export_group(Client &client, unpu_export_kind kind,
					    const std::vector<uint32_t> &sems, uint64_t page = 0)
	{
		unpu_msg_export request{};
		request.kind = kind;
		request.flags = UNPU_EXPORT_ANY_PROCESS;
		request.segment = page;
		request.count = static_cast<uint32_t>(sems.size());
		std::copy(sems.begin(), sems.end(), request.semaphores);
		EXPECT_EQ(client.share(request), Status::OK);
		return request.key;
	}
};

} // namespace wire
