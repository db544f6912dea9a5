// SPDX-License-Identifier: MIT
/*
 * DOC: Partition of graphs, tested
 *
 * Random graphs of several devices: each device runs its parts in the order of their numbers, so that order, the
 * edges inside the parts and the waits between them must keep each dependency.
 */
#include "umd/core/graph/partition.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "drv/packet/packets.h"
#include "umd/core/device/device_state.h"

namespace {

using umd::Graph;
using umd::NodeLocation;
using umd::Partition;
using After = std::vector<uint32_t>;

struct Devices {
	umd::DeviceState states[3];

	umd::DeviceState *operator[](uint32_t i) { return &states[i]; }
};

umd::GraphTask task_on(umd::DeviceState *device)
{
	umd::GraphTask task = umd::graph_task(drv::nop_packet(0), nullptr);
	task.home = {device, 7};
	return task;
}

uint32_t add(Graph &graph, umd::DeviceState *device, const After &after)
{
	return graph.add(task_on(device), 0, after);
}

Partition divide(const Graph &graph)
{
	auto partition = umd::partition_graph(graph, {});
	EXPECT_TRUE(partition.ok());
	return partition ? partition.take() : Partition{};
}

const NodeLocation &spot(const Partition &partition, const Graph &graph, uint32_t node)
{
	return partition.spots.at(&graph).at(node);
}

/* Whether @node of one graph follows @before, directly or through others. */
bool leads(const Graph &graph, uint32_t before, uint32_t node)
{
	if (before == node)
		return true;
	const auto after = graph.after(node);
	return std::any_of(after.begin(), after.end(),
			   [&](uint32_t one) { return leads(graph, before, one); });
}

bool follows(const Partition &partition, uint32_t part, uint32_t before)
{
	const auto &list = partition.parts[part].follows;
	return std::find(list.begin(), list.end(), before) != list.end();
}

/* Whether the parts keep the dependency of @node on @before. */
bool keeps(const Partition &partition, const NodeLocation &before, const NodeLocation &node)
{
	if (before.part == node.part)
		return before.graph == node.graph && leads(*node.graph, before.node, node.node);
	if (before.part > node.part)
		return false;
	return partition.parts[before.part].home.device == partition.parts[node.part].home.device ||
	       follows(partition, node.part, before.part);
}

TEST(Partition, KeepsTheDependenciesOfRandomGraphs)
{
	Devices devices;
	std::mt19937 random(1);

	for (int round = 0; round < 300; ++round) {
		const uint32_t count = 1 + random() % 24;
		Graph graph;

		add(graph, devices[0], {});
		for (uint32_t i = 1; i < count; ++i) {
			After after;

			for (uint32_t left = random() % 4; left > 0; --left)
				after.push_back(static_cast<uint32_t>(random() % i));
			const uint32_t device = random() % 4;
			add(graph, device == 3 ? nullptr : devices[device], after);
		}
		const Partition partition = divide(graph);
		uint32_t nodes = 0;

		for (uint32_t part = 0; part < partition.parts.size(); ++part) {
			nodes += partition.parts[part].graph->size();
			EXPECT_NE(partition.parts[part].graph->size(), 0);
			for (uint32_t before : partition.parts[part].follows) {
				EXPECT_LT(before, part);
				EXPECT_NE(partition.parts[before].home.device,
					  partition.parts[part].home.device);
			}
		}
		EXPECT_EQ(nodes, count);
		for (uint32_t node = 0; node < count; ++node) {
			const NodeLocation &at = spot(partition, graph, node);

			if (graph.home(node).device) {
				EXPECT_EQ(partition.parts[at.part].home.device,
					  graph.home(node).device);
			}
			for (uint32_t before : graph.after(node))
				EXPECT_TRUE(keeps(partition, spot(partition, graph, before), at))
					<< "round " << round << ": " << before << " -> " << node;
		}
	}
}

/* A branch on the other device does not wait for the branch beside it. */
TEST(Partition, AForkWaitsForItsRootAlone)
{
	Devices devices;
	Graph graph;
	const uint32_t root = add(graph, devices[0], {});
	const uint32_t here = add(graph, devices[0], {root});
	const uint32_t there = add(graph, devices[1], {root});
	const uint32_t end = add(graph, devices[0], {here, there});
	const Partition partition = divide(graph);

	const uint32_t there_part = spot(partition, graph, there).part;
	EXPECT_EQ(partition.parts.size(), 4U);
	EXPECT_EQ(partition.parts[there_part].follows, After{spot(partition, graph, root).part});
	EXPECT_EQ(partition.parts[spot(partition, graph, end).part].follows, After{there_part});
	EXPECT_TRUE(partition.parts[spot(partition, graph, here).part].follows.empty());
}

TEST(Partition, NodesOfAnyDeviceStayWhereTheyAre)
{
	Devices devices;
	Graph graph;
	const uint32_t first = add(graph, nullptr, {});
	const uint32_t there = add(graph, devices[1], {first});
	const uint32_t back = add(graph, devices[0], {there});
	const uint32_t last = add(graph, nullptr, {back, there});
	const Partition partition = divide(graph);

	EXPECT_EQ(partition.parts.size(), 2U);
	EXPECT_EQ(spot(partition, graph, first).part, spot(partition, graph, there).part);
	EXPECT_EQ(spot(partition, graph, back).part, spot(partition, graph, last).part);
	EXPECT_EQ(partition.parts[1].home.device, devices[0]);
	EXPECT_EQ(partition.parts[1].home.context, 7U);
}

/* A child graph on one device stays a child graph; one on several devices is taken apart. */
TEST(Partition, TakesChildGraphsOfSeveralDevicesApart)
{
	Devices devices;
	Graph same;
	Graph other;
	Graph graph;

	add(same, devices[1], {});
	add(same, nullptr, {0});
	add(other, devices[0], {});
	add(other, devices[1], {});
	add(other, devices[1], {0});
	const uint32_t first = add(graph, devices[0], {});
	const uint32_t whole = graph.add_child(same, 0, After{first});
	graph.set_label(whole, 9);
	const uint32_t apart = graph.add_child(other, 0, After{first, whole});
	const uint32_t last = add(graph, devices[0], {apart});
	const Partition partition = divide(graph);

	const NodeLocation &kept = spot(partition, graph, whole);
	EXPECT_EQ(kept.graph->kind(kept.node), umd::TaskKind::CHILD);
	EXPECT_EQ(kept.graph->label(kept.node), 9);
	EXPECT_EQ(spot(partition, graph.child(whole), 1).graph, &kept.graph->child(kept.node));
	EXPECT_EQ(spot(partition, graph.child(whole), 1).part, kept.part);
	EXPECT_EQ(spot(partition, graph, apart).part, Graph::NONE);
	const Graph &inside = graph.child(apart);
	const uint32_t last_part = spot(partition, graph, last).part;
	for (uint32_t node = 0; node < inside.size(); ++node) {
		const NodeLocation &at = spot(partition, inside, node);

		EXPECT_GT(at.part, kept.part);
		EXPECT_EQ(partition.parts[at.part].home.device, inside.home(node).device);
	}
	EXPECT_GT(last_part, spot(partition, inside, 2).part);
}

/* A graph that needs no device runs where the caller says. */
TEST(Partition, AGraphOfAnyDevice)
{
	Devices devices;
	Graph graph;

	add(graph, nullptr, {});
	add(graph, nullptr, {0});
	auto partition = umd::partition_graph(graph, {devices[2], 5});
	ASSERT_TRUE(partition.ok());
	ASSERT_EQ(partition->parts.size(), 1U);
	EXPECT_EQ(partition->parts[0].home.device, devices[2]);
	EXPECT_EQ(partition->parts[0].graph->size(), 2U);
}

TEST(Partition, RefusesCirclesAndConditions)
{
	Devices devices;
	Graph circle;
	Graph condition;

	add(circle, devices[0], {});
	add(circle, devices[1], {0});
	circle.depend(0, 1);
	EXPECT_EQ(umd::partition_graph(circle, {}).status(), base::Status::INVALID_ARGUMENT);
	add(condition, devices[0], {});
	condition.add_cond(UNPU_COND_IF, 8, 1, 0, 0, After{0});
	EXPECT_EQ(umd::partition_graph(condition, {}).status(), base::Status::NOT_SUPPORTED);
}

TEST(Graph, KeepsTheHomeOfANode)
{
	Devices devices;
	Graph graph;
	const uint32_t node = add(graph, devices[0], {});

	graph.set(node, task_on(devices[1]));
	EXPECT_EQ(graph.home(node).device, devices[1]);
	EXPECT_EQ(graph.clone()->task(node).home.device, devices[1]);
	graph.set(node, task_on(nullptr));
	EXPECT_EQ(graph.home(node).device, nullptr);
	EXPECT_TRUE(umd::homes_of(graph).empty());
}

} // namespace
