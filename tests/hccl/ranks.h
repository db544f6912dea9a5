// SPDX-License-Identifier: MIT
/*
 * DOC: ranks of a test
 *
 * A communicator of several devices of this process, with a stream and memory for each rank. One thread submits
 * for all ranks, one after the other, so a call that waited for another rank would never return.
 */
#ifndef UNPU_TESTS_HCCL_RANKS_H
#define UNPU_TESTS_HCCL_RANKS_H

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "hccl/hccl.h"

namespace hccl_test {

using Bytes = std::vector<uint8_t>;

/* The sentence of this thread's last failure; "" when there is none. */
std::string take_message();

/* The code is the expected one, and the sentence has each of @words, which '|' parts. */
testing::AssertionResult refused(HcclResult rc, HcclResult expected, const std::string &words);

class Ranks {
public:
	explicit Ranks(uint32_t count);
	~Ranks();
	Ranks(const Ranks &) = delete;
	Ranks &operator=(const Ranks &) = delete;

	uint32_t size() const { return static_cast<uint32_t>(comms_.size()); }
	HcclComm comm(uint32_t rank) const { return comms_[rank]; }
	aclrtStream stream(uint32_t rank) const { return streams_[rank]; }
	/* Makes the device of a rank current. */
	void select(uint32_t rank) const
	{
		ASSERT_EQ(aclrtSetDevice(static_cast<int32_t>(rank)), 0);
	}

	/* Device memory of a rank with these contents; freed with the ranks. */
	void *put(uint32_t rank, const Bytes &bytes);
	Bytes get(uint32_t rank, const void *memory, size_t bytes) const;
	void free_memory();

	/* Calls @call for each rank with its device current. */
	void each(const std::function<void(uint32_t)> &call) const;
	/* Waits for the streams of all ranks. */
	void finish() const;

private:
	std::vector<HcclComm> comms_;
	std::vector<aclrtStream> streams_;
	std::vector<std::pair<uint32_t, void *>> memory_;
};

} // namespace hccl_test

#endif
