// SPDX-License-Identifier: MIT
/*
 * DOC: Allocations that fail, tested
 *
 * Each allocation of each request fails once. The firmware refuses the request with NO_MEMORY and
 * keeps nothing of it, and the next request succeeds. When a client leaves, each turn frees a part
 * of its objects.
 */
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <new>

#include <nlohmann/json.hpp>

#include "firmware_sim/core/exchange.h"
#include "tests/unit/support/graph_image.h"
#include "tests/unit/support/sharing_clients.h"
#include "uapi/event.h"

namespace {

/* Allocations of this thread that still succeed; UINT_MAX: all. */
thread_local unsigned allocations_left = UINT_MAX;
/* Objects that this thread has freed. */
thread_local uint64_t freed = 0;

void *allocate(size_t bytes, size_t alignment)
{
	if (allocations_left != UINT_MAX && allocations_left-- == 0)
		throw std::bad_alloc();
	void *found = nullptr;
	if (posix_memalign(&found, std::max(alignment, sizeof(void *)), bytes) != 0)
		throw std::bad_alloc();
	return found;
}

} // namespace

void *operator new(size_t bytes)
{
	return allocate(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}

void *operator new(size_t bytes, std::align_val_t alignment)
{
	return allocate(bytes, static_cast<size_t>(alignment));
}

void operator delete(void *memory) noexcept
{
	freed++;
	free(memory);
}

void operator delete(void *memory, size_t) noexcept
{
	freed++;
	free(memory);
}

void operator delete(void *memory, std::align_val_t) noexcept
{
	free(memory);
}

void operator delete(void *memory, size_t, std::align_val_t) noexcept
{
	free(memory);
}

namespace {

using namespace wire;
using Json = nlohmann::json;

constexpr uint64_t PIECE = base::HUGE_PAGE_BYTES;
constexpr uint64_t VA = uint64_t{1} << 40;
constexpr uint32_t BOTH = UNPU_ACCESS_READ | UNPU_ACCESS_WRITE;

class Allocations : public Sharing {
protected:
	void TearDown() override { EXPECT_GT(failures_, 0u) << "nothing was tested"; }

	/* The state of the firmware, without the fields that each request changes. */
	Json state()
	{
		Json found = Json::parse(first->snapshot());
		for (const char *name :
		     {"uptime_ns", "busy_ns", "generation", "heartbeat", "counters"})
			found.erase(name);
		for (Json &client : found["clients"])
			client.erase("counters");
		return found;
	}

	/* serve() - lets each allocation of @request fail once, and then none. Return: the reply. */
	unpu_message serve(Client &client, const unpu_message &request)
	{
		constexpr unsigned MANY = 1000;
		for (unsigned succeed = 0; succeed < MANY; succeed++) {
			const Json before = state();
			unpu_message message = request;
			allocations_left = succeed;
			const Status status = client.call(message);
			allocations_left = UINT_MAX;
			if (status == Status::OK)
				return message;
			EXPECT_EQ(status, Status::NO_MEMORY);
			failures_++;
			EXPECT_EQ(Json::diff(before, state()).dump(), "[]")
				<< "type " << request.type << ", after " << succeed
				<< " allocations";
			if (HasFailure())
				break;
		}
		ADD_FAILURE() << "type " << request.type << " is never served";
		return {};
	}

	static unpu_message message(uint32_t type)
	{
		unpu_message message{};
		message.type = type;
		return message;
	}

	uint64_t segment(Client &client, uint32_t kind, uint64_t bytes, uint32_t flags = 0)
	{
		unpu_message request = message(UNPU_MSG_SEGMENT_CREATE);
		request.segment = {0, bytes, kind, UNPU_PAGE_4K, flags, 0};
		return serve(client, request).segment.segment;
	}

	void range(uint32_t type, uint64_t va, uint64_t bytes, uint64_t segment = 0,
		   uint32_t access = 0)
	{
		unpu_message request = message(type);
		request.map = {va, bytes, segment, 0, access, 0};
		serve(alice, request);
	}

	unpu_export_key share(unpu_export_kind kind, uint32_t count, uint64_t segment,
			      uint64_t bytes)
	{
		unpu_message request = message(UNPU_MSG_EXPORT);
		request.share.kind = kind;
		request.share.flags = UNPU_EXPORT_ANY_PROCESS;
		request.share.segment = segment;
		request.share.bytes = bytes;
		request.share.count = count;
		for (uint32_t i = 0; i < count; i++)
			request.share.semaphores[i] = alice.new_semaphore();
		return serve(alice, request).share.key;
	}

	uint64_t import(const unpu_export_key &key, uint32_t count)
	{
		unpu_message request = message(UNPU_MSG_IMPORT);
		request.share.key = key;
		request.share.count = count;
		for (uint32_t i = 0; i < count; i++)
			request.share.semaphores[i] = bob.new_semaphore();
		return serve(bob, request).share.segment;
	}

	unsigned failures_ = 0;
};

TEST_F(Allocations, OfSegmentsAndMappings)
{
	const uint64_t pinned = segment(alice, UNPU_SEGMENT_PINNED, 4096);
	range(UNPU_MSG_MAP, VA, 4096, pinned, BOTH);
	range(UNPU_MSG_PROTECT, VA, 4096, 0, UNPU_ACCESS_READ);
	range(UNPU_MSG_UNMAP, VA, 4096);
	unpu_message request = message(UNPU_MSG_SEGMENT_DESTROY);
	request.segment.segment = pinned;
	serve(alice, request);
}

TEST_F(Allocations, OfReservations)
{
	const uint64_t memory = segment(alice, UNPU_SEGMENT_DEVICE, PIECE, UNPU_SEGMENT_SHAREABLE);
	range(UNPU_MSG_RESERVE, VA, 2 * PIECE);
	range(UNPU_MSG_MAP, VA, PIECE, memory, BOTH);
	range(UNPU_MSG_UNMAP, VA, PIECE);
	range(UNPU_MSG_RELEASE, VA, 2 * PIECE);
}

TEST_F(Allocations, OfChannels)
{
	const uint64_t ring =
		segment(alice, UNPU_SEGMENT_CHANNEL, UNPU_CHANNEL_BYTES(UNPU_RING_MIN_SLOTS));
	unpu_message request = message(UNPU_MSG_CHANNEL_CREATE);
	request.channel.segment = ring;
	request.channel.slots = UNPU_RING_MIN_SLOTS;
	request.channel.timeline = alice.new_semaphore();
	request.channel.group = 7;
	const uint32_t first_index = serve(alice, request).channel.channel;
	request.channel.timeline = alice.new_semaphore();
	EXPECT_EQ(serve(alice, request).channel.channel, first_index + 1) << "no number is lost";
	request = message(UNPU_MSG_CHANNEL_DESTROY);
	request.channel.channel = first_index;
	serve(alice, request);
}

TEST_F(Allocations, OfSharedMemory)
{
	const uint64_t memory = segment(alice, UNPU_SEGMENT_DEVICE, 4096, UNPU_SEGMENT_SHAREABLE);
	const unpu_export_key key = share(UNPU_EXPORT_MEMORY, 0, memory, 4096);
	unpu_message request = message(UNPU_MSG_EXPORT_ALLOW);
	request.allow.key = key;
	request.allow.count = 2;
	request.allow.pids[0] = BOB;
	request.allow.pids[1] = CAROL;
	serve(alice, request);
	EXPECT_NE(import(key, 0), 0u);
	request = message(UNPU_MSG_UNEXPORT);
	request.share.key = key;
	serve(alice, request);
}

TEST_F(Allocations, OfSharedSemaphores)
{
	const uint64_t page = segment(alice, UNPU_SEGMENT_PINNED, 4096, UNPU_SEGMENT_SHAREABLE);
	import(share(UNPU_EXPORT_EVENT, UNPU_EVENT_LANES, page, 0), UNPU_EVENT_LANES);
	import(share(UNPU_EXPORT_NOTIFY, 1, 0, 0), 1);
	import(share(UNPU_EXPORT_MIRROR, 3, 0, 0), 3);
}

/* A task that is half done can't be refused: its client is cut off, and another one is not. */
TEST_F(Allocations, OfPackets)
{
	constexpr unsigned MANY = 1000;
	Image parts;
	const uint32_t begin = parts.line({drv::nop_packet(1)});
	parts.edge(begin, parts.line({drv::wait_packet(2, UNPU_SEM_FIRST_FREE + 9, 1, 0)}));
	const std::vector<std::byte> image = parts.bytes();
	Channel good(bob);
	for (unsigned succeed = 0; succeed < MANY; succeed++) {
		Client client(*first, CAROL);
		uint32_t graph = 0;
		ASSERT_EQ(client.load_graph(image, graph), Status::OK);
		Channel channel(client);
		(void)channel.publish(drv::graph_packet(1, graph));
		allocations_left = succeed;
		settle(*first);
		const bool failed = allocations_left == UINT_MAX;
		allocations_left = UINT_MAX;
		EXPECT_EQ(good.run(drv::nop_packet(1)), Status::OK);
		EXPECT_EQ(client.broken(), failed ? Status::NO_MEMORY : Status::OK);
		failures_ += failed;
		if (!failed || HasFailure())
			return;
	}
	ADD_FAILURE() << "never served";
}

TEST_F(Allocations, OfGraphs)
{
	Image parts;
	const uint32_t begin = parts.line({drv::nop_packet(1)});
	const uint32_t end = parts.line({drv::nop_packet(2), drv::wait_packet(3, 100, 1, 0)});
	parts.edge(begin, end);
	const std::vector<std::byte> image = parts.bytes();
	const Memory place = alice.memory(image.size());
	std::copy(image.begin(), image.end(), place.window.data());
	unpu_message request = message(UNPU_MSG_GRAPH_LOAD);
	request.graph.va = place.va;
	request.graph.bytes = image.size();
	const uint32_t graph = serve(alice, request).graph.graph;
	request = message(UNPU_MSG_GRAPH_UNLOAD);
	request.graph.graph = graph;
	serve(alice, request);
}

class Frees : public Sharing {
protected:
	static constexpr unsigned EXPORTS = 6000;
	/* A turn takes down 512 exports at most, and frees little besides. */
	static constexpr uint64_t MOST = 1200;

	/* Return: the most objects that the device frees in one turn, until it rests. */
	uint64_t most_in_a_turn()
	{
		uint64_t most = 0;
		for (bool works = true; works;) {
			const uint64_t before = freed;
			works = first->step();
			most = std::max(most, freed - before);
		}
		return most;
	}

	uint64_t most_of(const std::function<void()> &call)
	{
		const uint64_t before = freed;
		call();
		const uint64_t most = freed - before;
		return std::max(most, most_in_a_turn());
	}

	uint64_t segment_with_exports()
	{
		uint64_t segment = 0;
		EXPECT_EQ(alice.create_segment(UNPU_SEGMENT_DEVICE, 4096, UNPU_PAGE_4K, segment),
			  Status::OK);
		for (unsigned i = 0; i < EXPORTS; i++)
			(void)alice.export_memory(segment, 0, 4096, UNPU_EXPORT_ANY_PROCESS);
		return segment;
	}
};

TEST_F(Frees, OfAClientThatLeavesAreFewInATurn)
{
	(void)segment_with_exports();
	EXPECT_LE(most_of([&] { alice.detach(); }), MOST);
	EXPECT_LE(exchange->blocks(), 1u) << "the memory of the exports goes back";
}

TEST_F(Frees, OfASegmentWithExportsAreFewInATurn)
{
	const uint64_t segment = segment_with_exports();
	EXPECT_LE(most_of([&] { EXPECT_EQ(alice.destroy_segment(segment), Status::OK); }), MOST);
	EXPECT_LE(exchange->blocks(), 1u) << "the memory of the exports goes back";
}

} // namespace
