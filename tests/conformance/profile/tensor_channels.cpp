// SPDX-License-Identifier: MIT
/*
 * DOC: channels of tensors
 *
 * A receiver gets copies of the tensors that were sent, in order, with their types, shapes and
 * data. A sender waits while the channel is full; stopping the channel ends the wait.
 */
#include <thread>

#include "acl/acl_tdt.h"
#include "support/fixture.h"

using namespace conformance;

namespace {

using Channels = DeviceTest;

class Channel {
public:
	explicit Channel(const char *name, size_t capacity = 0)
		: handle_(capacity ? acltdtCreateChannelWithCapacity(0, name, capacity)
				   : acltdtCreateChannel(0, name))
	{
		EXPECT_NE(handle_, nullptr);
	}
	~Channel() { EXPECT_OK(acltdtDestroyChannel(handle_)); }
	Channel(const Channel &) = delete;
	Channel &operator=(const Channel &) = delete;

	operator acltdtChannelHandle *() const { return handle_; }
	size_t size() const
	{
		size_t sets = 0;

		EXPECT_OK(acltdtQueryChannelSize(handle_, &sets));
		return sets;
	}

private:
	acltdtChannelHandle *handle_;
};

class Set {
public:
	Set() : set_(acltdtCreateDataset()) { EXPECT_NE(set_, nullptr); }
	~Set()
	{
		EXPECT_OK(acltdtDestroyDataset(set_));
		for (acltdtDataItem *item : items_)
			EXPECT_OK(acltdtDestroyDataItem(item));
	}
	Set(const Set &) = delete;
	Set &operator=(const Set &) = delete;

	operator acltdtDataset *() const { return set_; }
	void add(acltdtTensorType kind, const std::vector<int64_t> &dims, void *data, size_t size)
	{
		items_.push_back(acltdtCreateDataItem(kind, dims.data(), dims.size(), ACL_INT32,
						      data, size));
		ASSERT_NE(items_.back(), nullptr);
		EXPECT_OK(acltdtAddDataItem(set_, items_.back()));
	}
	acltdtDataItem *item(size_t index) const { return acltdtGetDataItem(set_, index); }
	size_t size() const { return acltdtGetDatasetSize(set_); }

private:
	acltdtDataset *set_;
	std::vector<acltdtDataItem *> items_;
};

int32_t number_in(const acltdtDataItem *item)
{
	int32_t number = -1;

	if (acltdtGetDataAddrFromItem(item))
		memcpy(&number, acltdtGetDataAddrFromItem(item), sizeof(number));
	return number;
}

aclError send_number(const Channel &channel, int32_t number, int32_t timeout)
{
	Set set;

	set.add(ACL_TENSOR_DATA_TENSOR, {1}, &number, sizeof(number));
	return acltdtSendTensor(channel, set, timeout);
}

TEST_F(Channels, WhatIsSentComesOut)
{
	Channel sender("train"), receiver("train"), other("else");
	Set sent, got;
	int32_t matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
	int64_t dims[2] = {};

	sent.add(ACL_TENSOR_DATA_TENSOR, {2, 3}, matrix, sizeof(matrix));
	sent.add(ACL_TENSOR_DATA_END_OF_SEQUENCE, {}, nullptr, 0);
	EXPECT_OK(acltdtSendTensor(sender, sent, 0));
	matrix[1][2] = 0;
	EXPECT_EQ(receiver.size(), 1u);
	EXPECT_EQ(other.size(), 0u);
	EXPECT_FAILS(ACL_ERROR_RT_QUEUE_EMPTY, "empty", acltdtReceiveTensor(other, got, 0));
	ASSERT_OK(acltdtReceiveTensor(receiver, got, -1));
	ASSERT_EQ(got.size(), 2u);
	EXPECT_STREQ(acltdtGetDatasetName(got), "train");
	EXPECT_EQ(acltdtGetTensorTypeFromItem(got.item(0)), ACL_TENSOR_DATA_TENSOR);
	EXPECT_EQ(acltdtGetTensorTypeFromItem(got.item(1)), ACL_TENSOR_DATA_END_OF_SEQUENCE);
	EXPECT_EQ(acltdtGetDataTypeFromItem(got.item(0)), ACL_INT32);
	EXPECT_EQ(acltdtGetDimNumFromItem(got.item(0)), 2u);
	EXPECT_OK(acltdtGetDimsFromItem(got.item(0), dims, 2));
	EXPECT_EQ(dims[0], 2);
	EXPECT_EQ(dims[1], 3);
	ASSERT_EQ(acltdtGetDataSizeFromItem(got.item(0)), sizeof(matrix));
	matrix[1][2] = 6;
	EXPECT_EQ(memcmp(acltdtGetDataAddrFromItem(got.item(0)), matrix, sizeof(matrix)), 0);
	EXPECT_EQ(got.item(2), nullptr);
	EXPECT_FAILS(ACL_ERROR_FEATURE_UNSUPPORTED, "received",
		     acltdtAddDataItem(got, sent.item(0)));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dimNum",
		     acltdtGetDimsFromItem(got.item(0), dims, 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dataset", acltdtReceiveTensor(receiver, sent, 0));
}

TEST_F(Channels, KeepOrderAndBlock)
{
	Channel channel("order", 2);
	constexpr int32_t kMany = 500;

	EXPECT_OK(send_number(channel, 0, 0));
	EXPECT_OK(send_number(channel, 1, 0));
	EXPECT_EQ(send_number(channel, 2, 0), ACL_ERROR_RT_QUEUE_FULL);
	EXPECT_EQ(send_number(channel, 2, 1), ACL_ERROR_RT_QUEUE_FULL);
	std::thread producer([&] {
		for (int32_t i = 2; i < kMany; i++)
			EXPECT_OK(send_number(channel, i, -1));
	});
	Set got;
	for (int32_t i = 0; i < kMany; i++) {
		ASSERT_OK(acltdtReceiveTensor(channel, got, -1));
		EXPECT_EQ(number_in(got.item(0)), i);
	}
	producer.join();
	EXPECT_EQ(channel.size(), 0u);
}

TEST_F(Channels, StoppingEndsWaiting)
{
	Channel channel("stop");
	Set got;
	aclError rc = ACL_SUCCESS;
	std::thread waiter([&] { rc = acltdtReceiveTensor(channel, got, -1); });

	EXPECT_OK(acltdtStopChannel(channel));
	waiter.join();
	EXPECT_EQ(rc, ACL_ERROR_INVALID_PARAM);
	EXPECT_EQ(send_number(channel, 1, 0), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Channels, CleaningDropsWhatIsIn)
{
	Channel channel("clean", 2);
	Set got;

	EXPECT_OK(send_number(channel, 1, 0));
	EXPECT_OK(send_number(channel, 2, 0));
	EXPECT_OK(acltdtCleanChannel(channel));
	EXPECT_EQ(channel.size(), 0u);
	EXPECT_OK(send_number(channel, 3, 0));
	ASSERT_OK(acltdtReceiveTensor(channel, got, 0));
	EXPECT_EQ(number_in(got.item(0)), 3);
}

TEST_F(Channels, SlicesAreNumbered)
{
	Channel channel("slices");
	Set sent, got;
	int32_t data[3] = {1, 2, 3};
	size_t slices = 9;
	size_t slice = 9;

	sent.add(ACL_TENSOR_DATA_TENSOR, {1}, &data[0], sizeof(data[0]));
	sent.add(ACL_TENSOR_DATA_SLICE_TENSOR, {1}, &data[1], sizeof(data[1]));
	sent.add(ACL_TENSOR_DATA_END_TENSOR, {1}, &data[2], sizeof(data[2]));
	EXPECT_OK(acltdtSendTensor(channel, sent, 0));
	ASSERT_OK(acltdtReceiveTensor(channel, got, 0));
	ASSERT_EQ(got.size(), 3u);
	EXPECT_OK(acltdtGetSliceInfoFromItem(got.item(0), &slices, &slice));
	EXPECT_EQ(slices, 0u);
	EXPECT_OK(acltdtGetSliceInfoFromItem(got.item(1), &slices, &slice));
	EXPECT_EQ(slices, 2u);
	EXPECT_EQ(slice, 0u);
	EXPECT_OK(acltdtGetSliceInfoFromItem(got.item(2), &slices, &slice));
	EXPECT_EQ(slices, 2u);
	EXPECT_EQ(slice, 1u);
}

template <class Call> void expect_none(const char *mention, Call &&call)
{
	take_message();
	EXPECT_EQ(call(), nullptr);
	EXPECT_NE(take_message().find(mention), std::string::npos) << mention;
}

TEST_F(Channels, WhatIsWrongIsNamed)
{
	Channel channel("named", 4);
	Set empty;
	size_t size = 0;
	int64_t dim = 1;

	expect_none("name", [] { return acltdtCreateChannel(0, nullptr); });
	expect_none("name", [] { return acltdtCreateChannel(0, ""); });
	expect_none("device", [] { return acltdtCreateChannel(1000, "n"); });
	expect_none("capacity", [] { return acltdtCreateChannelWithCapacity(0, "n", 1); });
	expect_none("capacity", [] { return acltdtCreateChannelWithCapacity(0, "named", 5); });
	expect_none("tdtType", [&] {
		return acltdtCreateDataItem(ACL_TENSOR_DATA_UNDEFINED, &dim, 1, ACL_INT32, &dim,
					    sizeof(dim));
	});
	expect_none("data", [&] {
		return acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, &dim, 1, ACL_INT32, nullptr, 8);
	});
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "empty", acltdtSendTensor(channel, empty, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "handle", acltdtCleanChannel(nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "handle", acltdtQueryChannelSize(nullptr, &size));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "handle", acltdtStopChannel(nullptr));
	EXPECT_EQ(acltdtGetDatasetSize(nullptr), 0u);
	EXPECT_EQ(acltdtGetDatasetName(nullptr), nullptr);
	EXPECT_EQ(acltdtGetTensorTypeFromItem(nullptr), ACL_TENSOR_DATA_UNDEFINED);
}

} // namespace
