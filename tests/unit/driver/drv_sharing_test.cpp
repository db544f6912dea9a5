// SPDX-License-Identifier: MIT
/*
 * DOC: The driver's side of sharing, tested
 *
 * Two embedded devices of this process; what is exported here is for the process itself.
 */
#include <cstring>

#include <gtest/gtest.h>

#include "drv/device.h"
#include "drv/packet/packets.h"
#include "uapi/event.h"

namespace {

using base::Status;

class DrvSharing : public testing::Test {
protected:
	void SetUp() override { open(hal::Backend::STEP); }

	void open(hal::Backend backend)
	{
		std::string why;
		hal::Options options;
		options.backend = backend;
		options.memory_bytes = uint64_t{128} << 20;
		options.devices = 2;
		for (unsigned i = 0; i < 2; i++) {
			auto opened = drv::Device::open(options, i, why);
			ASSERT_TRUE(opened.ok()) << why;
			devices[i] = opened.take();
		}
		first = devices[0].get();
		second = devices[1].get();
	}

	std::unique_ptr<drv::Device> devices[2];
	drv::Device *first = nullptr;
	drv::Device *second = nullptr;
};

TEST_F(DrvSharing, AWholeShareableSegmentIsMappedByBoth)
{
	auto made = first->create_segment(UNPU_SEGMENT_PINNED, 4096, UNPU_SEGMENT_SHAREABLE);
	ASSERT_TRUE(made.ok());
	auto key = first->sharing().export_segment(made->id, 0, 4096, UNPU_EXPORT_SAME_PROCESS);
	ASSERT_TRUE(key.ok());
	auto imported = second->sharing().import_segment(*key);
	ASSERT_TRUE(imported.ok());
	ASSERT_TRUE(imported->shared.fd.valid());
	auto view = base::map_shared(imported->shared.fd, imported->bytes, true, UNPU_PAGE_4K);
	ASSERT_TRUE(view.ok());
	*made->memory.as<int>() = 42;
	EXPECT_EQ(*view->as<int>(), 42);
	auto part = first->sharing().export_segment(made->id, 64, 64, UNPU_EXPORT_SAME_PROCESS);
	ASSERT_TRUE(part.ok());
	imported = second->sharing().import_segment(*part);
	ASSERT_TRUE(imported.ok());
	EXPECT_FALSE(imported->shared.fd.valid());
	EXPECT_EQ(imported->bytes, 64u);
	EXPECT_EQ(first->sharing().withdraw(*part), Status::OK);
	EXPECT_EQ(second->sharing().import_segment(*part).status(), Status::NOT_SHARED);
	EXPECT_EQ(second->sharing().withdraw(*key), Status::NOT_SHARED);
	first->destroy_segment(made->id);
	EXPECT_EQ(second->sharing().import_segment(*key).status(), Status::NOT_SHARED);
}

TEST_F(DrvSharing, ListsAreOfAnyLength)
{
	auto made = first->create_segment(UNPU_SEGMENT_DEVICE, 4096);
	ASSERT_TRUE(made.ok());
	auto key = first->sharing().export_segment(made->id, 0, 64, 0);
	ASSERT_TRUE(key.ok());
	EXPECT_EQ(second->sharing().import_segment(*key).status(), Status::SAME_PROCESS);
	std::vector<uint32_t> pids(100);
	for (uint32_t i = 0; i < pids.size(); i++)
		pids[i] = i + 1;
	EXPECT_EQ(first->sharing().allow(*key, pids), Status::OK);
	EXPECT_EQ(second->sharing().allow(*key, pids), Status::NOT_SHARED);
	pids.resize(UNPU_EXPORT_MAX_ALLOWED + 1);
	for (uint32_t i = 0; i < pids.size(); i++)
		pids[i] = i + 1;
	EXPECT_EQ(first->sharing().allow(*key, pids), Status::QUOTA);
}

/* A part of a segment is reached by the device alone; the host has it move the bytes. */
TEST_F(DrvSharing, ImportedMemoryHasAnAddress)
{
	constexpr uint64_t BYTES = (uint64_t{1} << 20) + 64;
	std::string why;
	auto bo = first->memory().allocate(drv::Place::DEVICE, BYTES, UNPU_PAGE_4K, why);
	ASSERT_TRUE(bo.ok());
	auto key = first->sharing().export_segment(bo->chunk->segment, bo->va - bo->chunk->va,
						   BYTES, UNPU_EXPORT_SAME_PROCESS);
	ASSERT_TRUE(key.ok());
	auto segment = second->sharing().import_segment(*key);
	ASSERT_TRUE(segment.ok());
	auto imported = second->memory().import(*segment);
	ASSERT_TRUE(imported.ok());
	uint64_t va = imported->va;
	EXPECT_NE(va, bo->va);
	EXPECT_EQ(second->space().place(va), drv::Place::DEVICE);
	EXPECT_TRUE(second->memory().covers(va, BYTES));
	EXPECT_FALSE(second->memory().covers(va, BYTES + 64));
	EXPECT_EQ(second->space().aperture(va, BYTES), nullptr);

	std::vector<std::byte> bytes(BYTES, std::byte{7});
	EXPECT_EQ(second->stager().write(va, bytes.data(), BYTES), Status::OK);
	EXPECT_EQ(memcmp(first->space().aperture(bo->va, BYTES), bytes.data(), BYTES), 0);
	EXPECT_EQ(second->stager().fill(va + 1, BYTES - 2, 9, 1), Status::OK);
	EXPECT_EQ(second->stager().read(bytes.data(), va, BYTES), Status::OK);
	EXPECT_EQ(memcmp(first->space().aperture(bo->va, BYTES), bytes.data(), BYTES), 0);
	EXPECT_EQ(bytes[0], std::byte{7});
	EXPECT_EQ(bytes[BYTES - 2], std::byte{9});
	EXPECT_EQ(second->stager().copy(va + BYTES - 1, va + 1, 64), Status::MMU_FAULT);
	EXPECT_EQ(second->stager().copy(va + 64, va, 64), Status::OK) << "a failure is told once";

	EXPECT_EQ(second->memory().free(drv::Place::DEVICE, va), Status::INVALID_ARGUMENT);
	EXPECT_EQ(first->memory().close(bo->va), Status::INVALID_ARGUMENT);
	EXPECT_EQ(second->memory().close(va), Status::OK);
	EXPECT_FALSE(second->memory().covers(va, 1));
	EXPECT_EQ(second->memory().live(), 0u);
	EXPECT_EQ(first->memory().free(drv::Place::DEVICE, bo->va), Status::OK);
}

TEST_F(DrvSharing, AFollowerOfASemaphoreSeesItsValue)
{
	uint32_t sem = *first->semaphores().allocate(drv::SemaphorePool::Use::FLAG);
	EXPECT_EQ(first->set_semaphore(sem, 3), Status::OK);
	auto here = second->peers().follow(*first, sem);
	ASSERT_TRUE(here.ok());
	EXPECT_EQ(second->value(*here), 3u);
	EXPECT_EQ(*second->peers().follow(*first, sem), *here);
	EXPECT_EQ(first->set_semaphore(sem, 5), Status::OK);
	EXPECT_EQ(second->wait({*here, 5}, base::NO_DEADLINE), Status::OK);
	uint32_t used = second->semaphores().in_use();
	first->peers().release(sem);
	EXPECT_EQ(second->semaphores().in_use(), used - 1);
	EXPECT_TRUE(second->peers().follow(*first, sem).ok()) << "it can be followed anew";

	auto channel = drv::Channel::create(*second, {});
	ASSERT_TRUE(channel.ok());
	here = second->peers().follow(*first, sem);
	auto wait = (*channel)->submit(drv::wait_packet(0, *here, 100, 0));
	ASSERT_TRUE(wait.ok());
	devices[0].reset();
	EXPECT_EQ(second->wait(*wait, base::NO_DEADLINE), Status::OK);
	EXPECT_EQ((*channel)->failure().status, Status::PEER_LOST);
	second->reap();
	EXPECT_EQ(second->semaphores().in_use(), used);
}

TEST_F(DrvSharing, AccessToAPeerComesAndGoes)
{
	std::string why;
	drv::Place place;
	auto before = first->memory().allocate(drv::Place::DEVICE, 64, UNPU_PAGE_4K, why);
	ASSERT_TRUE(before.ok());
	EXPECT_FALSE(second->reaches(before->va, 64, place));
	EXPECT_EQ(place, drv::Place::OUTSIDE);
	second->peers().enable(*first);
	EXPECT_TRUE(second->peers().enabled(*first));
	EXPECT_FALSE(first->peers().enabled(*second));
	EXPECT_TRUE(second->reaches(before->va, 64, place));
	EXPECT_EQ(place, drv::Place::DEVICE);
	/* More than a chunk, so it gets one of its own that comes and goes. */
	constexpr uint64_t LARGE = uint64_t{40} << 20;
	auto large = first->memory().allocate(drv::Place::DEVICE, LARGE, UNPU_PAGE_4K, why);
	ASSERT_TRUE(large.ok());
	EXPECT_EQ(second->stager().fill(large->va + LARGE - 1, 1, 4, 1), Status::OK);
	EXPECT_EQ(*first->space().aperture(large->va + LARGE - 1, 1), std::byte{4});
	EXPECT_EQ(first->memory().free(drv::Place::DEVICE, large->va), Status::OK);
	EXPECT_EQ(second->stager().fill(large->va, 1, 4, 1), Status::MMU_FAULT);
	EXPECT_FALSE(second->reaches(large->va, 64, place));
	EXPECT_EQ(second->peers().disable(*first), Status::OK);
	EXPECT_EQ(second->peers().disable(*first), Status::NOT_READY);
	EXPECT_FALSE(second->reaches(before->va, 64, place));
	EXPECT_EQ(second->stager().fill(before->va, 1, 4, 1), Status::MMU_FAULT);
	second->peers().enable(*first);
	devices[0].reset();
	EXPECT_FALSE(second->reaches(before->va, 64, place));
}

/* A stepped device runs inside any waiting thread, also one that waits for another device. */
TEST_F(DrvSharing, ATimelineIsAFenceElsewhere)
{
	auto source = drv::Channel::create(*first, {});
	auto target = drv::Channel::create(*second, {});
	ASSERT_TRUE(source.ok() && target.ok());
	uint32_t timeline = (*source)->timeline();
	auto group = first->sharing().export_group(UNPU_EXPORT_MIRROR, {&timeline, 1}, 0,
						   UNPU_EXPORT_SAME_PROCESS);
	ASSERT_TRUE(group.ok());
	uint32_t mirror = *second->semaphores().allocate(drv::SemaphorePool::Use::FLAG);
	ASSERT_TRUE(second->sharing().import_group(group->key, {&mirror, 1}).ok());
	auto work = (*source)->submit(drv::nop_packet(0));
	ASSERT_TRUE(work.ok());
	auto wait = (*target)->submit(drv::wait_packet(0, mirror, work->value, 0));
	ASSERT_TRUE(wait.ok());
	EXPECT_FALSE(second->done(*wait));
	EXPECT_EQ(second->wait(*wait, base::NO_DEADLINE), Status::OK);
	EXPECT_TRUE(first->done(*work));
	EXPECT_EQ(second->sharing().leave_group(mirror), Status::OK);
	EXPECT_EQ(second->sharing().leave_group(mirror), Status::INVALID_HANDLE);
}

class TwoThreads : public DrvSharing {
protected:
	void SetUp() override { open(hal::Backend::THREAD); }

	/* What @from does to the semaphore it returns, the one in @mirror follows on @to. */
	uint32_t mirrored(drv::Device &from, drv::Device &to, uint32_t &mirror,
			  unpu_export_key &key)
	{
		uint32_t sem = *from.semaphores().allocate();
		mirror = *to.semaphores().allocate(drv::SemaphorePool::Use::FLAG);
		auto group = from.sharing().export_group(UNPU_EXPORT_MIRROR, {&sem, 1}, 0,
							 UNPU_EXPORT_SAME_PROCESS);
		EXPECT_TRUE(group.ok());
		key = group->key;
		EXPECT_TRUE(to.sharing().import_group(key, {&mirror, 1}).ok());
		return sem;
	}
};

/* Each device continues when the other one has signalled: if a wake-up is lost, the test hangs. */
TEST_F(TwoThreads, DevicesTakeTurns)
{
	constexpr uint64_t TURNS = 400;
	auto here = drv::Channel::create(*first, {});
	auto there = drv::Channel::create(*second, {});
	ASSERT_TRUE(here.ok() && there.ok());
	uint32_t ping_there = 0, pong_here = 0;
	unpu_export_key key{};
	uint32_t ping = mirrored(*first, *second, ping_there, key);
	uint32_t pong = mirrored(*second, *first, pong_here, key);
	for (uint64_t turn = 1; turn <= TURNS; turn++) {
		ASSERT_TRUE((*here)->submit(drv::wait_packet(0, pong_here, turn - 1, 0)).ok());
		ASSERT_TRUE((*there)->submit(drv::wait_packet(0, ping_there, turn, 0)).ok());
		ASSERT_TRUE((*there)->submit(drv::signal_packet(0, pong, UNPU_SIGNAL_RAISE, turn))
				    .ok());
		ASSERT_TRUE(
			(*here)->submit(drv::signal_packet(0, ping, UNPU_SIGNAL_RAISE, turn)).ok());
	}
	EXPECT_EQ(second->wait((*there)->last(), base::NO_DEADLINE), Status::OK);
	EXPECT_EQ(first->wait({pong_here, TURNS}, base::NO_DEADLINE), Status::OK);
	EXPECT_EQ((*here)->failure().status, Status::OK);
	EXPECT_EQ((*there)->failure().status, Status::OK);
}

TEST_F(TwoThreads, AGroupEndsWhileItIsInUse)
{
	constexpr unsigned ROUNDS = 50;
	for (unsigned round = 0; round < ROUNDS; round++) {
		auto here = drv::Channel::create(*first, {});
		auto there = drv::Channel::create(*second, {});
		ASSERT_TRUE(here.ok() && there.ok());
		uint32_t mirror = 0;
		unpu_export_key key{};
		uint32_t sem = mirrored(*first, *second, mirror, key);
		ASSERT_TRUE((*there)->submit(drv::wait_packet(0, mirror, 1000, 0)).ok());
		for (uint64_t value = 1; value <= 100; value++)
			ASSERT_TRUE((*here)->submit(drv::signal_packet(0, sem, UNPU_SIGNAL_RAISE,
								       value))
					    .ok());
		EXPECT_EQ(first->sharing().withdraw(key), Status::OK);
		EXPECT_EQ(second->wait((*there)->last(), base::NO_DEADLINE), Status::OK);
		EXPECT_EQ((*there)->failure().status, Status::PEER_LOST);
		EXPECT_EQ(second->sharing().leave_group(mirror), Status::OK);
		EXPECT_EQ(first->wait((*here)->last(), base::NO_DEADLINE), Status::OK);
		first->semaphores().release(sem);
		second->semaphores().release(mirror, drv::SemaphorePool::Use::FLAG);
	}
}

TEST_F(DrvSharing, AnEventBringsItsPage)
{
	auto page = first->create_segment(UNPU_SEGMENT_PINNED, 4096, UNPU_SEGMENT_SHAREABLE);
	ASSERT_TRUE(page.ok());
	uint32_t lanes[2][UNPU_EVENT_LANES];
	for (unsigned i = 0; i < 2; i++) {
		for (uint32_t &lane : lanes[i])
			lane = *devices[i]->semaphores().allocate(drv::SemaphorePool::Use::FLAG);
	}
	auto made = first->sharing().export_group(UNPU_EXPORT_EVENT, lanes[0], page->id,
						  UNPU_EXPORT_SAME_PROCESS);
	ASSERT_TRUE(made.ok());
	auto opened = second->sharing().import_group(made->key, lanes[1]);
	ASSERT_TRUE(opened.ok());
	EXPECT_NE(made->number, opened->number);
	EXPECT_TRUE(opened->page.shared.fd.valid());
	EXPECT_EQ(second->sharing().import_segment(made->key).status(), Status::NOT_SHARED);
	EXPECT_EQ(second->sharing().import_group(made->key, lanes[1]).status(),
		  Status::BAD_SEMAPHORE);
	EXPECT_EQ(first->sharing().withdraw(made->key), Status::OK);
	EXPECT_EQ(second->sharing().leave_group(lanes[1][3]), Status::OK);
}

} // namespace
