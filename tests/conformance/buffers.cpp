// SPDX-License-Identifier: MIT
/*
 * DOC: buffers
 *
 * Memory of the host with several references, a private area for each and chains of them.
 */
#include "fixture.h"

using namespace conformance;

namespace {

using Buffers = InitTest;

aclrtMbuf make(size_t size)
{
	aclrtMbuf buf = nullptr;

	EXPECT_OK(aclrtAllocBuf(&buf, size));
	return buf;
}

char *data_of(aclrtMbuf buf, size_t expected)
{
	void *data = nullptr;
	size_t size = 0;

	EXPECT_OK(aclrtGetBufData(buf, &data, &size));
	EXPECT_EQ(size, expected);
	return static_cast<char *>(data);
}

} // namespace

TEST_F(Buffers, HoldWhatTheProgramWrites)
{
	aclrtMbuf buf = make(1000);
	char *data = data_of(buf, 1000);
	size_t length = 99;

	ASSERT_NE(data, nullptr);
	std::memset(data, 7, 1000);
	EXPECT_OK(aclrtGetBufDataLen(buf, &length));
	EXPECT_EQ(length, 0u);
	EXPECT_OK(aclrtSetBufDataLen(buf, 1000));
	EXPECT_OK(aclrtGetBufDataLen(buf, &length));
	EXPECT_EQ(length, 1000u);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "len", aclrtSetBufDataLen(buf, 1001));
	EXPECT_OK(aclrtFreeBuf(buf));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "buf", aclrtFreeBuf(buf));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "buf", aclrtSetBufDataLen(buf, 1));
}

TEST_F(Buffers, ReferencesShareTheMemoryAndNothingElse)
{
	aclrtMbuf buf = make(64);
	aclrtMbuf other = nullptr;
	uint32_t word = 0x1234;
	size_t length = 0;

	EXPECT_OK(aclrtSetBufDataLen(buf, 8));
	EXPECT_OK(aclrtSetBufUserData(buf, &word, sizeof(word), 92));
	EXPECT_OK(aclrtCopyBufRef(buf, &other));
	EXPECT_NE(other, buf);
	char *data = data_of(buf, 64);
	EXPECT_EQ(data_of(other, 64), data);
	EXPECT_OK(aclrtSetBufDataLen(buf, 16));
	word = 0;
	EXPECT_OK(aclrtSetBufUserData(buf, &word, sizeof(word), 92));
	data[63] = 5;
	EXPECT_OK(aclrtFreeBuf(buf));
	EXPECT_EQ(data_of(other, 64)[63], 5) << "the memory lives with the last reference";
	EXPECT_OK(aclrtGetBufDataLen(other, &length));
	EXPECT_EQ(length, 8u);
	EXPECT_OK(aclrtGetBufUserData(other, &word, sizeof(word), 92));
	EXPECT_EQ(word, 0x1234u);
	EXPECT_OK(aclrtFreeBuf(other));
}

TEST_F(Buffers, HaveAPrivateAreaOf96Bytes)
{
	aclrtMbuf buf = make(1);
	char area[97] = {};

	std::memset(area, 3, sizeof(area));
	EXPECT_OK(aclrtGetBufUserData(buf, area, 96, 0));
	EXPECT_EQ(std::string(area, 96), std::string(96, '\0'));
	EXPECT_OK(aclrtSetBufUserData(buf, area, 96, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "96", aclrtSetBufUserData(buf, area, 97, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "96", aclrtSetBufUserData(buf, area, 1, 96));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "96", aclrtGetBufUserData(buf, area, 2, 95));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "96", aclrtGetBufUserData(buf, area, 1, SIZE_MAX));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dataPtr", aclrtGetBufUserData(buf, nullptr, 1, 0));
	EXPECT_OK(aclrtFreeBuf(buf));
}

TEST_F(Buffers, FormChains)
{
	aclrtMbuf head = make(8);
	aclrtMbuf second = make(8);
	aclrtMbuf third = make(8);
	aclrtMbuf found = nullptr;
	uint32_t count = 0;

	EXPECT_OK(aclrtGetBufChainNum(head, &count));
	EXPECT_EQ(count, 1u);
	EXPECT_OK(aclrtAppendBufChain(head, second));
	EXPECT_OK(aclrtAppendBufChain(head, third));
	EXPECT_OK(aclrtGetBufChainNum(head, &count));
	EXPECT_EQ(count, 3u);
	const aclrtMbuf order[] = {head, second, third};
	for (uint32_t i = 0; i < 3; ++i) {
		EXPECT_OK(aclrtGetBufFromChain(head, i, &found));
		EXPECT_EQ(found, order[i]);
	}
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "index", aclrtGetBufFromChain(head, 3, &found));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "chain", aclrtAppendBufChain(head, third));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "chain", aclrtAppendBufChain(head, head));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "first", aclrtFreeBuf(second));
	aclrtMbuf single = make(8);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "first", aclrtAppendBufChain(second, single));
	EXPECT_OK(aclrtFreeBuf(single));
	EXPECT_OK(aclrtFreeBuf(head));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "buf", aclrtFreeBuf(third));
}

TEST_F(Buffers, WrongArguments)
{
	aclrtMbuf buf = nullptr;
	void *data = nullptr;
	size_t size = 0;
	uint32_t count = 0;

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size", aclrtAllocBuf(&buf, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "buf", aclrtAllocBuf(nullptr, 1));
	EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, "bytes", aclrtAllocBuf(&buf, SIZE_MAX));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "buf", aclrtFreeBuf(nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "buf", aclrtGetBufData(nullptr, &data, &size));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "buf", aclrtGetBufDataLen(nullptr, &size));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "buf", aclrtCopyBufRef(nullptr, &buf));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "headBuf", aclrtGetBufChainNum(nullptr, &count));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "headBuf", aclrtAppendBufChain(nullptr, buf));
	buf = make(1);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dataPtr", aclrtGetBufData(buf, nullptr, &size));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "newBuf", aclrtCopyBufRef(buf, nullptr));
	EXPECT_OK(aclrtFreeBuf(buf));
}
