// SPDX-License-Identifier: MIT
/*
 * DOC: costly requests of graphs
 *
 * What a graph does between two of its nodes: it starts the lines of a region, follows the edges of a line, drops the
 * addresses of its nodes after a change of the mappings, gives a line to an engine, and makes room for an operator.
 * And what the end of a graph costs whose lines wait for a file.
 */
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

#include "costly.h"
#include "drv/packet/packets.h"
#include "image.h"

namespace attacker {

namespace {

using base::Status;
using hostile::Memory;
using hostile::Peer;
using wire::Image;

constexpr uint32_t LINES = 500000, OPERATORS = 120000;
constexpr useconds_t LOOP_US = 2000000;

uint32_t graph;
Memory area, image_memory;

bool load(Peer &peer, const Image &image)
{
	return attacker::load(peer, image.bytes(), image_memory, graph) == Status::OK;
}

/* An endless loop over a region: its first line has one node, and no task activates the other @dormant lines. */
Image loop(uint64_t va, uint32_t dormant, uint32_t nodes_each)
{
	Image image;
	image.line({Image::cond(UNPU_COND_WHILE, va, 1, 1)});
	image.region(0);
	image.line({drv::nop_packet(1)});
	const std::vector<unpu_packet> nodes(nodes_each, drv::nop_packet(1));
	for (uint32_t i = 0; i < dormant; i++)
		image.line(nodes, UNPU_LINE_DORMANT);
	image.region(1);
	return image;
}

bool prepare_loop(Attack &attack, uint32_t dormant, uint32_t nodes_each)
{
	if (make(*attack.peer, 4096, area) != Status::OK)
		return false;
	*area.window.as<uint64_t>() = 1;
	return load(*attack.peer, loop(area.va, dormant, nodes_each));
}

/* Runs the loop beside @work, and ends it. */
const char *run_loop(Attack &attack, Status (*work)(Peer &peer))
{
	const uint64_t end = attack.channel.publish(drv::graph_packet(1, graph));
	const uint64_t until_ns = base::deadline_after(LOOP_US * 1000ull);
	while (base::now_ns() < until_ns)
		CHECK(work(*attack.peer) == Status::OK);
	*area.window.as<uint64_t>() = 0;
	CHECK(attack.channel.reaches(end));
	return nullptr;
}

Status rest(Peer &)
{
	usleep(10000);
	return Status::OK;
}

Status change_mappings(Peer &peer)
{
	constexpr uint64_t VA = uint64_t{1} << 41;
	for (const uint32_t type : {UNPU_MSG_MAP, UNPU_MSG_UNMAP}) {
		unpu_message message{};
		message.type = type;
		message.map = {VA, UNPU_MAP_UNIT, area.segment, 0, 0, 0};
		if (type == UNPU_MSG_UNMAP)
			message.map.segment = 0;
		TRY(peer.call(message));
	}
	return Status::OK;
}

} // namespace

bool prepare_dormant_lines(Attack &attack)
{
	return prepare_loop(attack, LINES, 1);
}

const char *start_dormant_lines(Attack &attack)
{
	return run_loop(attack, rest);
}

bool prepare_unused_nodes(Attack &attack)
{
	return prepare_loop(attack, 1, LINES);
}

const char *map_beside_nodes(Attack &attack)
{
	return run_loop(attack, change_mappings);
}

/* A line that all others wait for. */
bool prepare_edges(Attack &attack)
{
	Image image;
	image.nodes.push_back(drv::nop_packet(1));
	image.lines.push_back({0, 1, 0, 0, LINES - 1, 0});
	for (uint32_t i = 1; i < LINES; i++) {
		image.nodes.push_back(drv::nop_packet(1));
		image.lines.push_back({i, 1, 1, 0, 0, 0});
		image.words.push_back(i);
	}
	return load(*attack.peer, image);
}

const char *follow_edges(Attack &attack)
{
	for (unsigned i = 0; i < 5; i++)
		CHECK(attack.channel.run(drv::graph_packet(1, graph)) == Status::OK);
	return nullptr;
}

/* Two lines of work for engines, so that one of them goes there when their addresses are known. */
bool prepare_long_lines(Attack &attack)
{
	if (make(*attack.peer, 4096, area) != Status::OK)
		return false;
	Image image;
	for (unsigned i = 0; i < 2; i++)
		image.line(
			std::vector<unpu_packet>(LINES / 2, drv::fill_packet(1, area.va, 4, 1, 4)));
	return load(*attack.peer, image);
}

/* A graph of operators without room for one more, and a node that becomes one. */
bool prepare_operators(Attack &attack)
{
	if (make(*attack.peer, 4096, area) != Status::OK)
		return false;
	unpu_operator op{};
	op.kind = UNPU_OPERATOR_ADD;
	op.compute = UNPU_DTYPE_F32;
	op.noperands = 3;
	for (unsigned i = 0; i < 3; i++) {
		op.operands[i] = {area.va + uint64_t{64} * i,
				  UNPU_DTYPE_F32,
				  i == 0 ? UNPU_ACCESS_WRITE : UNPU_ACCESS_READ,
				  {}};
	}
	Image image;
	std::vector<unpu_packet> nodes{drv::nop_packet(1)};
	for (uint32_t i = 0; i < OPERATORS; i++) {
		image.operators.push_back(op);
		nodes.push_back(drv::operator_packet(1, i * sizeof(op)));
	}
	image.line(nodes);
	if (!load(*attack.peer, image))
		return false;
	unpu_packet changed = drv::operator_packet(1, 0);
	changed.valid = 0;
	const std::vector<std::byte> block = wire::changes({changed}, {op});
	memcpy(area.window.data() + 1024, block.data(), block.size());
	area.bytes = block.size();
	return true;
}

const char *grow_operators(Attack &attack)
{
	CHECK(attack.channel.run(drv::graph_update_packet(1, graph, area.va + 1024, area.bytes)) ==
	      Status::OK);
	return nullptr;
}

/* Lines that read a file, which wait for each other in the client's thread for files. */
bool prepare_file_lines(Attack &attack)
{
	constexpr uint32_t READS = 60000;
	constexpr uint64_t BYTES = 256 << 10;
	base::Fd fd(memfd_create("file", MFD_CLOEXEC));
	base::FdMessage message;
	message.message.type = UNPU_SOCKET_GIVE_FILE;
	if (!fd.valid() || ftruncate(fd.get(), BYTES) != 0 || !message.add(std::move(fd)) ||
	    attack.peer->exchange(message) != hostile::Answer::REPLY ||
	    message.message.status != 0 || make(*attack.peer, BYTES, area) != Status::OK)
		return false;
	const unpu_file_transfer read{area.va, BYTES, 0, 0};
	Image image;
	for (uint32_t i = 0; i < READS; i++)
		image.line({drv::file_packet(1, false, message.message.file.file, read)});
	if (!load(*attack.peer, image))
		return false;
	(void)attack.channel.publish(drv::graph_packet(1, graph));
	usleep(500000);
	return true;
}

} // namespace attacker
