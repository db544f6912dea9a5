// SPDX-License-Identifier: MIT
/**
 * DOC: ranks of a test
 */
#include "ranks.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace hccl_test {

std::string take_message()
{
	const char *text = aclGetRecentErrMsg();
	return text ? text : "";
}

testing::AssertionResult refused(HcclResult rc, HcclResult expected, const std::string &words)
{
	const std::string text = take_message();
	if (rc != expected)
		return testing::AssertionFailure() << "returned " << rc << ": " << text;
	std::stringstream list(words);
	for (std::string word; std::getline(list, word, '|');) {
		if (text.find(word) == text.npos)
			return testing::AssertionFailure()
			       << "\"" << word << "\" is not in: " << text;
	}
	return testing::AssertionSuccess();
}

Ranks::Ranks(uint32_t count) : comms_(count), streams_(count)
{
	std::vector<int32_t> devices(count);
	for (uint32_t rank = 0; rank < count; rank++) {
		devices[rank] = static_cast<int32_t>(rank);
		EXPECT_EQ(aclrtSetDevice(devices[rank]), 0) << take_message();
		EXPECT_EQ(aclrtCreateStream(&streams_[rank]), 0) << take_message();
	}
	/* Small buffers, so that operations take several rounds. */
	EXPECT_EQ(setenv("HCCL_BUFFSIZE", "2", 1), 0);
	EXPECT_EQ(HcclCommInitAll(count, devices.data(), comms_.data()), HCCL_SUCCESS)
		<< take_message();
	unsetenv("HCCL_BUFFSIZE");
}

Ranks::~Ranks()
{
	free_memory();
	for (uint32_t rank = 0; rank < size(); rank++) {
		EXPECT_EQ(aclrtSetDevice(static_cast<int32_t>(rank)), 0);
		EXPECT_EQ(HcclCommDestroy(comms_[rank]), HCCL_SUCCESS) << take_message();
		EXPECT_EQ(aclrtDestroyStream(streams_[rank]), 0) << take_message();
	}
	for (uint32_t rank = 0; rank < size(); rank++)
		(void)aclrtResetDeviceForce(static_cast<int32_t>(rank));
}

void *Ranks::put(uint32_t rank, const Bytes &bytes)
{
	void *memory = nullptr;
	select(rank);
	EXPECT_EQ(
		aclrtMalloc(&memory, std::max<size_t>(bytes.size(), 1), ACL_MEM_MALLOC_HUGE_FIRST),
		0);
	if (!bytes.empty()) {
		EXPECT_EQ(aclrtMemcpy(memory, bytes.size(), bytes.data(), bytes.size(),
				      ACL_MEMCPY_HOST_TO_DEVICE),
			  0);
	}
	memory_.emplace_back(rank, memory);
	return memory;
}

Bytes Ranks::get(uint32_t rank, const void *memory, size_t bytes) const
{
	Bytes found(bytes);
	select(rank);
	if (bytes != 0) {
		EXPECT_EQ(
			aclrtMemcpy(found.data(), bytes, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST),
			0);
	}
	return found;
}

void Ranks::free_memory()
{
	for (const auto &[rank, memory] : memory_) {
		select(rank);
		EXPECT_EQ(aclrtFree(memory), 0);
	}
	memory_.clear();
}

void Ranks::each(const std::function<void(uint32_t)> &call) const
{
	for (uint32_t rank = 0; rank < size(); rank++) {
		select(rank);
		call(rank);
	}
}

void Ranks::finish() const
{
	each([&](uint32_t rank) {
		EXPECT_EQ(aclrtSynchronizeStream(stream(rank)), 0) << take_message();
	});
}

} // namespace hccl_test
