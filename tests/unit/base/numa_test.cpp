// SPDX-License-Identifier: MIT
/**
 * DOC: Nodes, tested
 *
 * Folders with the kernel's files stand for machines with several nodes.
 */
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/os/numa.h"

using base::choose_placement;
using base::NumaAllowed;
using base::NumaMachine;
using base::Placement;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/* A folder as /sys/devices/system/node; gone with the object. */
class Folder {
public:
	Folder()
	{
		std::string name = testing::TempDir();
		name += "nodesXXXXXX";
		EXPECT_NE(mkdtemp(name.data()), nullptr);
		path_ = name;
	}
	~Folder() { std::filesystem::remove_all(path_); }
	Folder(const Folder &) = delete;
	Folder &operator=(const Folder &) = delete;

	void put(const std::string &name, const std::string &text) const
	{
		const std::filesystem::path file = path_ / name;
		std::filesystem::create_directories(file.parent_path());
		std::ofstream(file) << text << '\n';
	}
	std::string path() const { return path_.string(); }

private:
	std::filesystem::path path_;
};

/* Four nodes: 0 and 1 have both, 2 has no CPU, 3 has no memory; each is nearest to its neighbour. */
NumaMachine four_nodes()
{
	const Folder folder;
	folder.put("online", "0-3");
	folder.put("has_memory", "0-2");
	const char *cpus[] = {"0-1", "2-3", "", "4"};
	const char *distances[] = {"10 21 31 41", "21 10 15 25", "31 15 10 20", "41 25 20 10"};
	for (int i = 0; i < 4; i++) {
		const std::string place = "node" + std::to_string(i);
		folder.put(place + "/cpulist", cpus[i]);
		folder.put(place + "/distance", distances[i]);
	}
	return NumaMachine::read(folder.path());
}

NumaAllowed everything()
{
	return {{0, 1, 2, 3, 4}, {0, 1, 2}};
}

} // namespace

TEST(Numa, AFolderIsReadAsTheKernelWritesIt)
{
	const NumaMachine machine = four_nodes();

	ASSERT_EQ(machine.nodes.size(), 4u);
	EXPECT_THAT(machine.nodes[1].cpus, ElementsAre(2, 3));
	EXPECT_THAT(machine.nodes[2].cpus, IsEmpty());
	EXPECT_TRUE(machine.nodes[2].has_memory);
	EXPECT_FALSE(machine.nodes[3].has_memory);
	EXPECT_THAT(machine.nodes[3].distances, ElementsAre(41, 25, 20, 10));
	EXPECT_EQ(machine.find(3), 3);
	EXPECT_EQ(machine.find(4), -1);
}

TEST(Numa, ListsOfCpus)
{
	EXPECT_THAT(base::parse_cpu_list("0-2,5,7-8"), ElementsAre(0, 1, 2, 5, 7, 8));
	EXPECT_THAT(base::parse_cpu_list(""), IsEmpty());
	EXPECT_THAT(base::parse_cpu_list("x"), IsEmpty());
	EXPECT_THAT(base::parse_cpu_list("3-1"), IsEmpty());
	EXPECT_THAT(base::parse_cpu_list("1,2x"), IsEmpty());
	EXPECT_EQ(base::cpu_list({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
	EXPECT_EQ(base::cpu_list({}), "");
}

TEST(Numa, ANodeThatHasBothIsTaken)
{
	const Placement placement = choose_placement(four_nodes(), everything(), 1);

	EXPECT_EQ(placement.memory, 1);
	EXPECT_THAT(placement.cpus, ElementsAre(2, 3));
	EXPECT_EQ(placement.why, "");
}

TEST(Numa, WhereNothingIsAskedNothingIsBound)
{
	const Placement placement = choose_placement(four_nodes(), everything(), -1);

	EXPECT_EQ(placement.memory, -1);
	EXPECT_THAT(placement.cpus, IsEmpty());
	EXPECT_EQ(placement.why, "");
}

TEST(Numa, ANodeWithoutCpusRunsOnTheNearestThatHasSome)
{
	const Placement placement = choose_placement(four_nodes(), everything(), 2);

	EXPECT_EQ(placement.memory, 2);
	EXPECT_THAT(placement.cpus, ElementsAre(2, 3));
	EXPECT_THAT(placement.why, HasSubstr("node 2 has no CPU"));
	EXPECT_THAT(placement.why, HasSubstr("node 1"));
}

TEST(Numa, ANodeWithoutMemoryTakesItFromTheNearestThatHasSome)
{
	const Placement placement = choose_placement(four_nodes(), everything(), 3);

	EXPECT_EQ(placement.memory, 2);
	EXPECT_THAT(placement.cpus, ElementsAre(4));
	EXPECT_THAT(placement.why, HasSubstr("node 3 has no memory"));
}

TEST(Numa, ACpusetThatLeavesOutTheNode)
{
	const Placement threads = choose_placement(four_nodes(), {{0, 4}, {0, 1, 2}}, 1);

	EXPECT_EQ(threads.memory, 1);
	EXPECT_THAT(threads.cpus, ElementsAre(0));
	EXPECT_THAT(threads.why, HasSubstr("no CPU for this process"));

	const Placement both = choose_placement(four_nodes(), {{0, 1}, {0}}, 1);

	EXPECT_EQ(both.memory, 0);
	EXPECT_THAT(both.cpus, ElementsAre(0, 1));
	EXPECT_THAT(both.why, HasSubstr("gives this process no memory"));
}

TEST(Numa, AMachineWithoutTheNode)
{
	const Placement missing = choose_placement(four_nodes(), everything(), 9);

	EXPECT_EQ(missing.memory, -1);
	EXPECT_THAT(missing.cpus, IsEmpty());
	EXPECT_EQ(missing.why, "there is no node 9");

	const NumaMachine none = NumaMachine::read("/no/such/folder");

	EXPECT_THAT(none.nodes, IsEmpty());
	EXPECT_EQ(choose_placement(none, everything(), 0).memory, -1);
}

namespace {

/* Two nodes of four cores with two CPUs each: 0-3 and 8-11, 4-7 and 12-15. */
NumaMachine two_threads_a_core()
{
	const Folder folder;
	folder.put("online", "0-1");
	folder.put("has_memory", "0-1");
	for (int node = 0; node < 2; node++) {
		const std::string place = "node" + std::to_string(node);
		folder.put(place + "/cpulist", node ? "4-7,12-15" : "0-3,8-11");
		folder.put(place + "/distance", node ? "21 10" : "10 21");
		for (int i = 0; i < 4; i++) {
			const int cpu = 4 * node + i;
			const std::string both =
				std::to_string(cpu) + ',' + std::to_string(cpu + 8);
			for (int sibling : {cpu, cpu + 8})
				folder.put(place + "/cpu" + std::to_string(sibling) +
						   "/topology/thread_siblings_list",
					   both);
		}
	}
	return NumaMachine::read(folder.path());
}

NumaAllowed sixteen()
{
	return {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {0, 1}};
}

Placement placed(const NumaMachine &machine, const NumaAllowed &allowed, int32_t node,
		 const base::EngineWish &wish)
{
	Placement placement = choose_placement(machine, allowed, node);
	base::place_engines(machine, allowed, wish, placement);
	return placement;
}

} // namespace

TEST(Numa, SiblingsAreOneCore)
{
	const NumaMachine machine = two_threads_a_core();

	EXPECT_THAT(machine.nodes[1].cores, ElementsAre(ElementsAre(4, 12), ElementsAre(5, 13),
							ElementsAre(6, 14), ElementsAre(7, 15)));
	EXPECT_THAT(four_nodes().nodes[1].cores, ElementsAre(ElementsAre(2), ElementsAre(3)))
		<< "where nothing is told";
}

TEST(Numa, EnginesHaveCoresOfTheirOwnOnTheNode)
{
	const NumaMachine machine = two_threads_a_core();
	const Placement placement = placed(machine, sixteen(), 1, {2, 0, {}});

	EXPECT_THAT(placement.engines, ElementsAre(7, 6));
	EXPECT_THAT(placement.rest, ElementsAre(4, 5, 12, 13)) << "no sibling of an engine";
	EXPECT_THAT(placement.cpus, ElementsAre(4, 5, 6, 7, 12, 13, 14, 15));
	/* Another device of the node begins where this one ended. */
	EXPECT_THAT(placed(machine, sixteen(), 1, {2, 1, {}}).engines, ElementsAre(5, 4));
	EXPECT_THAT(placed(machine, sixteen(), 1, {3, 1, {}}).engines, ElementsAre(4, 7, 6));
	/* Of what an affinity leaves. */
	const NumaAllowed some = {{0, 1, 2, 3, 13, 6, 14}, {0, 1}};
	EXPECT_THAT(placed(machine, some, 1, {1, 0, {}}).engines, ElementsAre(6));
	EXPECT_THAT(placed(machine, some, 1, {1, 0, {}}).rest, ElementsAre(13));
}

TEST(Numa, EnginesGoAnywhereWhereThereAreTooFewCores)
{
	const NumaMachine machine = two_threads_a_core();

	EXPECT_THAT(placed(machine, sixteen(), 1, {4, 0, {}}).engines, IsEmpty());
	EXPECT_THAT(placed(machine, sixteen(), -1, {2, 0, {}}).engines, IsEmpty())
		<< "nobody asked for a node";
	/* The program is to have a core too, and two siblings are one. */
	const NumaAllowed two = {{4, 5}, {0, 1}};
	const Placement placement = placed(machine, two, 1, {1, 0, {}});
	EXPECT_THAT(placement.engines, IsEmpty());
	EXPECT_THAT(placement.rest, ElementsAre(4, 5));
	EXPECT_THAT(placed(machine, {{0, 1, 8, 9}, {0}}, 0, {2, 0, {}}).engines, IsEmpty());
}

TEST(Numa, EnginesGoWhereTheyAreSent)
{
	const NumaMachine machine = two_threads_a_core();
	const Placement anywhere = placed(machine, sixteen(), -1, {3, 0, {2, 9}});

	EXPECT_THAT(anywhere.engines, ElementsAre(2, 9));
	EXPECT_THAT(anywhere.rest, IsEmpty()) << "the others are not bound";
	const Placement here = placed(machine, {{4, 5}, {0, 1}}, 1, {1, 0, {5, 6}});
	EXPECT_THAT(here.engines, ElementsAre(5));
	EXPECT_THAT(here.rest, ElementsAre(4));
	EXPECT_THAT(here.why, HasSubstr("CPUs 6 are not for this process"));
	/* Rather beside an engine than nowhere. */
	EXPECT_THAT(placed(machine, {{4, 5}, {0, 1}}, 1, {1, 0, {4, 5}}).rest, ElementsAre(4, 5));
}
