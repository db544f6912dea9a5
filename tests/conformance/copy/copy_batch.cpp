// SPDX-License-Identifier: MIT
/*
 * DOC: copies in batches
 *
 * Check 48. A batch is as asynchronous, as ordered and as capturable as plain copies are, however
 * the driver groups its entries.
 */
#include "capture/capture_objects.h"

#include <numeric>

using namespace conformance;

namespace {

using CopyBatch = DeviceTest;

std::vector<uint8_t> numbered(size_t size)
{
	std::vector<uint8_t> bytes(size);

	std::iota(bytes.begin(), bytes.end(), uint8_t{1});
	return bytes;
}

/* A batch over pieces of two buffers. */
struct Batch {
	std::vector<void *> dsts;
	std::vector<size_t> maxs;
	std::vector<void *> srcs;
	std::vector<size_t> sizes;
	std::vector<aclrtMemcpyBatchAttr> attrs;
	std::vector<size_t> indexes;
	size_t fail = 77;

	void add(void *dst, const void *src, size_t size)
	{
		dsts.push_back(dst);
		maxs.push_back(size);
		srcs.push_back(const_cast<void *>(src));
		sizes.push_back(size);
	}

	void place(aclrtMemLocationType dst, aclrtMemLocationType src, size_t index)
	{
		aclrtMemcpyBatchAttr attr = {};

		attr.dstLoc.type = dst;
		attr.srcLoc.type = src;
		attrs.push_back(attr);
		indexes.push_back(index);
	}

	void place_up(size_t index)
	{
		place(ACL_MEM_LOCATION_TYPE_DEVICE, ACL_MEM_LOCATION_TYPE_HOST, index);
	}

	void place_down(size_t index)
	{
		place(ACL_MEM_LOCATION_TYPE_HOST, ACL_MEM_LOCATION_TYPE_DEVICE, index);
	}

	aclError now()
	{
		fail = 77;
		return aclrtMemcpyBatch(dsts.data(), maxs.data(), srcs.data(), sizes.data(),
					sizes.size(), attrs.data(), indexes.data(), attrs.size(),
					&fail);
	}

	aclError async(aclrtStream stream)
	{
		fail = 77;
		return aclrtMemcpyBatchAsync(dsts.data(), maxs.data(), srcs.data(), sizes.data(),
					     sizes.size(), attrs.data(), indexes.data(),
					     attrs.size(), &fail, stream);
	}
};

} // namespace

TEST_F(CopyBatch, CopiesEachPiece)
{
	const DeviceBuffer device(4096);
	const PinnedBuffer pinned(4096);
	const std::vector<uint8_t> in = numbered(4096);
	std::vector<uint8_t> out(4096);
	const Stream stream;
	Batch up;
	Batch down;

	for (size_t at = 0; at < 4096; at += 64) {
		up.add(device.at(4096 - 64 - at), in.data() + at, at == 128 ? 0 : 64);
		down.add(static_cast<uint8_t *>(pinned.data()) + 4096 - 64 - at, device.at(at), 64);
	}
	up.place_up(0);
	up.place_up(7);
	down.place_down(0);
	EXPECT_OK(up.now());
	EXPECT_EQ(up.fail, SIZE_MAX);
	EXPECT_OK(down.async(stream));
	EXPECT_EQ(down.fail, SIZE_MAX);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	std::vector<uint8_t> expected = in;
	std::fill_n(expected.begin() + 128, 64, uint8_t{0});
	EXPECT_EQ(std::memcmp(pinned.data(), expected.data(), 4096), 0);
	EXPECT_OK(aclrtMemcpyBatchV2(up.dsts.data(), up.maxs.data(), up.srcs.data(),
				     up.sizes.data(), up.sizes.size(), up.attrs.data(),
				     up.indexes.data(), up.attrs.size()));
	EXPECT_OK(aclrtMemcpyBatchAsyncV2(down.dsts.data(), down.maxs.data(), down.srcs.data(),
					  down.sizes.data(), down.sizes.size(), down.attrs.data(),
					  down.indexes.data(), down.attrs.size(), nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

/* More than go into one packet, of all kinds at once: small, large, empty, pageable. */
TEST_F(CopyBatch, Check48_ManyOfAllKinds)
{
	constexpr size_t kCount = 100;
	constexpr size_t kLarge = 300000;
	const DeviceBuffer device(kCount * 64);
	const DeviceBuffer large(kLarge);
	const PinnedBuffer pinned(kLarge);
	const std::vector<uint8_t> in = numbered(kLarge);
	const Stream stream;
	Batch batch;

	std::copy(in.begin(), in.end(), static_cast<uint8_t *>(pinned.data()));
	for (size_t i = 0; i < kCount; ++i) {
		const void *from = i % 7 == 3 ? in.data() + i * 64
					      : static_cast<uint8_t *>(pinned.data()) + i * 64;

		batch.add(device.at(i * 64), from, i % 5 == 2 ? 0 : 64);
		if (i == 50)
			batch.add(large.data(), pinned.data(), kLarge);
	}
	batch.place_up(0);
	EXPECT_OK(aclrtMemset(device.data(), device.size(), 0, device.size()));
	EXPECT_OK(batch.async(stream));
	EXPECT_EQ(batch.fail, SIZE_MAX);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	std::vector<uint8_t> expected(in.begin(), in.begin() + kCount * 64);
	for (size_t i = 2; i < kCount; i += 5)
		std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(i * 64), 64, uint8_t{0});
	EXPECT_EQ(device.load<uint8_t>(), expected);
	EXPECT_EQ(large.load<uint8_t>(), in);
}

/* Each batch sees the results of earlier tasks, and later tasks see the results of the batch. */
TEST_F(CopyBatch, Check48_InStreamOrder)
{
	constexpr size_t kCount = 45;
	const DeviceBuffer device(kCount * 64);
	const PinnedBuffer first(64);
	const PinnedBuffer out(kCount * 64);
	const Stream stream;

	first.fill(0);
	for (uint8_t value = 1; value < 20; ++value) {
		Batch up;
		Batch down;

		for (size_t i = 0; i < kCount; ++i) {
			up.add(device.at(i * 64), first.data(), 64);
			down.add(static_cast<uint8_t *>(out.data()) + i * 64, device.at(i * 64),
				 64);
		}
		up.place_up(0);
		down.place_down(0);
		EXPECT_OK(up.async(stream));
		EXPECT_OK(aclrtMemsetAsync(device.data(), device.size(), value, device.size(),
					   stream));
		EXPECT_OK(down.async(stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(static_cast<uint8_t *>(out.data())[kCount * 64 - 1], value);
		EXPECT_EQ(static_cast<uint8_t *>(out.data())[0], value);
	}
}

TEST_F(CopyBatch, Check48_EmptyBatchesSucceed)
{
	Batch batch;

	batch.add(nullptr, nullptr, 0);
	batch.add(nullptr, nullptr, 0);
	EXPECT_OK(batch.now());
	EXPECT_EQ(batch.fail, SIZE_MAX);
	EXPECT_OK(batch.async(nullptr));
	EXPECT_EQ(batch.fail, SIZE_MAX);
}

TEST_F(CopyBatch, Check48_ArgumentsAreRefusedAsAWhole)
{
	const DeviceBuffer device(256);
	const PinnedBuffer host(256);
	Batch good;

	good.add(device.data(), host.data(), 64);
	good.add(device.at(64), host.data(), 64);
	good.place_up(0);
	host.fill(9);
	const auto refused = [&](const char *mention, auto &&change) {
		Batch batch = good;

		change(batch);
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, mention, batch.now());
		EXPECT_EQ(batch.fail, SIZE_MAX);
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, mention, batch.async(nullptr));
		EXPECT_EQ(batch.fail, SIZE_MAX);
	};
	refused("numBatches", [](Batch &b) {
		b.sizes.clear();
		b.sizes.reserve(4);
	});
	refused("numAttrs", [](Batch &b) {
		b.attrs.clear();
		b.attrs.reserve(4);
	});
	refused("numAttrs", [](Batch &b) {
		b.place_up(1);
		b.place_up(1);
	});
	refused("attrsIndexes", [](Batch &b) { b.indexes[0] = 1; });
	refused("attrsIndexes", [](Batch &b) { b.place_up(0); });
	refused("attrsIndexes", [](Batch &b) { b.place_up(2); });
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "sizes",
		     aclrtMemcpyBatch(good.dsts.data(), good.maxs.data(), good.srcs.data(), nullptr,
				      2, good.attrs.data(), good.indexes.data(), 1, &good.fail));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "failIndex",
		     aclrtMemcpyBatch(good.dsts.data(), good.maxs.data(), good.srcs.data(),
				      good.sizes.data(), 2, good.attrs.data(), good.indexes.data(),
				      1, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(holds(device, 0));
}

TEST_F(CopyBatch, Check48_TheCopyThatFailsIsNamed)
{
	const DeviceBuffer device(256);
	const PinnedBuffer host(256);
	Batch good;

	for (size_t i = 0; i < 4; ++i)
		good.add(device.at(i * 64), host.data(), 64);
	good.place_up(0);
	host.fill(9);
	const auto named = [&](aclError code, auto &&change) {
		Batch batch = good;

		change(batch);
		EXPECT_FAILS(code, "2", batch.now());
		EXPECT_EQ(batch.fail, 2U);
		EXPECT_FAILS(code, "2", batch.async(nullptr));
		EXPECT_EQ(batch.fail, 2U);
	};
	named(ACL_ERROR_INVALID_PARAM, [](Batch &b) { b.place_down(2); });
	named(ACL_ERROR_INVALID_PARAM, [](Batch &b) {
		b.place_up(1);
		b.place_up(2);
		b.attrs[2].rsv[15] = 1;
	});
	named(ACL_ERROR_INVALID_PARAM, [](Batch &b) {
		b.place_up(1);
		b.place_up(2);
		b.attrs[2].srcLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
	});
	named(ACL_ERROR_RT_INVALID_DEVICEID, [](Batch &b) {
		b.place_up(2);
		b.attrs[1].dstLoc.id = 77;
	});
	named(ACL_ERROR_INVALID_PARAM, [](Batch &b) { b.maxs[2] = 63; });
	named(ACL_ERROR_INVALID_PARAM, [](Batch &b) { b.srcs[2] = nullptr; });
	named(ACL_ERROR_INVALID_PARAM, [&](Batch &b) { std::swap(b.srcs[2], b.dsts[2]); });
	named(ACL_ERROR_INVALID_PARAM, [&](Batch &b) { b.srcs[2] = device.data(); });
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(holds(device, 0)) << "a batch that is refused copies nothing";
}

TEST_F(CopyBatch, Check58_InACapture)
{
	constexpr size_t kCount = 50;
	const DeviceBuffer device(kCount * 16);
	const PinnedBuffer host(256);
	std::vector<uint8_t> pageable(256);
	const Stream stream;
	Batch batch;
	Batch blocking;

	for (size_t i = 0; i < kCount; ++i)
		batch.add(device.at(i * 16), host.data(), 16);
	batch.place_up(0);
	blocking.add(device.data(), pageable.data(), 128);
	blocking.place_up(0);
	begin_capture(stream);
	EXPECT_OK(batch.async(stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "capture", blocking.async(stream));
	EXPECT_FAILS(ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC, "", blocking.async(nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT, "", batch.now());
	const Model model(stream);
	for (uint8_t value = 6; value < 9; ++value) {
		host.fill(value);
		model.execute(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_TRUE(holds(device, value));
	}
}
