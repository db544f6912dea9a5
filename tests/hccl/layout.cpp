// SPDX-License-Identifier: MIT
/*
 * DOC: numbers and layouts that compiled programs rely on
 */
#include <cstddef>
#include <cstring>

#include "ranks.h"

namespace hccl_test {

static_assert(sizeof(HcclRootInfo) == 4108 && sizeof(HcclConfigValue) == 4);
static_assert(sizeof(HcclSendRecvItem) == 32 && offsetof(HcclSendRecvItem, buf) == 8);
static_assert(offsetof(HcclSendRecvItem, count) == 16 &&
	      offsetof(HcclSendRecvItem, dataType) == 24);
static_assert(offsetof(HcclSendRecvItem, remoteRank) == 28);
static_assert(HCCL_REDUCE_SUM == 0 && HCCL_REDUCE_PROD == 1 && HCCL_REDUCE_MAX == 2 &&
	      HCCL_REDUCE_MIN == 3);
static_assert(HCCL_DATA_TYPE_FP16 == 3 && HCCL_DATA_TYPE_FP32 == 4 && HCCL_DATA_TYPE_INT64 == 5);
static_assert(HCCL_DATA_TYPE_FP64 == 10 && HCCL_DATA_TYPE_BFP16 == 11 && HCCL_DATA_TYPE_HIF8 == 14);
static_assert(HCCL_E_TIMEOUT == 9 && HCCL_E_AGAIN == 20 && HCCL_E_REMOTE == 21 &&
	      HCCL_E_SUSPENDING == 22);
static_assert(offsetof(HcclCommConfig, hcclUdi) == 160 &&
	      offsetof(HcclCommConfig, hcclOpExpansionMode) == 288);
static_assert(offsetof(HcclCommConfig, hcclWorldRankID) == 300 &&
	      offsetof(HcclCommConfig, hcclJobID) == 304);
static_assert(offsetof(HcclCommConfig, hcclExecTimeOut) == 316 && sizeof(HcclCommConfig) == 320);

/* A program of an older version has a smaller struct, one of a newer version a larger one. */
TEST(Layout, ConfigsOfOtherVersions)
{
	ASSERT_EQ(aclInit(nullptr), 0);
	ASSERT_EQ(aclrtSetDevice(0), 0);
	for (size_t size : {size_t{32}, size_t{160}, size_t{2240}}) {
		HcclRootInfo info;
		HcclComm comm = nullptr;
		std::vector<uint8_t> raw(4096, 0xff);
		HcclCommConfig config;
		HcclCommConfigInit(&config);
		std::memcpy(config.hcclCommName, "named", 6);
		std::memcpy(config.reserved, &size, sizeof(size));
		std::memcpy(raw.data(), &config, std::min(size, sizeof(config)));
		ASSERT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS);
		ASSERT_EQ(HcclCommInitRootInfoConfig(
				  1, &info, 0, reinterpret_cast<const HcclCommConfig *>(raw.data()),
				  &comm),
			  HCCL_SUCCESS)
			<< size << " " << take_message();
		char name[COMM_NAME_MAX_LENGTH];
		EXPECT_EQ(HcclGetCommName(comm, name), HCCL_SUCCESS);
		EXPECT_EQ(std::strcmp(name, "named") == 0, size != 32) << size;
		EXPECT_EQ(HcclCommDestroy(comm), HCCL_SUCCESS);
	}
	EXPECT_EQ(aclrtResetDevice(0), 0);
	EXPECT_EQ(aclFinalize(), 0);
}

} // namespace hccl_test
