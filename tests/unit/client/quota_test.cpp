// SPDX-License-Identifier: MIT
/*
 * DOC: Quotas, tested
 *
 * The limits of one client, seen from the wire. A client that asks for more than its quota gets an
 * error and keeps working; another client still gets its own share.
 */
#include "tests/unit/support/graph_image.h"
#include "tests/unit/support/sharing_clients.h"

#include <atomic>
#include <numeric>

#include <sched.h>
#include <sys/stat.h>

#include "drv/packet/semaphore_pool.h"
#include "firmware_sim/core/core.h"

namespace {

using namespace wire;

constexpr uint64_t MEMORY_QUOTA = uint64_t{1} << 20;
constexpr uint32_t CHANNELS = 3, SEMAPHORES = 16, GRAPHS = 2, MESSAGES = 200;

/* Quotas that leave MEMORY_QUOTA for what the client creates. */
fw::Quotas bounds()
{
	fw::Quotas quotas{0, CHANNELS, SEMAPHORES, GRAPHS, MESSAGES};
	quotas.memory_bytes = MEMORY_QUOTA + quotas.control_bytes();
	return quotas;
}

std::unique_ptr<fw::Device> make_bounded()
{
	fw::Config config;
	config.memory_bytes = MEMORY_BYTES;
	config.features = UNPU_FEATURE_STEPPED;
	config.soc_name = "unit";
	config.quotas = bounds();
	auto device = fw::Device::create(config);
	return device ? device.take() : nullptr;
}

class Quota : public testing::Test {
protected:
	std::unique_ptr<fw::Device> device = make_bounded();
	Client client{*device, ALICE};
	Client other{*device, BOB};

	Status create(Client &of, uint32_t kind, uint64_t bytes, uint64_t &id)
	{
		return of.create_segment(kind, bytes, UNPU_PAGE_4K, id);
	}

	/* The status of CHANNEL_CREATE over a segment; @index: which channel it became. */
	static Status create_channel(Client &of, const Memory &memory, uint32_t timeline,
				     uint32_t &index)
	{
		unpu_message message{};
		message.type = UNPU_MSG_CHANNEL_CREATE;
		message.channel.segment = memory.segment;
		message.channel.slots = UNPU_RING_MIN_SLOTS;
		message.channel.timeline = timeline;
		Status status = of.call(message);
		index = message.channel.channel;
		return status;
	}
};

TEST_F(Quota, MemoryOfAllKindsCounts)
{
	uint64_t device_memory, pinned, more;
	ASSERT_EQ(create(client, UNPU_SEGMENT_DEVICE, MEMORY_QUOTA / 2, device_memory), Status::OK);
	ASSERT_EQ(create(client, UNPU_SEGMENT_PINNED, MEMORY_QUOTA / 2, pinned), Status::OK);
	EXPECT_EQ(create(client, UNPU_SEGMENT_DEVICE, 4096, more), Status::QUOTA);
	EXPECT_EQ(create(client, UNPU_SEGMENT_PINNED, 4096, more), Status::QUOTA);
	EXPECT_EQ(create(client, UNPU_SEGMENT_CHANNEL, 4096, more), Status::QUOTA);
	EXPECT_EQ(create(client, UNPU_SEGMENT_DEVICE, UINT64_MAX, more), Status::NO_MEMORY);
	EXPECT_EQ(create(other, UNPU_SEGMENT_DEVICE, MEMORY_QUOTA, more), Status::OK)
		<< "another client has its own";
	EXPECT_EQ(client.destroy_segment(pinned), Status::OK);
	EXPECT_EQ(create(client, UNPU_SEGMENT_DEVICE, MEMORY_QUOTA / 2, more), Status::OK);
}

TEST_F(Quota, MemoryInfoIsWhatTheClientMayHave)
{
	EXPECT_EQ(client.memory_info().total_bytes, bounds().memory_bytes);
	EXPECT_EQ(client.memory_info().free_bytes, MEMORY_QUOTA);
	uint64_t id;
	ASSERT_EQ(create(client, UNPU_SEGMENT_DEVICE, MEMORY_QUOTA / 4, id), Status::OK);
	EXPECT_EQ(client.memory_info().free_bytes, MEMORY_QUOTA / 4 * 3);
	EXPECT_EQ(other.memory_info().free_bytes, MEMORY_QUOTA);
}

/* Otherwise a client could export its memory, import it elsewhere, and allocate again. */
TEST_F(Quota, MemoryThatOthersStillHaveCounts)
{
	uint64_t id, more;
	ASSERT_EQ(create(client, UNPU_SEGMENT_DEVICE, MEMORY_QUOTA, id), Status::OK);
	unpu_export_key key = client.export_memory(id, 0, MEMORY_QUOTA, UNPU_EXPORT_ANY_PROCESS);
	unpu_msg_export reply{};
	ASSERT_EQ(other.import(key, reply), Status::OK);
	EXPECT_EQ(other.memory_info().free_bytes, MEMORY_QUOTA) << "it counts once";
	ASSERT_EQ(client.destroy_segment(id), Status::OK);
	EXPECT_EQ(create(client, UNPU_SEGMENT_DEVICE, 4096, more), Status::QUOTA);
	EXPECT_EQ(other.destroy_segment(reply.segment), Status::OK);
	EXPECT_EQ(create(client, UNPU_SEGMENT_DEVICE, 4096, more), Status::OK);
}

uint64_t file_bytes(const base::Fd &fd)
{
	struct stat found {};
	EXPECT_EQ(fstat(fd.get(), &found), 0);
	return static_cast<uint64_t>(found.st_size);
}

/* A client can touch all pages of its control segments. */
TEST_F(Quota, ControlSegmentsEndAfterTheLastSemaphore)
{
	auto attached = device->attach(ALICE);
	ASSERT_TRUE(attached.ok());
	EXPECT_EQ(file_bytes(attached->doorbell),
		  base::round_up(UNPU_CLIENT_BYTES(SEMAPHORES), base::PAGE_BYTES));
	EXPECT_EQ(file_bytes(attached->completion),
		  base::round_up(UNPU_COMPLETION_BYTES(SEMAPHORES), base::PAGE_BYTES));
	device->detach(attached->client);
}

TEST(QuotasOfSemaphores, MemoryBoundsThemWhereNothingElseDoes)
{
	fw::Quotas quotas;
	EXPECT_EQ(quotas.semaphore_limit(), 0u) << "no quota, no limit";
	EXPECT_TRUE(quotas.are_possible());
	for (uint64_t bytes = uint64_t{8} << 20; bytes < uint64_t{1} << 40; bytes *= 2) {
		quotas.memory_bytes = bytes;
		EXPECT_GE(quotas.semaphore_limit(), 1000u);
		EXPECT_LE(quotas.control_bytes(), bytes / 4) << bytes;
	}
	quotas.memory_bytes = uint64_t{8} << 20;
	quotas.semaphores = UNPU_MAX_SEMAPHORES;
	EXPECT_FALSE(quotas.are_possible());
}

TEST_F(Quota, ChannelsAreCounted)
{
	Memory memory =
		client.segment(UNPU_SEGMENT_CHANNEL, UNPU_CHANNEL_BYTES(UNPU_RING_MIN_SLOTS));
	uint32_t index = 0, first = 0;
	for (uint32_t i = 0; i < CHANNELS; i++)
		EXPECT_EQ(create_channel(client, memory, client.new_semaphore(), i ? index : first),
			  Status::OK);
	EXPECT_EQ(create_channel(client, memory, client.new_semaphore(), index), Status::QUOTA);
	Channel another(other);
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_DESTROY;
	message.channel.channel = first;
	ASSERT_EQ(client.call(message), Status::OK);
	EXPECT_EQ(create_channel(client, memory, client.new_semaphore(), index), Status::OK);
	EXPECT_EQ(create_channel(client, memory, client.new_semaphore(), index), Status::QUOTA);
}

TEST_F(Quota, SemaphoresPastTheLastAreNotTheClients)
{
	constexpr uint32_t LAST = UNPU_SEM_FIRST_FREE + SEMAPHORES - 1;
	EXPECT_EQ(client.set_semaphore(LAST, 1), Status::OK);
	EXPECT_EQ(client.set_semaphore(LAST + 1, 1), Status::BAD_SEMAPHORE);
	EXPECT_EQ(client.set_semaphore(UNPU_MAX_SEMAPHORES - 1, 1), Status::BAD_SEMAPHORE);
	Channel channel(client);
	EXPECT_EQ(channel.run(drv::wait_packet(1, LAST, 1, 0)), Status::OK);
	EXPECT_EQ(channel.run(drv::wait_packet(1, LAST + 1, 0, 0)), Status::BAD_SEMAPHORE);
	unpu_packet signal = drv::nop_packet(1);
	signal.signal_op = UNPU_SIGNAL_RAISE;
	signal.signal_sem = LAST + 1;
	signal.signal_value = 1;
	EXPECT_EQ(channel.run(signal), Status::BAD_PACKET);
	EXPECT_EQ(client.value(LAST + 1), 0u);
	unpu_msg_export request{};
	request.kind = UNPU_EXPORT_NOTIFY;
	request.count = 1;
	request.semaphores[0] = LAST + 1;
	EXPECT_EQ(client.share(request), Status::BAD_SEMAPHORE);
}

TEST_F(Quota, GraphsAreCounted)
{
	Image parts;
	parts.line({drv::nop_packet(1)});
	const std::vector<std::byte> image = parts.bytes();
	uint32_t first = 0, graph = 0;
	EXPECT_EQ(client.load_graph(image, first), Status::OK);
	EXPECT_EQ(client.load_graph(image, graph), Status::OK);
	EXPECT_EQ(client.load_graph(image, graph), Status::QUOTA);
	EXPECT_EQ(other.load_graph(image, graph), Status::OK);
	EXPECT_EQ(client.unload_graph(first), Status::OK);
	EXPECT_EQ(client.load_graph(image, graph), Status::OK);
}

TEST_F(Quota, LinesThatWaitCount)
{
	constexpr uint32_t LINES = 500;
	const uint32_t sem = client.new_semaphore();
	Image image;
	for (uint32_t i = 0; i < LINES; i++)
		image.line({drv::wait_packet(1, sem, 1, 0)});
	Channel channel(client);
	uint32_t graph = 0;
	const uint64_t before = client.memory_info().free_bytes;
	ASSERT_EQ(client.load_graph(image.bytes(), graph), Status::OK);
	const uint64_t loaded = client.memory_info().free_bytes;
	channel.publish(drv::graph_packet(1, graph));
	settle(*device);
	/* The firmware has a copy of each packet that waits. */
	EXPECT_LT(client.memory_info().free_bytes, loaded - LINES * sizeof(unpu_packet));
	ASSERT_EQ(client.set_semaphore(sem, 1), Status::OK);
	settle(*device);
	EXPECT_EQ(client.unload_graph(graph), Status::OK);
	settle(*device);
	EXPECT_EQ(client.memory_info().free_bytes, before);
}

/* The firmware copies the arguments of a launch that waits. */
TEST_F(Quota, ArgumentsOfLaunchesCount)
{
	constexpr uint32_t ARGS = 8192;
	constexpr uint64_t BYTES = ARGS * sizeof(unpu_graph_argument);
	const uint32_t sem = client.new_semaphore();
	Memory block = client.memory(BYTES);
	auto *args = block.window.as<unpu_graph_argument>();
	std::fill(args, args + ARGS, unpu_graph_argument{sem, 0, 1});
	Image image;
	image.line({drv::wait_packet(1, sem, 1, 0)});
	image.nargs = ARGS;
	uint32_t graph = 0;
	ASSERT_EQ(client.load_graph(image.bytes(), graph), Status::OK);
	Channel first(client), second(client);
	const uint64_t free_bytes = client.memory_info().free_bytes;
	const unpu_packet launch = drv::graph_packet(1, graph, ARGS, block.va);

	first.publish(launch);
	settle(*device);
	/* The line that waits counts too. */
	const uint64_t left = client.memory_info().free_bytes;
	EXPECT_LE(left, free_bytes - BYTES);
	EXPECT_GT(left, free_bytes - BYTES - 4096);
	uint64_t rest = 0;
	ASSERT_EQ(create(client, UNPU_SEGMENT_DEVICE, left / 4096 * 4096, rest), Status::OK);
	EXPECT_EQ(second.run(launch), Status::QUOTA);
	ASSERT_EQ(client.set_semaphore(sem, 1), Status::OK);
	settle(*device);
	EXPECT_EQ(client.destroy_segment(rest), Status::OK);
	EXPECT_EQ(second.run(launch), Status::OK);
}

TEST_F(Quota, ProcessesThatMayImportCount)
{
	uint64_t id = 0, rest = 0;
	ASSERT_EQ(create(client, UNPU_SEGMENT_DEVICE, 4096, id), Status::OK);
	const unpu_export_key key = client.export_memory(id, 0, 4096, 0);
	const uint64_t free_bytes = client.memory_info().free_bytes;
	for (uint32_t first = 0; first < UNPU_EXPORT_MAX_ALLOWED; first += 16) {
		std::vector<uint32_t> pids(16);
		std::iota(pids.begin(), pids.end(), 1000000 + first);
		ASSERT_EQ(client.allow(key, pids), Status::OK);
	}
	EXPECT_EQ(client.memory_info().free_bytes,
		  free_bytes - UNPU_EXPORT_MAX_ALLOWED * sizeof(uint32_t));
	ASSERT_EQ(client.destroy_segment(id), Status::OK);
	EXPECT_EQ(client.memory_info().free_bytes, free_bytes + 4096) << "nothing is left";

	ASSERT_EQ(create(client, UNPU_SEGMENT_DEVICE, 4096, id), Status::OK);
	const unpu_export_key another = client.export_memory(id, 0, 4096, 0);
	ASSERT_EQ(create(client, UNPU_SEGMENT_DEVICE, client.memory_info().free_bytes, rest),
		  Status::OK);
	EXPECT_EQ(client.allow(another, {BOB}), Status::QUOTA);
	EXPECT_EQ(client.destroy_segment(rest), Status::OK);
	EXPECT_EQ(client.allow(another, {BOB}), Status::OK);
}

TEST_F(Quota, RequestsThatComeTooSoonAreAnsweredLater)
{
	constexpr unsigned REQUESTS = 50;
	/* A tenth of a second's worth at once, and one to begin with. */
	constexpr uint64_t LEAST_NS = (REQUESTS - MESSAGES / 10 - 1) * base::NS_PER_S / MESSAGES;
	uint64_t began_ns = base::now_ns();
	for (unsigned i = 0; i < REQUESTS; i++) {
		unpu_message message{};
		message.type = UNPU_MSG_MEMORY_INFO;
		client.post(message);
		while (!client.is_answered(message))
			device->step();
		EXPECT_EQ(static_cast<Status>(message.status), Status::OK);
		if (i % 10 == 0)
			(void)other.memory_info();
	}
	EXPECT_GE(base::now_ns() - began_ns, LEAST_NS);
}

TEST_F(Quota, TheSnapshotTellsThem)
{
	const std::string text = device->snapshot();
	EXPECT_NE(
		text.find("\"quotas\":{\"memory_bytes\":" + std::to_string(bounds().memory_bytes) +
			  ",\"channels\":3,\"semaphores\":16,"
			  "\"graphs\":2,\"messages\":200,\"entries\":0,\"descriptors\":0,"),
		text.npos)
		<< text;
}

TEST(SemaphorePool, EndsAtTheQuota)
{
	drv::SemaphorePool pool;
	pool.limit(2);
	EXPECT_EQ(*pool.allocate(), UNPU_SEM_FIRST_FREE);
	EXPECT_EQ(*pool.allocate(), UNPU_SEM_FIRST_FREE + 1);
	EXPECT_EQ(pool.allocate().status(), Status::QUOTA);
	pool.release(UNPU_SEM_FIRST_FREE);
	EXPECT_EQ(*pool.allocate(), UNPU_SEM_FIRST_FREE);
}

/* Long work of one client that has much of it waiting does not keep another's back. */
TEST(Engines, ClientsTakeTurns)
{
	constexpr unsigned MANY = 32;
	std::atomic<bool> open{false};
	const std::unique_ptr<fw::Engines, fw::Stop> threads(new fw::Engines(1, [&] {
		while (!open)
			sched_yield();
	}));
	fw::Engines &engines = *threads;
	const int parties[2] = {};
	const auto submit = [&](int client_queue) {
		auto job = std::make_unique<fw::Job>();
		job->packet.opcode = UNPU_OP_NOP;
		job->client_queue = &parties[client_queue];
		engines.submit(std::move(job));
	};
	/* The first one is done at once; its engine waits in the callback until all are queued. */
	for (unsigned i = 0; i < MANY; i++)
		submit(0);
	submit(1);
	submit(1);
	open = true;
	for (const int &client_queue : parties) {
		while (engines.works_for(&client_queue))
			sched_yield();
	}
	unsigned before = 0, seen = 0;
	for (unsigned place = 0; seen < 2; place++) {
		auto job = engines.take_finished();
		ASSERT_NE(job, nullptr);
		if (job->client_queue == &parties[1])
			seen++;
		else
			before++;
	}
	EXPECT_LE(before, 4u) << "of " << MANY;
}

} // namespace
