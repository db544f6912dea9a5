// SPDX-License-Identifier: MIT
/*
 * DOC: Graph compilation, tested
 *
 * Random task graphs: the image keeps every task and every dependency, has no more lines than it
 * must, and a stepped device that runs it starts no task before the ones it follows.
 */
#include <map>
#include <random>

#include "graph_image.h"
#include "umd/graph_builder.h"

namespace {

using namespace wire;
using Dependencies = std::vector<std::vector<uint32_t>>;

/* struct Compiled - an image taken apart again. */
struct Compiled {
	explicit Compiled(const std::vector<std::byte> &image)
	{
		memcpy(&header, image.data(), sizeof(header));
		uint64_t at = sizeof(header);
		read(image, at, lines, header.nlines);
		at = base::round_up(at, UNPU_LINE_BYTES);
		read(image, at, nodes, header.nnodes);
		read(image, at, edges, header.nedges);
		at = base::round_up(at, UNPU_LINE_BYTES);
		read(image, at, operators, header.descriptor_bytes / sizeof(unpu_operator));
		EXPECT_EQ(at, image.size());
		EXPECT_EQ(header.bytes, image.size());
		for (uint32_t i = 0; i < nodes.size(); i++)
			place[nodes[i].packet.cookie] = i;
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
	std::vector<unpu_graph_line> lines;
	std::vector<unpu_graph_node> nodes;
	std::vector<uint32_t> edges;
	std::vector<unpu_operator> operators;
	std::map<uint64_t, uint32_t> place; /* cookie to node */
};

/* reaches() - reach[a][b]: b starts after a has ended, by lines and edges alone. */
std::vector<std::vector<bool>> reaches(const Compiled &image)
{
	size_t count = image.nodes.size();
	std::vector<std::vector<bool>> reach(count, std::vector<bool>(count));
	std::vector<std::vector<uint32_t>> next(count);
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t e = 0; e < image.nodes[i].edges; e++)
			next[i].push_back(image.edges[image.nodes[i].first_edge + e]);
	}
	for (const unpu_graph_line &line : image.lines) {
		for (uint32_t i = line.first; i + 1 < line.first + line.count; i++)
			next[i].push_back(i + 1);
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

TEST(GraphBuilder, AnEmptyGraphIsAnImage)
{
	Compiled image(umd::GraphBuilder().compile());
	EXPECT_EQ(image.header.nnodes, 0u);
	EXPECT_EQ(image.header.nlines, 0u);
}

TEST(GraphBuilder, AChainIsOneLine)
{
	umd::GraphBuilder builder;
	for (uint32_t i = 0; i < 100; i++) {
		auto after = i ? std::vector<uint32_t>{i - 1, i - 1} : std::vector<uint32_t>{};
		EXPECT_EQ(builder.add(drv::nop_packet(i), nullptr, 0, after), i);
	}
	Compiled image(builder.compile());
	EXPECT_EQ(image.header.nlines, 1u);
	EXPECT_EQ(image.header.nedges, 0u);
	EXPECT_EQ(image.header.nnodes, 100u);
}

TEST(GraphBuilder, AForkThatJoinsHasThreeLinesOrFewer)
{
	umd::GraphBuilder builder;
	builder.add(drv::nop_packet(0), nullptr, 0, {});
	builder.add(drv::nop_packet(1), nullptr, 0, {0});
	builder.add(drv::nop_packet(2), nullptr, 1, {0});
	builder.add(drv::nop_packet(3), nullptr, 0, {1, 2});
	Compiled image(builder.compile());
	EXPECT_EQ(image.header.nlines, 3u);
	EXPECT_EQ(image.nodes[image.place[3]].joins, 2u);
	EXPECT_EQ(image.nodes[image.place[2]].stream, 1u);
}

TEST(GraphBuilder, OperatorsFindTheirDescriptors)
{
	umd::GraphBuilder builder;
	for (uint32_t i = 0; i < 5; i++) {
		auto op = packed_operator(UNPU_OPERATOR_MUL, i + 1, 64, 64, 64, 0.0);
		builder.add(drv::operator_packet(2 * i, 0), &op, 0, {});
		builder.add(drv::nop_packet(2 * i + 1), nullptr, 0, {});
	}
	Compiled image(builder.compile());
	ASSERT_EQ(image.operators.size(), 5u);
	for (uint32_t i = 0; i < 5; i++) {
		uint64_t offset = image.nodes[image.place[2 * i]].packet.op.offset;
		ASSERT_EQ(offset % sizeof(unpu_operator), 0u);
		EXPECT_EQ(image.operators[offset / sizeof(unpu_operator)].dims[0], i + 1);
	}
}

TEST(GraphBuilder, KeepsEveryDependencyAndAddsNone)
{
	const uint64_t seed = base::now_ns();
	SCOPED_TRACE(testing::Message() << "seed " << seed);
	std::mt19937_64 random(seed);
	for (unsigned round = 0; round < 300; round++) {
		Dependencies after = random_tasks(random, round % 4);
		umd::GraphBuilder builder;
		for (uint32_t i = 0; i < after.size(); i++)
			builder.add(drv::nop_packet(i), nullptr, i % 3, after[i]);
		Compiled image(builder.compile());
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

class GraphOrder : public Stepped {
protected:
	/*
	 * Task i copies a word of each of its predecessors into a place of its own, and its own
	 * word last: what a task copied tells whether its predecessor was done.
	 */
	void build(umd::GraphBuilder &builder, const Dependencies &after)
	{
		std::vector<uint32_t> last(after.size());
		for (uint32_t i = 0; i < after.size(); i++) {
			std::vector<uint32_t> before;
			for (uint32_t task : after[i])
				before.push_back(last[task]);
			for (uint32_t task : after[i]) {
				uint32_t at = builder.add(
					drv::copy_packet(i, seen(i, task), done(task), 4), nullptr,
					0, before);
				before = {at};
			}
			unpu_packet packet = drv::copy_packet(i, done(i), memory.va, 4);
			packet.signal_sem = sem;
			packet.signal_op = UNPU_SIGNAL_RAISE;
			packet.signal_value = i;
			last[i] = builder.add(packet, nullptr, 0, before);
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
		umd::GraphBuilder builder;
		build(builder, after);
		uint32_t graph = 0;
		ASSERT_EQ(client.load_graph(builder.compile(), graph), Status::OK);
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
