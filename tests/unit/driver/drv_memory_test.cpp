// SPDX-License-Identifier: MIT
/*
 * DOC: The driver's objects of memory, tested
 */
#include <gtest/gtest.h>

#include "drv/device.h"

namespace {

using base::Status;

class DrvMemory : public testing::Test {
protected:
	void SetUp() override
	{
		std::string why;
		hal::Options options;
		options.backend = hal::Backend::THREAD;
		options.memory_bytes = uint64_t{128} << 20;
		auto opened = drv::Device::open(options, 0, why);
		ASSERT_TRUE(opened.ok()) << why;
		device = opened.take();
	}

	std::unique_ptr<drv::Device> device;
};

/* A thread may free the object that another thread has just looked up. */
TEST_F(DrvMemory, ACopyOfAnObjectIsReadAfterTheEndOfItsChunk)
{
	constexpr uint64_t BYTES = uint64_t{4} << 20;
	drv::Memory &memory = device->memory();
	/* Managed memory is a chunk of its own, which is not kept for later. */
	const auto made = memory.allocate_managed(BYTES);
	ASSERT_TRUE(made.ok());
	const drv::Bo copy = memory.lookup(made->va);
	EXPECT_NE(memory.part_of(made->va).segment, 0u);
	ASSERT_EQ(memory.free(drv::Place::PINNED, made->va, drv::Use::MANAGED), Status::OK);
	EXPECT_EQ(copy.place, drv::Place::PINNED);
	EXPECT_EQ(copy.bytes, BYTES);
	EXPECT_EQ(memory.part_of(made->va).segment, 0u);
}

} // namespace
