// SPDX-License-Identifier: MIT
/*
 * DOC: buffers, and queues that they go through
 *
 * A buffer has data, a length and a private area, and may head a chain. A queue keeps order, blocks
 * when it is full, and hands over the very same memory. Routes move buffers on by themselves.
 */
#include <thread>

#include <unistd.h>

#include "acl/acl_tdt_queue.h"
#include "support/fixture.h"

using namespace conformance;

namespace {

using Buffers = DeviceTest;
using Queues = DeviceTest;

constexpr size_t kBytes = 256;
constexpr size_t kPrivate = 96;

aclrtMbuf make_buffer(uint32_t value, size_t size = kBytes)
{
	aclrtMbuf buf = nullptr;
	void *data = nullptr;
	size_t room = 0;

	EXPECT_OK(aclrtAllocBuf(&buf, size));
	EXPECT_OK(aclrtGetBufData(buf, &data, &room));
	EXPECT_EQ(room, size);
	memcpy(data, &value, sizeof(value));
	EXPECT_OK(aclrtSetBufDataLen(buf, sizeof(value)));
	return buf;
}

uint32_t value_of(aclrtMbuf buf)
{
	void *data = nullptr;
	size_t room = 0;
	uint32_t value = 0;

	EXPECT_OK(aclrtGetBufData(buf, &data, &room));
	if (data)
		memcpy(&value, data, sizeof(value));
	return value;
}

TEST_F(Buffers, HaveALengthAndAPrivateArea)
{
	aclrtMbuf buf = nullptr;
	size_t length = 1;
	char word[kPrivate] = "word";
	char back[kPrivate] = "";

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size", aclrtAllocBuf(&buf, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "buf", aclrtAllocBuf(nullptr, 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "buf", aclrtFreeBuf(nullptr));
	ASSERT_OK(aclrtAllocBuf(&buf, kBytes));
	EXPECT_OK(aclrtGetBufDataLen(buf, &length));
	EXPECT_EQ(length, 0u);
	EXPECT_OK(aclrtSetBufDataLen(buf, kBytes));
	EXPECT_OK(aclrtGetBufDataLen(buf, &length));
	EXPECT_EQ(length, kBytes);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "len", aclrtSetBufDataLen(buf, kBytes + 1));
	EXPECT_OK(aclrtSetBufUserData(buf, word, 5, kPrivate - 5));
	EXPECT_OK(aclrtGetBufUserData(buf, back, 5, kPrivate - 5));
	EXPECT_STREQ(back, "word");
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "offset",
		     aclrtSetBufUserData(buf, word, 5, kPrivate - 4));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "offset",
		     aclrtGetBufUserData(buf, back, kPrivate, 1));
	EXPECT_OK(aclrtFreeBuf(buf));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "buf", aclrtFreeBuf(buf));
}

TEST_F(Buffers, ReferencesShareTheMemoryAndOutliveIt)
{
	aclrtMbuf first = make_buffer(7);
	aclrtMbuf second = nullptr;
	void *data = nullptr;
	size_t room = 0;
	const uint32_t changed = 8;

	ASSERT_OK(aclrtCopyBufRef(first, &second));
	EXPECT_NE(first, second);
	EXPECT_EQ(value_of(second), 7u);
	EXPECT_OK(aclrtGetBufData(first, &data, &room));
	memcpy(data, &changed, sizeof(changed));
	EXPECT_OK(aclrtFreeBuf(first));
	EXPECT_EQ(value_of(second), changed);
	EXPECT_OK(aclrtFreeBuf(second));
}

TEST_F(Buffers, AChainGoesWithItsHead)
{
	aclrtMbuf head = make_buffer(0);
	aclrtMbuf parts[3];
	uint32_t count = 0;
	aclrtMbuf found = nullptr;

	for (uint32_t i = 0; i < 3; i++) {
		parts[i] = make_buffer(i + 1);
		EXPECT_OK(aclrtAppendBufChain(head, parts[i]));
	}
	EXPECT_OK(aclrtGetBufChainNum(head, &count));
	EXPECT_EQ(count, 4u);
	for (uint32_t i = 0; i < count; i++) {
		EXPECT_OK(aclrtGetBufFromChain(head, i, &found));
		EXPECT_EQ(value_of(found), i);
	}
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "index", aclrtGetBufFromChain(head, 4, &found));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "chain", aclrtAppendBufChain(head, parts[0]));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "chain", aclrtAppendBufChain(head, head));
	EXPECT_NE(aclrtFreeBuf(parts[1]), ACL_SUCCESS);
	EXPECT_OK(aclrtFreeBuf(head));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "buf", aclrtFreeBuf(parts[1]));
}

class Queue {
public:
	explicit Queue(uint32_t depth = 4, const char *name = "q")
	{
		acltdtQueueAttr *attr = acltdtCreateQueueAttr();

		EXPECT_OK(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(name), &name));
		EXPECT_OK(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof(depth),
					     &depth));
		EXPECT_OK(acltdtCreateQueue(attr, &id_));
		EXPECT_OK(acltdtDestroyQueueAttr(attr));
	}
	~Queue()
	{
		if (!gone_) {
			EXPECT_OK(acltdtDestroyQueue(id_));
		}
	}
	Queue(const Queue &) = delete;
	Queue &operator=(const Queue &) = delete;

	operator uint32_t() const { return id_; }
	void destroy()
	{
		EXPECT_OK(acltdtDestroyQueue(id_));
		gone_ = true;
	}
	void put(uint32_t value) const { EXPECT_OK(acltdtEnqueue(id_, make_buffer(value), 0)); }
	void expect(uint32_t value) const
	{
		acltdtBuf buf = nullptr;

		ASSERT_OK(acltdtDequeue(id_, &buf, 0));
		EXPECT_EQ(value_of(buf), value);
		EXPECT_OK(acltdtFreeBuf(buf));
	}
	void expect_empty() const
	{
		acltdtBuf buf = nullptr;

		EXPECT_FAILS(ACL_ERROR_RT_QUEUE_EMPTY, "empty", acltdtDequeue(id_, &buf, 0));
	}

private:
	uint32_t id_ = 0;
	bool gone_ = false;
};

TEST_F(Queues, AttributesAreChecked)
{
	acltdtQueueAttr *attr = acltdtCreateQueueAttr();
	uint32_t depth = 0;
	const char *name = "name";
	const char *back = nullptr;
	size_t given = 0;

	ASSERT_NE(attr, nullptr);
	EXPECT_OK(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(name), &name));
	EXPECT_OK(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(back), &given, &back));
	EXPECT_EQ(given, sizeof(back));
	EXPECT_STREQ(back, "name");
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "depth",
		     acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof(depth), &depth));
	depth = 3;
	EXPECT_OK(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof(depth), &depth));
	depth = 0;
	EXPECT_OK(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof(depth), &given,
				     &depth));
	EXPECT_EQ(depth, 3u);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "len",
		     acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 2, &given, &depth));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "type",
		     acltdtSetQueueAttr(attr, raw_enum<acltdtQueueAttrType>(9), 4, &depth));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "qid", acltdtCreateQueue(attr, nullptr));
	EXPECT_OK(acltdtDestroyQueueAttr(attr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "attr", acltdtDestroyQueueAttr(nullptr));
}

TEST_F(Queues, KeepOrderAndHandOverTheBuffer)
{
	Queue queue(2);
	aclrtMbuf buf = make_buffer(5);
	aclrtMbuf spare = make_buffer(6);
	acltdtBuf back = nullptr;

	queue.expect_empty();
	EXPECT_OK(acltdtEnqueue(queue, buf, 0));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "queue", aclrtFreeBuf(buf));
	queue.put(9);
	EXPECT_FAILS(ACL_ERROR_RT_QUEUE_FULL, "full", acltdtEnqueue(queue, spare, 0));
	EXPECT_FAILS(ACL_ERROR_RT_QUEUE_FULL, "full", acltdtEnqueue(queue, spare, 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "timeout", acltdtEnqueue(queue, spare, -2));
	EXPECT_OK(aclrtFreeBuf(spare));
	ASSERT_OK(acltdtDequeue(queue, &back, -1));
	EXPECT_EQ(back, buf);
	EXPECT_EQ(value_of(back), 5u);
	EXPECT_OK(acltdtFreeBuf(back));
	queue.expect(9);
}

TEST_F(Queues, ManyBuffersThroughAShortQueue)
{
	Queue queue(2);
	constexpr uint32_t kMany = 1000;
	std::thread producer([&] {
		for (uint32_t i = 0; i < kMany; i++)
			EXPECT_OK(acltdtEnqueue(queue, make_buffer(i), -1));
	});

	for (uint32_t i = 0; i < kMany; i++) {
		acltdtBuf buf = nullptr;

		EXPECT_OK(acltdtDequeue(queue, &buf, -1));
		EXPECT_EQ(value_of(buf), i);
		EXPECT_OK(acltdtFreeBuf(buf));
	}
	producer.join();
}

TEST_F(Queues, DestroyingEndsWaiting)
{
	Queue queue;
	aclError rc = ACL_SUCCESS;
	acltdtBuf buf = nullptr;
	std::thread waiter([&] { rc = acltdtDequeue(queue, &buf, -1); });

	queue.destroy();
	waiter.join();
	EXPECT_EQ(rc, ACL_ERROR_INVALID_QUEUE_ID);
	EXPECT_FAILS(ACL_ERROR_INVALID_QUEUE_ID, "queue", acltdtDestroyQueue(queue));
	EXPECT_FAILS(ACL_ERROR_INVALID_QUEUE_ID, "queue", acltdtDequeue(queue, &buf, 0));
}

TEST_F(Queues, DataIsCopiedInAndOut)
{
	Queue queue;
	const char sent[] = "some data";
	char got[32] = "";
	char user[8] = "";
	size_t bytes = 0;

	EXPECT_OK(acltdtEnqueueData(queue, sent, sizeof(sent), "user", 5, 0, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "dataSize",
		     acltdtDequeueData(queue, got, 2, &bytes, nullptr, 0, 0));
	EXPECT_EQ(bytes, sizeof(sent));
	EXPECT_OK(acltdtDequeueData(queue, got, sizeof(got), &bytes, user, 5, 0));
	EXPECT_EQ(bytes, sizeof(sent));
	EXPECT_STREQ(got, sent);
	EXPECT_STREQ(user, "user");
	EXPECT_FAILS(ACL_ERROR_RT_QUEUE_EMPTY, "empty",
		     acltdtDequeueData(queue, got, sizeof(got), &bytes, nullptr, 0, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "userDataSize",
		     acltdtEnqueueData(queue, sent, sizeof(sent), sent, kPrivate + 1, 0, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_QUEUE_ID, "queue",
		     acltdtEnqueueData(queue + 1000, sent, sizeof(sent), nullptr, 0, 0, 0));
}

TEST_F(Queues, DataMayBeInDeviceMemory)
{
	Queue queue;
	const DeviceBuffer sent(64);
	const DeviceBuffer got(64);
	size_t bytes = 0;

	EXPECT_OK(aclrtMemset(sent.data(), 64, 3, 64));
	EXPECT_OK(acltdtEnqueueData(queue, sent.data(), 48, nullptr, 0, 0, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "data",
		     acltdtDequeueData(queue, got.data(), size_t{1} << 40, &bytes, nullptr, 0, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "data",
		     acltdtEnqueueData(queue, sent.at(32), 4096, nullptr, 0, 0, 0));
	EXPECT_OK(acltdtDequeueData(queue, got.data(), 64, &bytes, nullptr, 0, 0));
	EXPECT_EQ(bytes, 48u);
	std::vector<uint8_t> expected(64, 0);
	std::fill_n(expected.begin(), 48, uint8_t{3});
	EXPECT_EQ(got.load<uint8_t>(), expected);
}

TEST_F(Queues, WithoutAttributesHaveADepthOfEight)
{
	uint32_t id = 0;
	acltdtBuf buf = nullptr;
	const char byte = 1;

	ASSERT_OK(acltdtCreateQueue(nullptr, &id));
	for (int i = 0; i < 8; ++i)
		EXPECT_OK(acltdtEnqueueData(id, &byte, 1, nullptr, 0, 0, 0));
	EXPECT_FAILS(ACL_ERROR_RT_QUEUE_FULL, "8 buffers",
		     acltdtEnqueueData(id, &byte, 1, nullptr, 0, 0, 0));
	EXPECT_OK(acltdtDequeue(id, &buf, 0));
	EXPECT_OK(aclrtFreeBuf(buf));
	EXPECT_OK(acltdtDestroyQueue(id));
}

TEST_F(Queues, AChainIsOneEntry)
{
	Queue queue;
	aclrtMbuf head = make_buffer(1);
	aclrtMbuf part = make_buffer(2);
	uint32_t values[2] = {};
	size_t bytes = 0;

	EXPECT_OK(aclrtAppendBufChain(head, part));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "chain", acltdtEnqueue(queue, part, 0));
	EXPECT_OK(acltdtEnqueue(queue, head, 0));
	EXPECT_OK(acltdtDequeueData(queue, values, sizeof(values), &bytes, nullptr, 0, 0));
	EXPECT_EQ(bytes, sizeof(values));
	EXPECT_EQ(values[0], 1u);
	EXPECT_EQ(values[1], 2u);
}

TEST_F(Queues, AreOfOneProcess)
{
	Queue queue;
	uint32_t permission = 0;

	EXPECT_OK(acltdtGrantQueue(queue, getpid(), ACL_TDT_QUEUE_PERMISSION_DEQUEUE, 0));
	EXPECT_OK(acltdtAttachQueue(queue, 0, &permission));
	EXPECT_EQ(permission, 7u);
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "process",
		     acltdtGrantQueue(queue, getppid(), ACL_TDT_QUEUE_PERMISSION_DEQUEUE, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "permission",
		     acltdtGrantQueue(queue, getpid(), 8, 0));
}

class Routes {
public:
	Routes() : list_(acltdtCreateQueueRouteList()) {}
	~Routes() { EXPECT_OK(acltdtDestroyQueueRouteList(list_)); }
	Routes(const Routes &) = delete;
	Routes &operator=(const Routes &) = delete;

	operator acltdtQueueRouteList *() const { return list_; }
	void add(uint32_t from, uint32_t to) const
	{
		acltdtQueueRoute *route = acltdtCreateQueueRoute(from, to);

		EXPECT_OK(acltdtAddQueueRoute(list_, route));
		EXPECT_OK(acltdtDestroyQueueRoute(route));
	}
	int32_t status(size_t index) const
	{
		acltdtQueueRoute *route = acltdtCreateQueueRoute(0, 0);
		int32_t status = -1;
		size_t given = 0;

		EXPECT_OK(acltdtGetQueueRoute(list_, index, route));
		EXPECT_OK(acltdtGetQueueRouteParam(route, ACL_TDT_QUEUE_ROUTE_STATUS_INT32,
						   sizeof(status), &given, &status));
		EXPECT_OK(acltdtDestroyQueueRoute(route));
		return status;
	}
	void ask(acltdtQueueRouteQueryMode mode, uint32_t from, uint32_t to) const
	{
		acltdtQueueRouteQueryInfo *info = acltdtCreateQueueRouteQueryInfo();

		EXPECT_OK(acltdtSetQueueRouteQueryInfo(info, ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM,
						       sizeof(mode), &mode));
		EXPECT_OK(acltdtSetQueueRouteQueryInfo(
			info, ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, sizeof(from), &from));
		EXPECT_OK(acltdtSetQueueRouteQueryInfo(
			info, ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32, sizeof(to), &to));
		EXPECT_OK(acltdtQueryQueueRoutes(info, list_));
		EXPECT_OK(acltdtDestroyQueueRouteQueryInfo(info));
	}

private:
	acltdtQueueRouteList *list_;
};

TEST_F(Queues, RoutesMoveBuffersOn)
{
	Queue source(4), left(2), right(2);
	Routes routes, found;

	source.put(1);
	routes.add(source, left);
	routes.add(source, right);
	EXPECT_EQ(routes.status(0), ACL_TDT_QUEUE_ROUTE_UNBIND);
	ASSERT_OK(acltdtBindQueueRoutes(routes));
	EXPECT_EQ(routes.status(1), ACL_TDT_QUEUE_ROUTE_BIND);
	/* Earlier buffers went left, because there was no route to the right yet. */
	left.expect(1);
	right.expect_empty();
	for (uint32_t i = 2; i < 6; i++)
		source.put(i);
	/* Two have room everywhere, the others wait for the slower one. */
	left.expect(2);
	left.expect(3);
	left.expect_empty();
	for (uint32_t i = 2; i < 6; i++)
		right.expect(i);
	left.expect(4);
	left.expect(5);
	source.expect_empty();

	found.ask(ACL_TDT_QUEUE_ROUTE_QUERY_SRC, source, 0);
	EXPECT_EQ(acltdtGetQueueRouteNum(found), 2u);
	found.ask(ACL_TDT_QUEUE_ROUTE_QUERY_DST, 0, right);
	EXPECT_EQ(acltdtGetQueueRouteNum(found), 1u);
	found.ask(ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST, left, right);
	EXPECT_EQ(acltdtGetQueueRouteNum(found), 0u);

	EXPECT_OK(acltdtUnbindQueueRoutes(routes));
	source.put(6);
	source.expect(6);
	left.expect_empty();
}

TEST_F(Queues, RoutesThatCannotBe)
{
	Queue first, second, third;
	Routes there, back, nowhere, abnormal;

	there.add(first, second);
	there.add(second, third);
	ASSERT_OK(acltdtBindQueueRoutes(there));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "bound", acltdtBindQueueRoutes(there));
	back.add(third, first);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "route", acltdtBindQueueRoutes(back));
	EXPECT_EQ(back.status(0), ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL);
	nowhere.add(first, third + 1000);
	EXPECT_FAILS(ACL_ERROR_INVALID_QUEUE_ID, "queue", acltdtBindQueueRoutes(nowhere));
	first.put(1);
	third.expect(1);
	second.destroy();
	abnormal.ask(ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL, 0, 0);
	EXPECT_EQ(acltdtGetQueueRouteNum(abnormal), 2u);
	EXPECT_OK(acltdtUnbindQueueRoutes(abnormal));
}

} // namespace
