// SPDX-License-Identifier: MIT
/*
 * DOC: Graph compilation, tested
 *
 * Random task graphs: the image keeps every task and every dependency, has no more lines than it
 * must, and a stepped device that runs it starts no task before the ones it follows.
 */
#include <numeric>
#include <random>

#include "drv/packet/cookie.h"
#include "tests/unit/support/graph_image.h"
#include "umd/core/graph/graph_compiler.h"

namespace {

using namespace wire;
using Dependencies = std::vector<std::vector<uint32_t>>;

/* compile() - of graphs whose nodes need nothing of a process. */
std::vector<std::byte> compile(const umd::Graph &graph)
{
	auto refuse = [](const umd::GraphTask &, unpu_packet &, uint32_t &) {
		return Status::INTERNAL;
	};
	auto compiled = umd::compile_graph(graph, refuse);
	EXPECT_TRUE(compiled.ok());
	if (!compiled)
		return {};
	return {compiled->image.begin(), compiled->image.end()};
}

uint32_t add(umd::Graph &graph, const unpu_packet &packet, const std::vector<uint32_t> &after,
	     const unpu_operator *op = nullptr, uint32_t stream = 0)
{
	return graph.add(umd::graph_task(packet, op), stream, after);
}

/* struct Compiled - an image taken apart again. */
struct Compiled {
	explicit Compiled(const std::vector<std::byte> &image)
	{
		memcpy(&header, image.data(), sizeof(header));
		uint64_t at = sizeof(header);
		read(image, at, nodes, header.nnodes);
		read(image, at, operators, header.descriptor_bytes / sizeof(unpu_operator));
		read(image, at, cells, header.ncells);
		read(image, at, lines, header.nlines);
		read(image, at, regions, header.nregions);
		read(image, at, words, header.nwords);
		EXPECT_EQ(at, image.size());
		EXPECT_EQ(header.bytes, image.size());
		place.resize(nodes.size(), ~0u);
		for (uint32_t i = 0; i < nodes.size(); i++)
			place.at(drv::decode_cookie(nodes[i].cookie).index) = i;
	}

	template <class T>
	static void read(const std::vector<std::byte> &image, uint64_t &at, std::vector<T> &out,
			 uint64_t count)
	{
		out.resize(count);
		ASSERT_LE(at + count * sizeof(T), image.size());
		if (count)
			memcpy(static_cast<void *>(out.data()), image.data() + at,
			       count * sizeof(T));
		at += count * sizeof(T);
	}

	unpu_graph_header header{};
	std::vector<unpu_packet> nodes;
	std::vector<unpu_operator> operators;
	std::vector<unpu_graph_cell> cells;
	std::vector<unpu_graph_line> lines;
	std::vector<unpu_graph_region> regions;
	std::vector<uint32_t> words;
	std::vector<uint32_t> place; /* node of the graph to node of the image */
};

/* reaches() - reach[a][b]: b starts after a has ended, by lines and edges alone. */
std::vector<std::vector<bool>> reaches(const Compiled &image)
{
	size_t count = image.nodes.size();
	std::vector<std::vector<bool>> reach(count, std::vector<bool>(count));
	std::vector<std::vector<uint32_t>> next(count);
	for (const unpu_graph_line &line : image.lines) {
		uint32_t last = line.first + line.count - 1;
		for (uint32_t i = line.first; i < last; i++)
			next[i].push_back(i + 1);
		for (uint32_t e = 0; e < line.edges; e++)
			next[last].push_back(image.lines[image.words[line.first_edge + e]].first);
	}
	for (size_t i = count; i-- > 0;) {
		for (uint32_t target : next[i]) {
			EXPECT_GT(target, i);
			reach[i][target] = true;
			for (size_t k = 0; k < count; k++)
				reach[i][k] = reach[i][k] || reach[target][k];
		}
	}
	return reach;
}

/* random_tasks() - task i follows up to @most earlier ones. */
Dependencies random_tasks(std::mt19937_64 &random, unsigned most)
{
	Dependencies after(random() % 40 + 1);
	for (uint32_t i = 1; i < after.size(); i++) {
		unsigned count = static_cast<unsigned>(random() % (most + 1));
		for (unsigned n = 0; n < count; n++) {
			bool near = random() % 2;
			after[i].push_back(near ? i - 1 : static_cast<uint32_t>(random() % i));
		}
	}
	return after;
}

/* follows() - the closure of what the tasks were added with. */
std::vector<std::vector<bool>> follows(const Dependencies &after)
{
	std::vector<std::vector<bool>> all(after.size(), std::vector<bool>(after.size()));
	for (size_t i = 0; i < after.size(); i++) {
		for (uint32_t before : after[i]) {
			all[i][before] = true;
			for (size_t k = 0; k < i; k++)
				all[i][k] = all[i][k] || all[before][k];
		}
	}
	return all;
}

TEST(GraphCompiler, AnEmptyGraphIsAnImage)
{
	Compiled image(compile(umd::Graph()));
	EXPECT_EQ(image.header.nnodes, 0u);
	EXPECT_EQ(image.header.nlines, 0u);
	EXPECT_EQ(image.header.nregions, 1u);
}

TEST(GraphCompiler, AChainIsOneLine)
{
	umd::Graph graph;
	for (uint32_t i = 0; i < 100; i++) {
		auto after = i ? std::vector<uint32_t>{i - 1, i - 1} : std::vector<uint32_t>{};
		EXPECT_EQ(add(graph, drv::nop_packet(0), after), i);
	}
	Compiled image(compile(graph));
	EXPECT_EQ(image.header.nlines, 1u);
	EXPECT_EQ(image.header.nwords, 0u);
	EXPECT_EQ(image.header.nnodes, 100u);
}

TEST(GraphCompiler, WhatStreamOrderImpliesCostsNoEdge)
{
	umd::Graph graph;
	for (uint32_t i = 0; i < 100; i++) {
		std::vector<uint32_t> all(i);
		std::iota(all.begin(), all.end(), 0);
		add(graph, drv::nop_packet(0), all);
	}
	Compiled image(compile(graph));
	EXPECT_EQ(image.header.nlines, 1u);
	EXPECT_EQ(image.header.nwords, 0u);
}

TEST(GraphCompiler, ADependencyThatOthersImplyIsNoEdge)
{
	/* 0 forks to 1 and 2; 3 joins both and follows 0 as well, 4 follows everything. */
	umd::Graph graph;
	add(graph, drv::nop_packet(0), {});
	add(graph, drv::nop_packet(0), {0});
	add(graph, drv::nop_packet(0), {0});
	add(graph, drv::nop_packet(0), {0, 1, 2});
	add(graph, drv::nop_packet(0), {0, 1, 2, 3});
	Compiled image(compile(graph));
	EXPECT_EQ(image.header.nwords, 4u);
	EXPECT_EQ(image.header.nlines, 4u) << "the last two are one line";
}

TEST(GraphCompiler, AForkThatJoinsHasFourLines)
{
	umd::Graph graph;
	add(graph, drv::nop_packet(0), {});
	add(graph, drv::nop_packet(0), {0});
	add(graph, drv::nop_packet(0), {0}, nullptr, 1);
	add(graph, drv::nop_packet(0), {1, 2});
	Compiled image(compile(graph));
	EXPECT_EQ(image.header.nlines, 4u);
	EXPECT_EQ(image.lines[3].joins, 2u);
	EXPECT_EQ(image.nodes[image.place[2]].valid, 1u) << "the stream";
}

TEST(GraphCompiler, OperatorsFindTheirDescriptors)
{
	umd::Graph graph;
	for (uint32_t i = 0; i < 5; i++) {
		auto op = packed_operator(UNPU_OPERATOR_MUL, i + 1, 64, 64, 64, 0.0);
		add(graph, drv::operator_packet(0, 0), {}, &op);
		add(graph, drv::nop_packet(0), {});
	}
	Compiled image(compile(graph));
	ASSERT_EQ(image.operators.size(), 5u);
	for (uint32_t i = 0; i < 5; i++) {
		uint64_t offset = image.nodes[image.place[2 * i]].op.offset;
		ASSERT_EQ(offset % sizeof(unpu_operator), 0u);
		EXPECT_EQ(image.operators[offset / sizeof(unpu_operator)].dims[0], i + 1);
	}
}

TEST(GraphCompiler, NodesMayBeAddedInAnyOrder)
{
	umd::Graph graph;
	for (unsigned i = 0; i < 4; i++)
		add(graph, drv::nop_packet(0), {});
	EXPECT_TRUE(graph.depend(0, 3));
	EXPECT_TRUE(graph.depend(3, 1));
	EXPECT_TRUE(graph.depend(1, 2));
	EXPECT_FALSE(graph.depend(1, 2));
	Compiled image(compile(graph));
	EXPECT_EQ(image.header.nlines, 1u);
	graph.depend(2, 0);
	auto circle = umd::compile_graph(graph, nullptr);
	EXPECT_EQ(circle.status(), Status::INVALID_ARGUMENT);
	EXPECT_TRUE(graph.undepend(2, 0));
	EXPECT_FALSE(graph.undepend(2, 0));
	graph.remove(3);
	Compiled cut(compile(graph));
	EXPECT_EQ(cut.header.nnodes, 3u);
	EXPECT_EQ(cut.header.nlines, 2u);
}

TEST(GraphCompiler, KeepsEveryDependencyAndAddsNone)
{
	const uint64_t seed = base::now_ns();
	SCOPED_TRACE(testing::Message() << "seed " << seed);
	std::mt19937_64 random(seed);
	for (unsigned round = 0; round < 300; round++) {
		Dependencies after = random_tasks(random, round % 4);
		umd::Graph graph;
		for (uint32_t i = 0; i < after.size(); i++)
			add(graph, drv::nop_packet(0), after[i], nullptr, i % 3);
		Compiled image(compile(graph));
		ASSERT_EQ(image.place.size(), after.size()) << "every task is there once";
		auto wanted = follows(after);
		auto got = reaches(image);
		for (uint32_t i = 0; i < after.size(); i++) {
			for (uint32_t k = 0; k < after.size(); k++)
				ASSERT_EQ(got[image.place[k]][image.place[i]], wanted[i][k])
					<< k << " before " << i;
		}
	}
}

/* A random graph, some of whose nodes are graphs, and the same without any. */
TEST(GraphCompiler, AChildIsAsItsNodesWouldBe)
{
	const uint64_t seed = base::now_ns();
	SCOPED_TRACE(testing::Message() << "seed " << seed);
	std::mt19937_64 random(seed);
	for (unsigned round = 0; round < 100; round++) {
		Dependencies outer = random_tasks(random, 3);
		umd::Graph graph;
		std::vector<std::vector<uint32_t>> tags(outer.size());
		uint32_t tag = 0;
		for (uint32_t i = 0; i < outer.size(); i++) {
			if (random() % 3) {
				tags[i] = {tag};
				add(graph, drv::fill_packet(0, 64 * ++tag, 1, 0, 1), outer[i]);
				continue;
			}
			umd::Graph child;
			for (const auto &after : random_tasks(random, 2)) {
				tags[i].push_back(tag);
				add(child, drv::fill_packet(0, 64 * ++tag, 1, 0, 1), after);
			}
			graph.add_child(child, 0, outer[i]);
		}
		Compiled image(compile(graph));
		std::vector<uint32_t> where(tag, ~0u);
		for (uint32_t i = 0; i < image.nodes.size(); i++) {
			if (image.nodes[i].opcode == UNPU_OP_FILL)
				where.at(image.nodes[i].fill.dst / 64 - 1) = i;
		}
		auto wanted = follows(outer);
		auto got = reaches(image);
		for (uint32_t i = 0; i < outer.size(); i++) {
			for (uint32_t k = 0; k < outer.size(); k++) {
				for (uint32_t a : tags[k]) {
					for (uint32_t b : tags[i]) {
						if (i != k) {
							ASSERT_EQ(got[where[a]][where[b]],
								  wanted[i][k])
								<< k << " before " << i;
						}
					}
				}
			}
		}
	}
}

TEST(GraphCompiler, BodiesAreRegions)
{
	umd::Graph graph;
	add(graph, drv::nop_packet(0), {});
	uint32_t node = graph.add_cond(UNPU_COND_IF, 64, 2, 0, 0, std::vector<uint32_t>{0});
	add(graph, drv::nop_packet(0), {node});
	add(graph.body(node, 0), drv::nop_packet(0), {});
	add(graph.body(node, 0), drv::nop_packet(0), {});
	uint32_t inner =
		graph.body(node, 1).add_cond(UNPU_COND_WHILE, 64, 1, 0, 0, std::vector<uint32_t>{});
	add(graph.body(node, 1).body(inner, 0), drv::nop_packet(0), {});
	graph.add_cell(64, 7);
	Compiled image(compile(*graph.clone()));
	ASSERT_EQ(image.header.nregions, 4u);
	EXPECT_EQ(image.regions[0].count, 1u);
	EXPECT_EQ(image.regions[1].count, 2u);
	EXPECT_EQ(image.regions[2].count, 1u);
	EXPECT_EQ(image.regions[3].count, 1u);
	EXPECT_EQ(image.nodes[image.place[node]].cond.first, 1u);
	ASSERT_EQ(image.header.ncells, 1u);
	EXPECT_EQ(image.cells[0].value, 7u);
}

class GraphOrder : public Stepped {
protected:
	/*
	 * Task i copies a word of each of its predecessors into a place of its own, and its own
	 * word last: what a task copied tells whether its predecessor was done.
	 */
	void build(umd::Graph &graph, const Dependencies &after)
	{
		std::vector<uint32_t> last(after.size());
		for (uint32_t i = 0; i < after.size(); i++) {
			std::vector<uint32_t> before;
			for (uint32_t task : after[i])
				before.push_back(last[task]);
			for (uint32_t task : after[i]) {
				uint32_t at = add(graph,
						  drv::copy_packet(0, seen(i, task), done(task), 4),
						  before);
				before = {at};
			}
			unpu_packet packet = drv::copy_packet(0, done(i), memory.va, 4);
			packet.signal_sem = sem;
			packet.signal_op = UNPU_SIGNAL_RAISE;
			packet.signal_value = i;
			last[i] = add(graph, packet, before);
		}
	}

	static constexpr uint32_t TASKS = 40;
	uint64_t done(uint32_t task) const { return memory.va + 4 * (1 + task); }
	uint64_t seen(uint32_t task, uint32_t before) const
	{
		return memory.va + 4 * (1 + TASKS + task * TASKS + before);
	}
	uint32_t word(uint64_t va) const { return memory.as<uint32_t>()[(va - memory.va) / 4]; }

	Memory memory = client.memory(4 * (1 + TASKS + TASKS * TASKS));
	uint32_t sem = client.new_semaphore();
};

TEST_F(GraphOrder, TheDeviceKeepsIt)
{
	const uint64_t seed = base::now_ns();
	SCOPED_TRACE(testing::Message() << "seed " << seed);
	std::mt19937_64 random(seed);
	for (unsigned round = 0; round < 60; round++) {
		Dependencies after = random_tasks(random, round % 4);
		umd::Graph tasks;
		build(tasks, after);
		uint32_t graph = 0;
		ASSERT_EQ(client.load_graph(compile(tasks), graph), Status::OK);
		for (uint32_t launch = 1; launch <= 3; launch++) {
			uint32_t mark = round * 8 + launch;
			memory.as<uint32_t>()[0] = mark;
			ASSERT_EQ(channel.run(drv::graph_packet(1, graph)), Status::OK);
			for (uint32_t i = 0; i < after.size(); i++) {
				ASSERT_EQ(word(done(i)), mark);
				for (uint32_t before : after[i])
					ASSERT_EQ(word(seen(i, before)), mark)
						<< before << " -> " << i;
			}
		}
		ASSERT_EQ(client.unload_graph(graph), Status::OK);
	}
}

} // namespace
