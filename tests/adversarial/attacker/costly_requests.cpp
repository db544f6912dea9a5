// SPDX-License-Identifier: MIT
/*
 * DOC: the costly requests
 *
 * Documentation/threats.rst has the bound of each.
 */
#include <cstring>

#include <unistd.h>

#include "costly.h"
#include "drv/packet/packets.h"
#include "image.h"

namespace attacker {

namespace {

using base::Status;
using hostile::Channel;
using hostile::Memory;
using hostile::Peer;
using wire::Image;

constexpr uint32_t SEM = 100; /* the first that an attack uses */
constexpr uint32_t NODES = 60000;
constexpr uint32_t CHANGES = 600000;
constexpr uint32_t WAITERS = 8000;
constexpr uint64_t NEVER = uint64_t{1} << 40;

Status load(Peer &peer, const std::vector<std::byte> &image, uint32_t &graph)
{
	Memory memory;
	return attacker::load(peer, image, memory, graph);
}

Status destroy(Peer &peer, uint64_t segment)
{
	unpu_message message{};
	message.type = UNPU_MSG_SEGMENT_DESTROY;
	message.segment.segment = segment;
	return peer.call(message);
}

Status ask(Peer &peer, uint32_t type, uint64_t va, uint64_t bytes, uint64_t segment = 0,
	   uint32_t access = 0)
{
	unpu_message message{};
	message.type = type;
	message.map = {va, bytes, segment, 0, access, 0};
	return peer.call(message);
}

Status share(Peer &peer, unpu_export_kind kind, uint32_t sem, uint64_t segment, uint64_t bytes,
	     unpu_export_key &key)
{
	unpu_message message{};
	message.type = UNPU_MSG_EXPORT;
	message.share.kind = kind;
	message.share.flags = UNPU_EXPORT_FLAGS_MASK;
	message.share.segment = segment;
	message.share.bytes = bytes;
	if (kind != UNPU_EXPORT_MEMORY) {
		message.share.count = 1;
		message.share.semaphores[0] = sem;
	}
	const Status status = peer.call(message);
	key = message.share.key;
	return status;
}

/* A graph whose first line starts all others, so that the client's ring is free. */
Image fan_out(uint32_t lines, unpu_packet (*node)(uint32_t))
{
	Image image;
	image.nodes.push_back(drv::nop_packet(1));
	image.lines.push_back({0, 1, 0, 0, lines - 1, 0});
	for (uint32_t i = 1; i < lines; i++) {
		image.nodes.push_back(node(i));
		image.lines.push_back({i, 1, 1, 0, 0, 0});
		image.words.push_back(i);
	}
	return image;
}

Image signals(unsigned count, uint32_t sem)
{
	Image image;
	std::vector<unpu_packet> nodes;
	for (unsigned i = 0; i < count; i++)
		nodes.push_back(drv::signal_packet(1, sem, UNPU_SIGNAL_RAISE, i + 1));
	image.line(nodes);
	return image;
}

bool launch(Attack &attack, const Image &image)
{
	uint32_t graph = 0;
	if (load(*attack.peer, image.bytes(), graph) != Status::OK)
		return false;
	(void)attack.channel.publish(drv::graph_packet(1, graph));
	/* It has nothing that tells when all its lines wait. */
	usleep(500000);
	return true;
}

/* The objects that the requests prepare for themselves. One request runs at a time. */
uint32_t first_graph, second_graph;
Memory area, more;
unpu_export_key shared_key;
std::unique_ptr<Channel> second_channel;

const char *load_largest_graph(Attack &attack)
{
	Image image;
	image.line(std::vector<unpu_packet>(UNPU_GRAPH_MAX_NODES, drv::nop_packet(1)));
	const Status status = load(*attack.peer, image.bytes(), first_graph);
	CHECK(status == Status::OK || status == Status::QUOTA);
	return nullptr;
}

bool prepare_update(Attack &attack)
{
	Image image;
	image.line(std::vector<unpu_packet>(NODES, drv::nop_packet(1)));
	std::vector<unpu_packet> nodes(CHANGES, drv::nop_packet(1));
	for (uint32_t i = 0; i < CHANGES; i++)
		nodes[i].valid = i % NODES;
	const std::vector<std::byte> block = wire::changes(nodes);
	if (load(*attack.peer, image.bytes(), first_graph) != Status::OK ||
	    make(*attack.peer, block.size(), area) != Status::OK)
		return false;
	memcpy(area.window.data(), block.data(), block.size());
	return true;
}

const char *update_all_nodes(Attack &attack)
{
	const uint64_t bytes = sizeof(unpu_graph_changes) + CHANGES * sizeof(unpu_packet);
	CHECK(attack.channel.run(drv::graph_update_packet(1, first_graph, area.va, bytes)) ==
	      Status::OK);
	return nullptr;
}

bool prepare_parked_lines(Attack &attack)
{
	return launch(attack, fan_out(NODES, [](uint32_t i) {
			      return drv::wait_packet(1, SEM + i / WAITERS, NEVER, 0);
		      }));
}

bool prepare_host_calls(Attack &attack)
{
	return launch(attack,
		      fan_out(WAITERS, [](uint32_t) { return drv::host_call_packet(1, 1); }));
}

/* The departure of the client is the request. */
const char *leave(Attack &)
{
	return nullptr;
}

bool prepare_waiters(Attack &attack)
{
	second_channel = std::make_unique<Channel>();
	return launch(attack,
		      fan_out(WAITERS,
			      [](uint32_t) { return drv::wait_packet(1, SEM, NEVER, 0); })) &&
	       second_channel->open(*attack.peer, UNPU_SEM_FIRST_FREE + 1) == Status::OK &&
	       load(*attack.peer, signals(640, SEM).bytes(), second_graph) == Status::OK;
}

const char *signal_past_waiters(Attack &)
{
	const Status status = second_channel->run(drv::graph_packet(1, second_graph));
	second_channel.reset();
	CHECK(status == Status::OK);
	return nullptr;
}

/* Channels over one large segment, each full and at a wait that nothing ends. */
bool prepare_circle(Attack &attack)
{
	constexpr uint32_t LARGE = UNPU_RING_MAX_SLOTS, CHANNELS = 60;
	if (attack.peer->create(UNPU_SEGMENT_CHANNEL, UNPU_CHANNEL_BYTES(LARGE), area) !=
	    Status::OK)
		return false;
	auto *slots = area.window.as<unpu_packet>();
	for (uint32_t i = 0; i < LARGE; i++) {
		slots[i] = i ? drv::nop_packet(1) : drv::wait_packet(1, SEM, NEVER, 0);
		slots[i].valid = i + 1;
	}
	for (uint32_t i = 0; i < CHANNELS; i++) {
		unpu_message message{};
		message.type = UNPU_MSG_CHANNEL_CREATE;
		message.channel.segment = area.segment;
		message.channel.slots = LARGE;
		message.channel.timeline = SEM + 1 + i;
		if (attack.peer->call(message) != Status::OK)
			return false;
		attack.peer->ring(message.channel.channel);
	}
	return true;
}

/* The watchdog looks for circles every so often. */
const char *await_watchdog(Attack &attack)
{
	usleep(5000000);
	CHECK(attack.peer->broken() == Status::OK);
	return nullptr;
}

unpu_operator random_operator(uint32_t kind, uint64_t result, uint64_t counter, uint64_t count)
{
	unpu_operator op{};
	op.kind = UNPU_OPERATOR_RANDOM;
	op.compute = UNPU_DTYPE_F16;
	op.noperands = 2;
	op.operands[0] = {result,
			  kind == UNPU_RANDOM_MASK ? uint32_t{UNPU_DTYPE_U8}
						   : uint32_t{UNPU_DTYPE_F16},
			  UNPU_ACCESS_WRITE,
			  {}};
	op.operands[1] = {counter, UNPU_DTYPE_I64, UNPU_ACCESS_READ | UNPU_ACCESS_WRITE, {}};
	op.parameters[0] = kind;
	op.parameters[2] = 0x3c00; /* 1.0 */
	op.parameters[4] = count;
	return op;
}

constexpr uint64_t RANDOM_BYTES = 30u << 20;

bool prepare_random(Attack &attack)
{
	if (make(*attack.peer, RANDOM_BYTES, area) != Status::OK ||
	    make(*attack.peer, 4096, more) != Status::OK)
		return false;
	const unpu_operator op =
		random_operator(UNPU_RANDOM_TRUNCATED, area.va, more.va, RANDOM_BYTES / 2);
	Image image;
	image.operators.push_back(op);
	image.line({drv::operator_packet(1, 0)});
	uint32_t graph = 0;
	if (load(*attack.peer, image.bytes(), graph) != Status::OK)
		return false;
	(void)attack.channel.publish(drv::graph_packet(1, graph));
	usleep(100000);
	return true;
}

/* An engine copies memory that overlaps in one go. */
bool prepare_copy(Attack &attack)
{
	constexpr uint64_t BYTES = 128u << 20;
	if (make(*attack.peer, BYTES + 4096, area) != Status::OK)
		return false;
	(void)attack.channel.publish(drv::copy_packet(1, area.va + 4096, area.va, BYTES));
	usleep(10000);
	return true;
}

const char *abort_all(Attack &attack)
{
	unpu_message message{};
	message.type = UNPU_MSG_CHANNEL_ABORT;
	message.abort = {attack.channel.index(), 0, attack.channel.ring().next()};
	CHECK(attack.peer->call(message) == Status::OK);
	return nullptr;
}

bool prepare_random_nodes(Attack &attack)
{
	constexpr uint64_t BYTES = 31u << 10;
	if (make(*attack.peer, 1u << 20, area) != Status::OK)
		return false;
	Image image;
	image.operators.push_back(
		random_operator(UNPU_RANDOM_MASK, area.va + 65536, area.va, BYTES * 8));
	image.line(std::vector<unpu_packet>(256, drv::operator_packet(1, 0)));
	return load(*attack.peer, image.bytes(), first_graph) == Status::OK;
}

const char *launch_first_graph(Attack &attack)
{
	CHECK(attack.channel.run(drv::graph_packet(1, first_graph)) == Status::OK);
	return nullptr;
}

bool prepare_cells(Attack &attack)
{
	if (make(*attack.peer, 4096, area) != Status::OK)
		return false;
	Image image;
	image.line({drv::nop_packet(1)});
	image.cells.assign(3000000, {area.va, 1});
	return load(*attack.peer, image.bytes(), first_graph) == Status::OK;
}

bool prepare_mirror(Attack &attack)
{
	if (share(*attack.peer, UNPU_EXPORT_MIRROR, SEM, 0, 0, shared_key) != Status::OK)
		return false;
	for (uint32_t i = 1; i <= 3000; i++) {
		unpu_message message{};
		message.type = UNPU_MSG_IMPORT;
		message.share.key = shared_key;
		message.share.count = 1;
		message.share.semaphores[0] = SEM + i;
		if (attack.peer->call(message) != Status::OK)
			return false;
	}
	return load(*attack.peer, signals(640, SEM).bytes(), first_graph) == Status::OK;
}

/* Members of one group, each with waiters of its own. Graphs of the least size that does it, so that the quota
 * suffices. */
bool prepare_mirror_with_waiters(Attack &attack)
{
	constexpr uint32_t MEMBERS = 500, EACH = 400;
	if (share(*attack.peer, UNPU_EXPORT_MIRROR, SEM, 0, 0, shared_key) != Status::OK)
		return false;
	for (uint32_t i = 1; i <= MEMBERS; i++) {
		unpu_message message{};
		message.type = UNPU_MSG_IMPORT;
		message.share.key = shared_key;
		message.share.count = 1;
		message.share.semaphores[0] = SEM + i;
		if (attack.peer->call(message) != Status::OK)
			return false;
	}
	second_channel = std::make_unique<Channel>();
	return launch(attack, fan_out(MEMBERS * EACH,
				      [](uint32_t i) {
					      return drv::wait_packet(1, SEM + 1 + i / EACH, NEVER,
								      0);
				      })) &&
	       second_channel->open(*attack.peer, UNPU_SEM_FIRST_FREE + 1) == Status::OK &&
	       load(*attack.peer, signals(640, SEM).bytes(), second_graph) == Status::OK;
}

/* Some segments with an export each, and one with all exports that a client may have. */
constexpr unsigned OTHERS = 20;
uint64_t exported[OTHERS];

bool prepare_exports(Attack &attack)
{
	unpu_export_key key;
	if (attack.peer->create(UNPU_SEGMENT_DEVICE, 4096, area) != Status::OK)
		return false;
	for (uint64_t &id : exported) {
		Memory memory;
		if (attack.peer->create(UNPU_SEGMENT_DEVICE, 4096, memory) != Status::OK ||
		    share(*attack.peer, UNPU_EXPORT_MEMORY, 0, memory.segment, 4096, key) !=
			    Status::OK)
			return false;
		id = memory.segment;
	}
	Status status = Status::OK;
	while (status == Status::OK)
		status = share(*attack.peer, UNPU_EXPORT_MEMORY, 0, area.segment, 4096, key);
	return status == Status::QUOTA;
}

const char *destroy_segments(Attack &attack)
{
	CHECK(destroy(*attack.peer, area.segment) == Status::OK);
	for (uint64_t &id : exported) {
		CHECK(destroy(*attack.peer, id) == Status::OK);
		id = 0;
	}
	return nullptr;
}

bool prepare_large_memory(Attack &attack)
{
	if (make(*attack.peer, 200u << 20, area) != Status::OK)
		return false;
	return attack.channel.run(drv::fill_packet(1, area.va, area.bytes, 1, 4)) == Status::OK;
}

const char *destroy_large_memory(Attack &attack)
{
	CHECK(ask(*attack.peer, UNPU_MSG_UNMAP, area.va, area.bytes) == Status::OK);
	CHECK(destroy(*attack.peer, area.segment) == Status::OK);
	return nullptr;
}

const char *map_until_refused(Attack &attack)
{
	CHECK(attack.peer->create(UNPU_SEGMENT_DEVICE, 4096, area) == Status::OK);
	Status status = Status::OK;
	for (uint64_t i = 0; i < 20000 && status == Status::OK; i++)
		status = ask(*attack.peer, UNPU_MSG_MAP, NEVER + i * UNPU_MAP_UNIT * 2,
			     UNPU_MAP_UNIT, area.segment, UNPU_ACCESS_READ);
	CHECK(status == Status::QUOTA);
	return nullptr;
}

const char *reserve_until_refused(Attack &attack)
{
	Status status = Status::OK;
	for (uint64_t i = 0; i < 20000 && status == Status::OK; i++)
		status = ask(*attack.peer, UNPU_MSG_RESERVE, NEVER + i * 2 * base::HUGE_PAGE_BYTES,
			     base::HUGE_PAGE_BYTES);
	CHECK(status == Status::QUOTA);
	return nullptr;
}

const char *import_until_refused(Attack &attack)
{
	unpu_message segment{};
	segment.type = UNPU_MSG_SEGMENT_CREATE;
	segment.segment = {0, 4096, UNPU_SEGMENT_DEVICE, UNPU_PAGE_4K, UNPU_SEGMENT_SHAREABLE, 0};
	CHECK(attack.peer->call(segment) == Status::OK);
	CHECK(share(*attack.peer, UNPU_EXPORT_MEMORY, 0, segment.segment.segment, 4096,
		    shared_key) == Status::OK);
	Status status = Status::OK;
	for (unsigned i = 0; i < 20000 && status == Status::OK; i++) {
		unpu_message message{};
		message.type = UNPU_MSG_IMPORT;
		message.share.key = shared_key;
		status = attack.peer->call(message);
	}
	CHECK(status == Status::QUOTA);
	return nullptr;
}

const char *create_until_refused(Attack &attack)
{
	Status status = Status::OK;
	for (unsigned i = 0; i < 20000 && status == Status::OK; i++) {
		unpu_message message{};
		message.type = UNPU_MSG_SEGMENT_CREATE;
		message.segment = {
			0, 4096, UNPU_SEGMENT_PINNED, UNPU_PAGE_4K, UNPU_SEGMENT_SHAREABLE, 0};
		status = attack.peer->call(message);
	}
	CHECK(status == Status::QUOTA);
	return nullptr;
}

bool add_channels(Attack &attack, uint64_t segment, uint32_t slots, uint32_t count)
{
	for (uint32_t i = 1; i <= count; i++) {
		unpu_message message{};
		message.type = UNPU_MSG_CHANNEL_CREATE;
		message.channel.segment = segment;
		message.channel.slots = slots;
		message.channel.timeline = UNPU_SEM_FIRST_FREE + i;
		if (attack.peer->call(message) != Status::OK)
			return false;
	}
	return true;
}

bool prepare_channels(Attack &attack)
{
	return add_channels(attack, attack.channel.memory().segment, UNPU_RING_MIN_SLOTS, 3999);
}

/* Channels over one large segment, whose slots are all full. */
bool prepare_full_rings(Attack &attack)
{
	constexpr uint32_t SLOTS = UNPU_RING_MAX_SLOTS, CHANNELS = 1000;
	if (attack.peer->create(UNPU_SEGMENT_CHANNEL, UNPU_CHANNEL_BYTES(SLOTS), area) !=
	    Status::OK)
		return false;
	auto *slots = area.window.as<unpu_packet>();
	for (uint32_t i = 0; i < SLOTS; i++)
		slots[i].valid = i + 1;
	return add_channels(attack, area.segment, SLOTS, CHANNELS);
}

bool prepare_graphs(Attack &attack)
{
	/* Four snapshots' worth. Of many more the allocator keeps more pages than gives_back() allows, and uses them
	 * again for the next ones. */
	constexpr uint32_t GRAPHS = 4000;
	Image image;
	image.line({drv::nop_packet(1)});
	const uint64_t bytes = image.bytes().size();
	bool is_good = attacker::load(*attack.peer, image.bytes(), area, first_graph) == Status::OK;
	for (uint32_t i = 1; i < GRAPHS && is_good; i++)
		is_good = load_placed(*attack.peer, area, bytes, first_graph) == Status::OK;
	return is_good;
}

/* So many that they do not fit into one turn. */
constexpr uint32_t SEGMENTS = 3000;

bool prepare_segments(Attack &attack)
{
	bool is_good = true;
	for (uint32_t i = 0; i < SEGMENTS && is_good; i++)
		is_good = attack.peer->create(UNPU_SEGMENT_CHANNEL, 4096, more) == Status::OK;
	return is_good;
}

bool prepare_mappings(Attack &attack)
{
	constexpr uint64_t VA = uint64_t{1} << 41, APART = 1 << 20;
	bool is_good = make(*attack.peer, 4096, area) == Status::OK;
	memcpy(area.window.data(), "\177ELF", 4);
	for (uint32_t i = 0; i < SEGMENTS && is_good; i++)
		is_good = ask(*attack.peer, UNPU_MSG_MAP, VA + i * APART, 4096, area.segment,
			      UNPU_ACCESS_READ) == Status::OK;
	return is_good;
}

/* The first image of a client starts its worker, which learns the mappings. This one is none. */
const char *load_kernel(Attack &attack)
{
	unpu_message message{};
	message.type = UNPU_MSG_KERNEL_LOAD;
	message.kernel.va = area.va;
	message.kernel.bytes = 4096;
	const Status status = attack.peer->call(message);
	CHECK(status == Status::BAD_KERNEL || status == Status::NOT_SUPPORTED);
	return nullptr;
}

const char *take_snapshots(Attack &attack)
{
	for (unsigned i = 0; i < 5; i++) {
		base::FdMessage message;
		message.message.type = UNPU_SOCKET_SNAPSHOT;
		CHECK(attack.peer->exchange(message) == hostile::Answer::REPLY);
	}
	return nullptr;
}

} // namespace

Status make(Peer &peer, uint64_t bytes, Memory &memory)
{
	TRY(peer.create(UNPU_SEGMENT_DEVICE, bytes, memory));
	return peer.place(memory);
}

Status load(Peer &peer, const std::vector<std::byte> &image, Memory &memory, uint32_t &graph)
{
	TRY(make(peer, image.size(), memory));
	memcpy(memory.window.data(), image.data(), image.size());
	return load_placed(peer, memory, image.size(), graph);
}

Status load_placed(Peer &peer, const Memory &memory, uint64_t bytes, uint32_t &graph)
{
	unpu_message message{};
	message.type = UNPU_MSG_GRAPH_LOAD;
	message.graph.va = memory.va;
	message.graph.bytes = bytes;
	const Status status = peer.call(message);
	graph = message.graph.graph;
	return status;
}

const std::vector<Costly> &costly_requests()
{
	static const std::vector<Costly> all = {
		{"load-largest-graph", nullptr, load_largest_graph},
		{"update-all-nodes", prepare_update, update_all_nodes},
		{"leave-parked-lines", prepare_parked_lines, leave},
		{"leave-host-calls", prepare_host_calls, leave},
		{"signal-past-waiters", prepare_waiters, signal_past_waiters},
		{"watchdog-large-rings", prepare_circle, await_watchdog},
		{"abort-random", prepare_random, abort_all},
		{"abort-copy", prepare_copy, abort_all},
		{"random-nodes", prepare_random_nodes, launch_first_graph},
		{"cells", prepare_cells, launch_first_graph},
		{"mirror", prepare_mirror, launch_first_graph},
		{"mirror-with-waiters", prepare_mirror_with_waiters, signal_past_waiters},
		{"destroy-exported", prepare_exports, destroy_segments},
		{"destroy-large-memory", prepare_large_memory, destroy_large_memory},
		{"leave-large-memory", prepare_large_memory, leave},
		{"map-until-refused", nullptr, map_until_refused},
		{"reserve-until-refused", nullptr, reserve_until_refused},
		{"import-until-refused", nullptr, import_until_refused},
		{"create-until-refused", nullptr, create_until_refused},
		{"snapshots", prepare_channels, take_snapshots},
		{"snapshots-of-full-rings", prepare_full_rings, take_snapshots},
		{"snapshots-of-graphs", prepare_graphs, take_snapshots},
		{"snapshots-of-segments", prepare_segments, take_snapshots},
		{"load-kernel-of-mappings", prepare_mappings, load_kernel},
		{"crowd-leaves", prepare_crowd, crowd_leaves},
		{"load-beside-loads", prepare_loaders, load_beside_loads},
		{"wake-many-waiters", nullptr, wake_many_waiters},
		{"dormant-lines", prepare_dormant_lines, start_dormant_lines},
		{"map-beside-nodes", prepare_unused_nodes, map_beside_nodes},
		{"edges", prepare_edges, follow_edges},
		{"long-lines", prepare_long_lines, follow_edges},
		{"grow-operators", prepare_operators, grow_operators},
		{"abort-files", prepare_file_lines, abort_all},
	};
	return all;
}

} // namespace attacker
