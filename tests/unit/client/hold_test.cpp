// SPDX-License-Identifier: MIT
/*
 * DOC: Holds, tested
 *
 * The memory of a job or a transfer stays mapped until the job has ended, even if the client
 * leaves, the mapping is removed or the reservation is freed.
 */
#include <array>
#include <atomic>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "firmware_sim/memory/mmu.h"
#include "tests/unit/support/wire_client.h"

namespace {

using namespace wire;

constexpr uint64_t PIECE = base::HUGE_PAGE_BYTES;
constexpr uint64_t VA = uint64_t{1} << 40;
constexpr uint32_t BOTH = UNPU_ACCESS_READ | UNPU_ACCESS_WRITE;

std::shared_ptr<fw::Segment> make_segment(uint64_t bytes, void *where = nullptr)
{
	auto file = base::create_sealed("unit", bytes, UNPU_PAGE_4K);
	auto memory = base::map_shared(file->fd, bytes, true, UNPU_PAGE_4K, where);
	auto segment = std::make_shared<fw::Segment>();
	segment->memory = memory.take();
	segment->data = segment->memory.data();
	segment->bytes = bytes;
	segment->fd = std::move(file->fd);
	return segment;
}

TEST(Hold, KeepsMemoryWhereItWas)
{
	fw::Mmu mmu;
	ASSERT_EQ(mmu.map(VA, PIECE, make_segment(PIECE), 0, BOTH), Status::OK);
	const fw::Hold hold = mmu.hold(VA + 64, 64);
	memset(hold.data(), 7, 64);
	ASSERT_EQ(mmu.unmap(VA, PIECE), Status::OK);
	EXPECT_EQ(mmu.translate(VA, 1, UNPU_ACCESS_READ).status, Status::MMU_FAULT);
	EXPECT_EQ(std::to_integer<int>(hold.data()[63]), 7);
}

TEST(Hold, KeepsAReservationOfAClientThatLeft)
{
	fw::Mmu mmu;
	ASSERT_EQ(mmu.reserve(VA, 4 * PIECE), Status::OK);
	for (unsigned i = 0; i < 2; i++)
		ASSERT_EQ(mmu.map(VA + i * PIECE, PIECE, make_segment(PIECE), 0, BOTH), Status::OK);
	const fw::Hold hold = mmu.hold(VA, 2 * PIECE);
	memset(hold.data(), 7, 2 * PIECE);
	mmu.clear();
	/* The new mapping has another address in the firmware. */
	std::array<std::shared_ptr<fw::Segment>, 4> others;
	for (auto &other : others) {
		other = make_segment(4 * PIECE);
		memset(other->data, 9, other->bytes);
	}
	for (uint64_t at : {uint64_t{0}, PIECE - 1, PIECE, 2 * PIECE - 1})
		EXPECT_EQ(std::to_integer<int>(hold.data()[at]), 7) << at;
}

TEST(Hold, OfAPieceRefusesItsUnmapAndNoOther)
{
	fw::Mmu mmu;
	ASSERT_EQ(mmu.reserve(VA, 4 * PIECE), Status::OK);
	for (unsigned i = 0; i < 3; i++)
		ASSERT_EQ(mmu.map(VA + i * PIECE, PIECE, make_segment(PIECE), 0, BOTH), Status::OK);
	fw::Hold hold = mmu.hold(VA + PIECE - 8, 16);
	EXPECT_EQ(mmu.unmap(VA, PIECE), Status::IN_USE);
	EXPECT_EQ(mmu.unmap(VA + PIECE, PIECE), Status::IN_USE);
	EXPECT_EQ(mmu.unmap(VA + 2 * PIECE, PIECE), Status::OK);
	EXPECT_EQ(mmu.translate(VA, 2 * PIECE, BOTH).status, Status::OK);
	hold = fw::Hold();
	EXPECT_EQ(mmu.unmap(VA, PIECE), Status::OK);
	EXPECT_EQ(mmu.unmap(VA + PIECE, PIECE), Status::OK);
	EXPECT_EQ(mmu.release(VA, 4 * PIECE), Status::OK);
}

/* Work on a reservation cannot reach the firmware's memory behind it. */
TEST(Mmu, WorkDoesNotCrossFromAReservationToItsNeighbour)
{
	fw::Mmu mmu;
	std::shared_ptr<fw::Segment> behind;
	uint64_t va = VA;
	while (!behind) {
		va += 4 * PIECE;
		ASSERT_EQ(mmu.reserve(va, PIECE), Status::OK);
		ASSERT_EQ(mmu.map(va, PIECE, make_segment(PIECE), 0, BOTH), Status::OK);
		std::byte *end = mmu.translate(va, 1, BOTH).data + PIECE;
		auto room = base::reserve_range_at(reinterpret_cast<uint64_t>(end), PIECE);
		if (!room)
			continue;
		room->release();
		behind = make_segment(PIECE, end);
	}
	ASSERT_EQ(mmu.map(va + PIECE, PIECE, behind, 0, BOTH), Status::OK);
	const fw::Translation found = mmu.translate(va + PIECE - 64, 128, BOTH);
	EXPECT_EQ(found.status, Status::MMU_FAULT);
	EXPECT_EQ(found.address, va + PIECE);
	EXPECT_EQ(mmu.translate(va + PIECE, 128, BOTH).status, Status::OK);
}

TEST(Mmu, WordsStayAligned)
{
	fw::Mmu mmu;
	auto segment = make_segment(PIECE);
	for (uint64_t odd : {1u, 2u, 4u}) {
		EXPECT_EQ(mmu.map(VA + odd, 4096, segment, 0, BOTH), Status::INVALID_ARGUMENT);
		EXPECT_EQ(mmu.map(VA, 4096, segment, odd, BOTH), Status::INVALID_ARGUMENT);
	}
	EXPECT_EQ(mmu.map(VA + 4, 4096, segment, 12, BOTH), Status::OK);
}

/* class BusyFile - a file whose write lock another thread holds nearly all the time. */
class BusyFile {
public:
	BusyFile() : fd(memfd_create("busy", MFD_CLOEXEC))
	{
		thread_ = std::thread([this] {
			while (!stop_) {
				(void)fallocate(fd.get(), 0, OFFSET, BYTES);
				held_ = true;
				(void)fallocate(fd.get(),
						FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, OFFSET,
						BYTES);
			}
		});
		while (!held_)
			std::this_thread::yield();
	}

	/* quiet() - the lock is free from now on. */
	void quiet()
	{
		stop_ = true;
		if (thread_.joinable())
			thread_.join();
	}
	~BusyFile() { quiet(); }

	const base::Fd fd;

private:
	static constexpr off_t OFFSET = 64 << 20;
	static constexpr off_t BYTES = 64 << 20;

	std::atomic<bool> stop_{false};
	std::atomic<bool> held_{false};
	std::thread thread_;
};

std::unique_ptr<fw::Device> make_own_device(uint32_t engines, uint64_t bytes = MEMORY_BYTES)
{
	fw::Config config;
	config.memory_bytes = bytes;
	config.engines = engines;
	config.soc_name = "unit";
	auto device = fw::Device::create(config);
	return device ? device.take() : nullptr;
}

/* A client writes its memory to a file, is cut off and leaves. The write that has begun reads that
 * client's memory, never memory that the firmware has mapped at its address since. */
TEST(Hold, KeepsMemoryThatIsWrittenToAFileByAClientThatLeft)
{
	constexpr uint64_t BYTES = 4 * PIECE;
	auto device = make_own_device(0);
	BusyFile file;
	auto client = std::make_unique<Client>(*device);
	Channel channel(*client);
	const Memory told = client->memory(4096);
	const auto &state = *told.as<unpu_file_state>();
	unpu_message message{};
	message.type = UNPU_MSG_RESERVE;
	message.map.va = VA;
	message.map.bytes = BYTES;
	ASSERT_EQ(client->call(message), Status::OK);
	Memory memory = client->segment(UNPU_SEGMENT_DEVICE, BYTES, UNPU_SEGMENT_SHAREABLE);
	ASSERT_EQ(client->map_segment(VA, BYTES, memory.segment, 0, BOTH), Status::OK);
	memset(memory.window.data(), 7, BYTES);
	auto given = device->give_file(client->id(), file.fd.duplicate(), base::Fd(), false);
	ASSERT_TRUE(given.ok());
	channel.publish(drv::file_packet(1, true, given->number, {VA, BYTES, 0, told.va}));
	settle(*device);
	/* Once the device has begun the write, it blocks in the kernel; if not, the test proves
	 * nothing. */
	settle(*device);
	/* Doorbells from the future. */
	for (uint64_t &entry : client->shared().doorbells.entries)
		base::store_release(entry, uint64_t{1000000} << 32);
	settle(*device);
	EXPECT_EQ(client->broken(), Status::RING_BROKEN);
	client->detach();
	file.quiet();
	ASSERT_TRUE(step_until(*device, [&] {
		return base::load_acquire(state.status) != uint32_t{UNPU_STATUS_NOT_READY};
	}));
	EXPECT_TRUE(state.status == UNPU_STATUS_OK || state.status == UNPU_STATUS_CHANNEL_STOPPED)
		<< state.status << ", error " << state.error;
	std::vector<char> seen(state.bytes);
	EXPECT_EQ(pread(file.fd.get(), seen.data(), seen.size(), 0),
		  static_cast<ssize_t>(seen.size()));
	EXPECT_EQ(std::count(seen.begin(), seen.end(), 7), static_cast<ptrdiff_t>(seen.size()));
}

/* A client that finds no place ends under the token as every other one: what engines have finished for
 * others meanwhile is taken up by one thread at a time. */
TEST(Hold, ADeviceThatIsFullRefusesUnderTheToken)
{
	constexpr uint64_t BYTES = 64 << 10;
	auto device = make_own_device(1);
	std::vector<std::unique_ptr<Client>> clients;
	for (unsigned i = 0; i < 256; i++)
		clients.push_back(std::make_unique<Client>(*device, PID + i));
	Client &busy = *clients.front();
	Memory memory = busy.memory(2 * BYTES);
	std::vector<std::unique_ptr<Channel>> channels;
	for (unsigned i = 0; i < 4; i++)
		channels.push_back(std::make_unique<Channel>(busy));
	std::atomic<bool> stop{false};
	uint64_t refused = 0;
	std::thread other([&] {
		for (; !stop; refused++)
			EXPECT_EQ(device->attach(PID).status(), Status::NO_RESOURCE);
	});
	for (unsigned round = 0; round < 100; round++) {
		std::vector<uint64_t> wanted;
		for (auto &channel : channels)
			wanted.push_back(channel->publish(
				drv::copy_packet(1, memory.va + BYTES, memory.va, BYTES)));
		ASSERT_TRUE(step_until(*device, [&] {
			return std::all_of(channels.begin(), channels.end(), [](auto &channel) {
				return channel->retired() == channel->ring().next();
			});
		}));
	}
	stop = true;
	other.join();
	EXPECT_GT(refused, 0u);
}

/* A process ends, and the next one begins while the upkeep threads still free the memory of the first. */
TEST(Leaving, TheNextClientGetsTheMemory)
{
	constexpr uint64_t ALL = uint64_t{64} << 20, MOST = uint64_t{48} << 20;
	auto device = make_own_device(1, ALL);
	Client next(*device);
	for (unsigned round = 0; round < 8; round++) {
		Client first(*device, PID + 1);
		Memory memory = first.memory(MOST);
		memset(memory.window.data(), 7, MOST);
		EXPECT_EQ(next.memory_info().free_bytes, ALL - MOST);
		first.detach();
		settle(*device);
		EXPECT_EQ(next.memory_info().free_bytes, ALL);
		uint64_t id = 0;
		Status status = Status::IN_USE;
		ASSERT_TRUE(step_until(*device, [&] {
			status = next.create_segment(UNPU_SEGMENT_DEVICE, MOST, UNPU_PAGE_4K, id);
			return status != Status::IN_USE;
		}));
		EXPECT_EQ(status, Status::OK) << round;
		EXPECT_EQ(next.destroy_segment(id), Status::OK);
	}
}

/* Memory of the client itself, which begins and ends anywhere. */
TEST(InPlace, OnlyAFirmwareInTheProcessReachesIt)
{
	alignas(8) std::array<uint8_t, 32> memory{};
	const auto va = reinterpret_cast<uint64_t>(memory.data()) + 3;
	for (const bool reaches : {false, true}) {
		fw::Config config;
		config.memory_bytes = MEMORY_BYTES;
		config.features = UNPU_FEATURE_STEPPED;
		config.reaches_clients = reaches;
		auto device = fw::Device::create(config);
		ASSERT_TRUE(device.ok());
		Client client(**device);
		Channel channel(client);
		EXPECT_EQ(client.map_segment(va, 10, 0, 8, BOTH), Status::INVALID_ARGUMENT);
		ASSERT_EQ(client.map_segment(va, 10, 0, 0, BOTH),
			  reaches ? Status::OK : Status::NOT_SUPPORTED);
		if (!reaches)
			continue;
		EXPECT_EQ(client.map_segment(va + 9, 10, 0, 0, BOTH), Status::INVALID_ARGUMENT);
		EXPECT_EQ(client.map_segment(va + 10, 3, 0, 0, UNPU_ACCESS_READ), Status::OK);
		EXPECT_EQ(channel.run(drv::fill_packet(1, va, 10, 7, 1)), Status::OK);
		EXPECT_EQ(channel.run(drv::fill_packet(2, va + 1, 10, 8, 1)), Status::MMU_FAULT);
		EXPECT_EQ(channel.run(drv::fill_packet(3, va + 10, 1, 8, 1)), Status::ACCESS_FAULT);
		EXPECT_EQ(client.unmap(va, 10), Status::OK);
		EXPECT_EQ(channel.run(drv::fill_packet(4, va, 10, 9, 1)), Status::MMU_FAULT);
	}
	EXPECT_EQ(memory[2], 0);
	EXPECT_EQ(memory[3], 7);
	EXPECT_EQ(memory[12], 7);
	EXPECT_EQ(memory[13], 0);
}

TEST(InPlace, IsUnmappedOnlyWithoutAHold)
{
	std::array<std::byte, 64> memory{};
	auto segment = std::make_shared<fw::Segment>();
	segment->data = memory.data();
	segment->bytes = memory.size();
	segment->is_clients = true;
	fw::Mmu mmu;
	ASSERT_EQ(mmu.map(VA, 64, std::move(segment), 0, BOTH), Status::OK);
	{
		const fw::Hold hold = mmu.hold(VA, 64);
		EXPECT_EQ(mmu.unmap(VA, 64), Status::IN_USE);
	}
	EXPECT_EQ(mmu.unmap(VA, 64), Status::OK);
}

} // namespace
