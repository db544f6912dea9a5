// SPDX-License-Identifier: MIT
/**
 * DOC: Nodes, tested
 *
 * Machines that nobody has here are folders as the kernel would show them.
 */
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/numa.h"

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
	EXPECT_TRUE(machine.nodes[2].memory);
	EXPECT_FALSE(machine.nodes[3].memory);
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
