// SPDX-License-Identifier: MIT
/*
 * DOC: where a device's threads and memory are
 *
 * The device string names a node, and the test asks the kernel where threads and memory really are.
 * It computes the expected place itself, from the kernel's files alone: a node without memory or
 * CPUs for this process is replaced by the nearest node that has some. On a machine with one node
 * these tests can only check the memory policy and the affinity, and they say so.
 */
#include "support/child_process.h"

#include <nlohmann/json.hpp>
#include <unpu/unpu.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <linux/mempolicy.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace conformance;

using Numa = testing::Test;

namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr size_t kPage = 4096;
/* A guest under emulation has little. */
constexpr const char *kMemory = "memory=64M,node=";

std::string line_of(const std::string &path)
{
	std::ifstream file(path);
	std::string line;

	std::getline(file, line);
	return line;
}

/* Numbers of a list as "0-2,5". */
std::vector<int> numbers_of(const std::string &list)
{
	std::vector<int> numbers;
	const char *at = list.c_str();

	while (*at >= '0' && *at <= '9') {
		char *end = nullptr;
		const int first = static_cast<int>(strtol(at, &end, 10));
		const int last = *end == '-' ? static_cast<int>(strtol(end + 1, &end, 10)) : first;
		for (int i = first; i <= last; i++)
			numbers.push_back(i);
		at = *end == ',' ? end + 1 : end;
	}
	return numbers;
}

bool holds_number(const std::vector<int> &all, int number)
{
	return std::find(all.begin(), all.end(), number) != all.end();
}

std::string of_nodes(const std::string &name)
{
	return line_of("/sys/devices/system/node/" + name);
}

std::string of_node(int node, const std::string &name)
{
	return of_nodes("node" + std::to_string(node) + "/" + name);
}

/* A line of /proc/.../status, behind its name. */
std::string status_of(const std::string &folder, const std::string &name)
{
	std::ifstream file(folder + "/status");
	std::string key;
	std::string value;

	while (file >> key && std::getline(file >> std::ws, value)) {
		if (key == name + ":")
			return value;
	}
	return "";
}

/* None where the kernel does not tell of placement, as qemu-user does not. */
std::vector<int> nodes()
{
	if (syscall(SYS_get_mempolicy, nullptr, nullptr, 0ul, nullptr, 0ul) != 0 && errno == ENOSYS)
		return {};
	return numbers_of(of_nodes("online"));
}

bool gives_memory(int node)
{
	return holds_number(numbers_of(of_nodes("has_memory")), node) &&
	       holds_number(numbers_of(status_of("/proc/self", "Mems_allowed_list")), node);
}

std::vector<int> cpus_for_us(int node)
{
	const std::vector<int> ours = numbers_of(status_of("/proc/self", "Cpus_allowed_list"));
	std::vector<int> cpus;

	for (const int cpu : numbers_of(of_node(node, "cpulist"))) {
		if (holds_number(ours, cpu))
			cpus.push_back(cpu);
	}
	return cpus;
}

/* The nearest node, beginning with the node itself, that has what is needed. */
template <class Test> int nearest(int from, Test fits)
{
	const std::vector<int> all = nodes();
	std::ifstream file("/sys/devices/system/node/node" + std::to_string(from) + "/distance");
	int best = -1;
	int least = 0;

	for (const int node : all) {
		int distance = 0;
		file >> distance;
		if (node == from)
			distance = 0;
		if (fits(node) && (best < 0 || distance < least)) {
			best = node;
			least = distance;
		}
	}
	return best;
}

/* The placement that the device reports. */
struct Told {
	nlohmann::json placement;
	std::string firmware; /* folder of its process */
	bool stepped = false; /* it has no thread */
};

Told ask_device()
{
	size_t needed = 0;
	Told told;

	EXPECT_EQ(unpu_snapshot(0, nullptr, 0, &needed), 0u);
	std::string text(needed + kPage, '\0');
	EXPECT_EQ(unpu_snapshot(0, text.data(), text.size(), nullptr), 0u);
	const auto snapshot = nlohmann::json::parse(text.c_str(), nullptr, false);
	EXPECT_FALSE(snapshot.is_discarded());
	if (!snapshot.is_discarded()) {
		told.placement = snapshot["placement"];
		told.firmware = "/proc/" + snapshot["pid"].dump();
		told.stepped = snapshot["features"].dump().find("stepped") != std::string::npos;
	}
	return told;
}

/* The node of a page; negative where none is mapped. */
int node_of(char *page)
{
	void *asked = page;
	int found = -1;

	EXPECT_EQ(syscall(SYS_move_pages, 0, 1ul, &asked, nullptr, &found, 0), 0);
	return found;
}

/* The policy of the memory at an address, and the node that it names. */
void expect_bound(const void *address, int node)
{
	int mode = -1;
	unsigned long mask[16] = {};

	ASSERT_EQ(syscall(SYS_get_mempolicy, &mode, mask, sizeof(mask) * 8, address, MPOL_F_ADDR),
		  0);
	EXPECT_EQ(mode, MPOL_BIND);
	EXPECT_EQ(mask[0], 1ul << node);
}

/*
 * Memory that host and device share, as this process has it mapped: all pages that are there lie on a
 * node. Returns how many there were.
 */
size_t expect_shared_on(const std::string &name, int node)
{
	std::ifstream maps("/proc/self/maps");
	std::string line;
	size_t pages = 0;

	while (std::getline(maps, line)) {
		char *end = nullptr;
		if (line.find("/memfd:" + name) == line.npos)
			continue;
		const uintptr_t first = strtoul(line.c_str(), &end, 16);
		const uintptr_t last = strtoul(end + 1, nullptr, 16);
		for (uintptr_t at = first; at < last; at += kPage) {
			const int found = node_of(reinterpret_cast<char *>(at));
			if (found < 0)
				continue;
			pages++;
			EXPECT_EQ(found, node) << name << ", page " << (at - first) / kPage;
			if (found != node)
				return pages;
		}
		expect_bound(reinterpret_cast<void *>(first), node);
	}
	return pages;
}

/* Of some CPUs those that share no core with an engine. */
std::vector<int> apart_from(const std::vector<int> &engines, std::vector<int> cpus)
{
	for (const int engine : engines) {
		const std::vector<int> core =
			numbers_of(line_of("/sys/devices/system/cpu/cpu" + std::to_string(engine) +
					   "/topology/thread_siblings_list"));
		std::erase_if(cpus,
			      [&](int cpu) { return cpu == engine || holds_number(core, cpu); });
	}
	return cpus;
}

/*
 * Threads of the device: engines have one CPU each if the device says so, and others are elsewhere.
 * Returns how many there were.
 */
size_t expect_threads_on(const std::string &process, const std::vector<int> &cpus,
			 const std::vector<int> &engines)
{
	size_t threads = 0;

	for (const auto &task : std::filesystem::directory_iterator(process + "/task")) {
		const std::string name = line_of(task.path() / "comm");
		if (name != "unpu-firmware" && name != "unpu-engine" && name != "unpu-storage" &&
		    name != "unpu-upkeep")
			continue;
		threads++;
		const std::vector<int> usual = engines.empty() ? cpus : apart_from(engines, cpus);
		std::vector<int> there;
		/* The device's thread leaves a CPU by forbidding it to itself for a moment. */
		for (int looks = 0;
		     looks < 1000 && (looks == 0 || name == "unpu-firmware") && there != usual;
		     looks++) {
			std::this_thread::yield();
			there = numbers_of(status_of(task.path(), "Cpus_allowed_list"));
		}
		if (engines.empty()) {
			EXPECT_EQ(there, usual) << name;
		} else if (name == "unpu-engine") {
			EXPECT_EQ(there.size(), 1u);
			EXPECT_TRUE(!there.empty() && holds_number(engines, there.front()));
		} else {
			EXPECT_EQ(there, usual) << name;
		}
	}
	return threads;
}

/* Rings, device memory and pinned memory, all touched. */
void use_device(void **pinned, void **device)
{
	ASSERT_OK(aclrtMallocHost(pinned, 4 * kMiB));
	ASSERT_OK(aclrtMalloc(device, 16 * kMiB, ACL_MEM_MALLOC_NORMAL_ONLY));
	memset(*pinned, 1, 4 * kMiB);
	EXPECT_OK(aclrtMemcpyAsync(*device, 4 * kMiB, *pinned, 4 * kMiB, ACL_MEMCPY_HOST_TO_DEVICE,
				   nullptr));
	EXPECT_OK(aclrtMemsetAsync(*device, 16 * kMiB, 3, 16 * kMiB, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	/* Through this process's own mapping, too. */
	EXPECT_OK(aclrtMemset(*device, 16 * kMiB, 5, 16 * kMiB));
}

void check_device()
{
	void *pinned = nullptr;
	void *device = nullptr;

	open_device();
	const Told told = ask_device();
	ASSERT_TRUE(told.placement.is_object());
	const int asked = told.placement["asked"];
	const int memory = nearest(asked, gives_memory);
	const int runs = nearest(asked, [](int node) { return !cpus_for_us(node).empty(); });

	EXPECT_EQ(told.placement["memory"], memory);
	EXPECT_EQ(numbers_of(told.placement["cpus"]), cpus_for_us(runs));
	EXPECT_EQ(told.placement["why"] == "", memory == asked && runs == asked)
		<< told.placement.dump();
	ASSERT_NO_FATAL_FAILURE(use_device(&pinned, &device));
	expect_bound(pinned, memory);
	EXPECT_GE(expect_shared_on("unpu-device", memory), 16 * kMiB / kPage);
	EXPECT_GE(expect_shared_on("unpu-pinned", memory), 4 * kMiB / kPage);
	EXPECT_GT(expect_shared_on("unpu-channel", memory), 0u);
	EXPECT_GT(expect_shared_on("unpu-client", memory), 0u);
	EXPECT_EQ(expect_threads_on(told.firmware, cpus_for_us(runs),
				    told.placement["engine_cpus"]) == 0,
		  told.stepped);
	std::printf("node %d: memory on node %d, threads on CPUs %s%s%s\n", asked, memory,
		    std::string(told.placement["cpus"]).c_str(),
		    told.placement["why"] == "" ? "" : ": ",
		    std::string(told.placement["why"]).c_str());
	EXPECT_OK(aclrtFree(device));
	EXPECT_OK(aclrtFreeHost(pinned));
	close_device();
}

/* The wait's lines are where this thread runs when the device opens, whatever node that one is on. */
void check_waiter(int node)
{
	const std::vector<int> cpus = cpus_for_us(node);
	cpu_set_t mine;

	CPU_ZERO(&mine);
	CPU_SET(static_cast<unsigned>(cpus.front()), &mine);
	ASSERT_EQ(sched_setaffinity(0, sizeof(mine), &mine), 0);
	open_device();
	expect_device_works();
	EXPECT_GT(expect_shared_on("unpu-completion", nearest(node, gives_memory)), 0u);
	close_device();
}

/* Skips the test on a machine with one node, after the part that one node allows. */
void skip_on_one_node(const char *what)
{
	if (nodes().size() == 1)
		GTEST_SKIP() << "not proven on this machine, which has one node: " << what;
}

} // namespace

/* With its memory, its rings and its threads, or the nearest substitutes. */
TEST_F(Numa, ADeviceOnEachNode)
{
	if (nodes().empty())
		GTEST_SKIP() << "this kernel has no NUMA: nothing about placement was proven";
	for (const int node : nodes()) {
		if (alone(kMemory + std::to_string(node)))
			return check_device();
	}
	skip_on_one_node("that memory and threads follow the device to another node");
}

TEST_F(Numa, CompletionLinesAreOnTheWaitersNode)
{
	std::vector<int> places;

	for (const int node : nodes()) {
		if (!cpus_for_us(node).empty())
			places.push_back(node);
	}
	if (places.empty())
		GTEST_SKIP() << "this kernel has no NUMA: nothing about placement was proven";
	/* The device is on the first node, the waiter on the last one. */
	if (alone(kMemory + std::to_string(places.front())))
		return check_waiter(places.back());
	skip_on_one_node("that the lines are on the waiter's node where that is not the device's");
}

/* Device memory and pinned memory of a thread that asked for another node than the device's. */
TEST_F(Numa, MemoryIsWhereAThreadAsksForIt)
{
	std::vector<int> places;

	for (const int node : nodes()) {
		if (gives_memory(node))
			places.push_back(node);
	}
	if (places.empty())
		GTEST_SKIP() << "this kernel has no NUMA: nothing about placement was proven";
	if (!alone(kMemory + std::to_string(places.front()))) {
		skip_on_one_node("that memory is where a thread asks for it");
		return;
	}
	const int node = places.back();
	void *pinned = nullptr;
	void *device = nullptr;

	open_device();
	EXPECT_NE(unpu_set_memory_node(1023), 0u);
	EXPECT_NE(take_message().find("node is 1023"), std::string::npos);
	EXPECT_EQ(unpu_set_memory_node(node), 0u);
	ASSERT_NO_FATAL_FAILURE(use_device(&pinned, &device));
	expect_bound(pinned, node);
	EXPECT_EQ(node_of(static_cast<char *>(pinned)), node);
	EXPECT_GE(expect_shared_on("unpu-device", node), 16 * kMiB / kPage);
	EXPECT_OK(aclrtFree(device));
	EXPECT_OK(aclrtFreeHost(pinned));
	EXPECT_EQ(unpu_set_memory_node(-1), 0u);

	/* As numactl does it; the device's own memory does not follow that. */
	const unsigned long mask = 1ul << node;
	ASSERT_EQ(syscall(SYS_set_mempolicy, MPOL_BIND, &mask, sizeof(mask) * 8), 0);
	ASSERT_OK(aclrtMallocHost(&pinned, 4 * kMiB));
	memset(pinned, 1, 4 * kMiB);
	EXPECT_EQ(node_of(static_cast<char *>(pinned)), node);
	EXPECT_OK(aclrtFreeHost(pinned));
	close_device();
}

TEST_F(Numa, ANodeThatThereIsNotIsNoWish)
{
	if (!alone("node=1023"))
		return;
	open_device();
	const Told told = ask_device();
	EXPECT_EQ(told.placement["memory"], -1);
	EXPECT_EQ(told.placement["cpus"], "");
	EXPECT_EQ(told.placement["why"], "there is no node 1023");
	expect_device_works();
	close_device();
}

TEST_F(Numa, WhereNoNodeIsNamedNothingIsBound)
{
	void *pinned = nullptr;
	int mode = -1;

	if (nodes().empty())
		GTEST_SKIP() << "this kernel has no NUMA: nothing about placement was proven";
	if (!alone())
		return;
	open_device();
	EXPECT_TRUE(ask_device().placement.is_null());
	ASSERT_OK(aclrtMallocHost(&pinned, kPage));
	EXPECT_EQ(syscall(SYS_get_mempolicy, &mode, nullptr, 0ul, pinned, MPOL_F_ADDR), 0);
	EXPECT_EQ(mode, MPOL_DEFAULT);
	EXPECT_OK(aclrtFreeHost(pinned));
	close_device();
}

namespace {

/* How many cores they are of: each counts by its first CPU. */
size_t cores_of(const std::vector<int> &cpus)
{
	size_t cores = 0;

	for (size_t i = 0; i < cpus.size(); i++) {
		const std::vector<int> before(cpus.begin(), cpus.begin() + static_cast<long>(i));
		cores += apart_from({cpus[i]}, before).size() == before.size();
	}
	return cores;
}

} // namespace

/* Where the process has two cores more than there are engines, and the node one. */
TEST_F(Numa, AnEngineHasACoreOfItsOwn)
{
	size_t all = 0;
	int enough = -1;

	for (const int node : nodes()) {
		const size_t cores = cores_of(cpus_for_us(node));
		all += cores;
		if (gives_memory(node) && cores >= 2)
			enough = node;
	}
	const bool apart = all >= 3 && enough >= 0;
	if (nodes().empty())
		GTEST_SKIP() << "this kernel has no NUMA: nothing about placement was proven";
	if (!alone("engines=1," + (kMemory + std::to_string(apart ? enough : nodes().front())))) {
		if (!apart)
			GTEST_SKIP() << "not proven on this machine, which has too few cores: that "
					"an engine has one of its own";
		return;
	}
	void *pinned = nullptr;
	void *device = nullptr;

	open_device();
	const Told told = ask_device();
	ASSERT_TRUE(told.placement.is_object());
	const std::vector<int> engines = told.placement["engine_cpus"];
	EXPECT_EQ(engines.size(), apart && !told.stepped ? 1u : 0u);
	ASSERT_NO_FATAL_FAILURE(use_device(&pinned, &device));
	expect_threads_on(told.firmware, numbers_of(told.placement["cpus"]), engines);
	if (!engines.empty())
		std::printf("node %d: the engine is alone on the core of CPU %d\n", enough,
			    engines.front());
	EXPECT_OK(aclrtFree(device));
	EXPECT_OK(aclrtFreeHost(pinned));
	close_device();
}

/* Engines go where they are sent, though no node is named. */
TEST_F(Numa, AnEngineIsOnTheCpuThatIsNamed)
{
	const std::vector<int> ours = numbers_of(status_of("/proc/self", "Cpus_allowed_list"));
	const int last = ours.back();
	void *pinned = nullptr;
	void *device = nullptr;
	size_t engines = 0;

	if (!alone("memory=64M,engines=1,engine_cpus=" + std::to_string(last)))
		return;
	open_device();
	const Told told = ask_device();
	ASSERT_NO_FATAL_FAILURE(use_device(&pinned, &device));
	for (const auto &task : std::filesystem::directory_iterator(told.firmware + "/task")) {
		const std::string name = line_of(task.path() / "comm");
		const std::vector<int> there =
			numbers_of(status_of(task.path(), "Cpus_allowed_list"));
		if (name == "unpu-engine") {
			engines++;
			EXPECT_EQ(there, std::vector<int>{last});
		} else if (name == "unpu-firmware") {
			EXPECT_EQ(there, ours);
		}
	}
	EXPECT_EQ(engines, told.stepped ? 0u : 1u);
	if (!told.stepped) {
		EXPECT_EQ(told.placement["engine_cpus"], std::vector<int>{last});
	}
	EXPECT_OK(aclrtFree(device));
	EXPECT_OK(aclrtFreeHost(pinned));
	close_device();
}
