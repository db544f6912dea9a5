// SPDX-License-Identifier: MIT
/**
 * DOC: NUMA nodes
 *
 * Finds the NUMA nodes of the machine and the ones that this process may use, and places memory and threads.
 * A node may have no memory or no CPUs, and a cpuset may exclude either. A device is then placed on the
 * nearest usable node, and its snapshot says so.
 */
#include "numa.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include <numa.h>
#include <numaif.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "shm.h"

namespace base {

namespace {

constexpr unsigned MAX_NODES = 1024;
constexpr unsigned WORD_BITS = sizeof(unsigned long) * CHAR_BIT;
/* The low bits of a memory policy are its mode, the bits above are flags. */
constexpr int MODE_MASK = 0xff;

/* A node mask in the format of the system calls. */
struct NodeMask {
	unsigned long words[MAX_NODES / WORD_BITS] = {};

	void add(int32_t node)
	{
		auto bit = static_cast<unsigned>(node);
		words[bit / WORD_BITS] |= 1ul << (bit % WORD_BITS);
	}

	std::vector<int32_t> list() const
	{
		std::vector<int32_t> nodes;
		for (unsigned bit = 0; bit < MAX_NODES; bit++) {
			if (words[bit / WORD_BITS] >> (bit % WORD_BITS) & 1)
				nodes.push_back(static_cast<int32_t>(bit));
		}
		return nodes;
	}
};

std::string first_line(const std::string &path)
{
	std::ifstream file(path);
	std::string line;
	std::getline(file, line);
	return line;
}

template <class T> bool contains(const std::vector<T> &all, T one)
{
	return std::find(all.begin(), all.end(), one) != all.end();
}

std::vector<int> usable(const NumaNode &node, const NumaAllowed &allowed)
{
	std::vector<int> cpus;
	std::set_intersection(node.cpus.begin(), node.cpus.end(), allowed.cpus.begin(),
			      allowed.cpus.end(), std::back_inserter(cpus));
	return cpus;
}

/* The nearest node to @from for which @fits is true, or nullptr. Of equally near nodes the first one. */
template <class Test>
const NumaNode *nearest(const NumaMachine &machine, const NumaNode &from, Test fits)
{
	const NumaNode *best = nullptr;
	uint32_t least = UINT_MAX;
	for (size_t i = 0; i < machine.nodes.size(); i++) {
		uint32_t distance = i < from.distances.size() ? from.distances[i] : UINT_MAX - 1;
		if (&machine.nodes[i] == &from)
			distance = 0;
		if (distance < least && fits(machine.nodes[i])) {
			best = &machine.nodes[i];
			least = distance;
		}
	}
	return best;
}

} // namespace

std::vector<int> parse_cpu_list(const std::string &text)
{
	std::vector<int> cpus;
	const char *at = text.c_str();
	while (*at) {
		char *end = nullptr;
		long first = strtol(at, &end, 10);
		if (end == at)
			return {};
		long last = first;
		if (*end == '-') {
			at = end + 1;
			last = strtol(at, &end, 10);
			if (end == at)
				return {};
		}
		if (first < 0 || last < first || (*end && *end != ','))
			return {};
		for (long cpu = first; cpu <= last && cpu < CPU_SETSIZE; cpu++)
			cpus.push_back(static_cast<int>(cpu));
		at = *end ? end + 1 : end;
	}
	return cpus;
}

std::string cpu_list(const std::vector<int> &cpus)
{
	std::string text;
	for (size_t i = 0; i < cpus.size();) {
		size_t last = i;
		while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1)
			last++;
		if (!text.empty())
			text += ',';
		text += std::to_string(cpus[i]);
		if (last > i) {
			text += '-';
			text += std::to_string(cpus[last]);
		}
		i = last + 1;
	}
	return text;
}

/* Groups the CPUs of a node by core. A CPU without a sibling list counts as a core. */
static std::vector<std::vector<int>> cores_of(const std::string &place,
					      const std::vector<int> &cpus)
{
	std::vector<std::vector<int>> cores;
	std::vector<int> seen;
	for (int cpu : cpus) {
		if (contains(seen, cpu))
			continue;
		std::string path = place;
		path += "/cpu";
		path += std::to_string(cpu);
		std::vector<int> core =
			parse_cpu_list(first_line(path + "/topology/thread_siblings_list"));
		std::erase_if(core, [&](int sibling) {
			return !contains(cpus, sibling) || contains(seen, sibling);
		});
		if (!contains(core, cpu))
			core = {cpu};
		seen.insert(seen.end(), core.begin(), core.end());
		cores.push_back(std::move(core));
	}
	return cores;
}

NumaMachine NumaMachine::read(const std::string &folder)
{
	NumaMachine machine;
	const std::vector<int> memories = parse_cpu_list(first_line(folder + "/has_memory"));
	for (int id : parse_cpu_list(first_line(folder + "/online"))) {
		std::string place = folder;
		place += "/node";
		place += std::to_string(id);
		NumaNode node;
		node.id = id;
		node.has_memory = contains(memories, id);
		node.cpus = parse_cpu_list(first_line(place + "/cpulist"));
		node.cores = cores_of(place, node.cpus);
		std::ifstream distances(place + "/distance");
		uint32_t distance;
		while (distances >> distance)
			node.distances.push_back(distance);
		machine.nodes.push_back(std::move(node));
	}
	return machine;
}

int NumaMachine::find(int32_t id) const
{
	for (size_t i = 0; i < nodes.size(); i++) {
		if (nodes[i].id == id)
			return static_cast<int>(i);
	}
	return -1;
}

NumaAllowed NumaAllowed::now()
{
	NumaAllowed allowed;
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof(set), &set) == 0) {
		for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
			if (CPU_ISSET(cpu, &set))
				allowed.cpus.push_back(cpu);
		}
	}
	NodeMask mask;
	if (get_mempolicy(nullptr, mask.words, MAX_NODES, nullptr, MPOL_F_MEMS_ALLOWED) == 0)
		allowed.memories = mask.list();
	return allowed;
}

Placement choose_placement(const NumaMachine &machine, const NumaAllowed &allowed, int32_t asked)
{
	Placement placement;
	placement.asked = asked;
	if (asked < 0)
		return placement;
	int index = machine.find(asked);
	if (index < 0) {
		placement.why = "there is no node " + std::to_string(asked);
		return placement;
	}
	const NumaNode &wanted = machine.nodes[static_cast<size_t>(index)];
	auto has_memory = [&](const NumaNode &node) {
		return node.has_memory && contains(allowed.memories, node.id);
	};
	auto has_cpus = [&](const NumaNode &node) { return !usable(node, allowed).empty(); };
	const std::string name = "node " + std::to_string(asked);
	if (const NumaNode *memory = nearest(machine, wanted, has_memory)) {
		placement.memory = memory->id;
		if (memory != &wanted)
			placement.why = name +
					(wanted.has_memory ? " gives this process no memory"
							   : " has no memory") +
					", so pages are on node " + std::to_string(memory->id);
	}
	if (const NumaNode *runs = nearest(machine, wanted, has_cpus)) {
		placement.cpus = usable(*runs, allowed);
		if (runs != &wanted)
			placement.why += (placement.why.empty() ? "" : "; ") + name +
					 (wanted.cpus.empty() ? " has no CPU"
							      : " has no CPU for this process") +
					 ", so threads are on node " + std::to_string(runs->id);
	}
	return placement;
}

/* The cores with at least one CPU that this process may use; each lists only those CPUs. */
static std::vector<std::vector<int>> usable_cores(const NumaNode &node, const NumaAllowed &allowed)
{
	std::vector<std::vector<int>> cores;
	for (std::vector<int> core : node.cores) {
		std::erase_if(core, [&](int cpu) { return !contains(allowed.cpus, cpu); });
		if (!core.empty())
			cores.push_back(std::move(core));
	}
	return cores;
}

/* Assigns cores to engines from the last core downwards. The next device gets other cores while some are
 * left. */
static void spread_engines(const NumaMachine &machine, const NumaAllowed &allowed,
			   const EngineWish &wish, Placement &placement)
{
	std::vector<std::vector<int>> cores;
	size_t all = 0;
	for (const NumaNode &node : machine.nodes) {
		std::vector<std::vector<int>> some = usable_cores(node, allowed);
		all += some.size();
		if (usable(node, allowed) == placement.cpus)
			cores = std::move(some);
	}
	if (cores.size() < size_t{wish.count} + 1 || all < size_t{wish.count} + 2)
		return;
	for (uint32_t i = 0; i < wish.count; i++) {
		size_t from_last = (size_t{wish.device} * wish.count + i) % cores.size();
		const std::vector<int> &core = cores[cores.size() - 1 - from_last];
		placement.engines.push_back(core.front());
		std::erase_if(placement.rest, [&](int cpu) { return contains(core, cpu); });
	}
}

void place_engines(const NumaMachine &machine, const NumaAllowed &allowed, const EngineWish &wish,
		   Placement &placement)
{
	placement.rest = placement.cpus;
	if (wish.count == 0)
		return;
	if (wish.cpus.empty()) {
		if (!placement.cpus.empty())
			spread_engines(machine, allowed, wish, placement);
		return;
	}
	std::vector<int> refused;
	for (int cpu : wish.cpus)
		(contains(allowed.cpus, cpu) ? placement.engines : refused).push_back(cpu);
	if (!refused.empty())
		placement.why += (placement.why.empty() ? "" : "; ") + std::string("CPUs ") +
				 cpu_list(refused) +
				 " are not for this process, so no engine runs there";
	std::vector<int> left = placement.rest;
	std::erase_if(left, [&](int cpu) { return contains(placement.engines, cpu); });
	if (!left.empty())
		placement.rest = std::move(left);
}

static void bind_to(const std::vector<int> &cpus)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	for (int cpu : cpus)
		CPU_SET(cpu, &set);
	/* Ignore a failure: the cpuset may have changed meanwhile, and placement is only a wish. */
	if (!cpus.empty())
		(void)pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

static void prefer_memory(int32_t node)
{
	NodeMask mask;
	if (node < 0 || numa_available() < 0)
		return;
	mask.add(node);
	(void)set_mempolicy(MPOL_PREFERRED, mask.words, MAX_NODES);
}

void Placement::bind_thread() const
{
	bind_to(rest.empty() ? cpus : rest);
	prefer_memory(memory);
}

void Placement::bind_engine(uint32_t engine) const
{
	if (engines.empty())
		return bind_thread();
	bind_to({engines[engine % engines.size()]});
	prefer_memory(memory);
}

void Placement::bind_memory(void *start, uint64_t bytes) const
{
	if (memory >= 0)
		(void)bind_pages(start, bytes, memory);
}

Status bind_pages(void *start, uint64_t bytes, int32_t node)
{
	if (node < 0 || node >= static_cast<int32_t>(MAX_NODES) || numa_available() < 0)
		return Status::NOT_SUPPORTED;
	NodeMask mask;
	mask.add(node);
	/* The kernel's NUMA balancing does not migrate pages of a bound range. */
	if (mbind(start, round_up(bytes, kernel_page_bytes()), MPOL_BIND, mask.words, MAX_NODES,
		  0) != 0)
		return Status::NOT_SUPPORTED;
	return Status::OK;
}

PreferMemory::PreferMemory(int32_t node)
{
	static_assert(sizeof(nodes_) == sizeof(NodeMask::words));
	int mode = -1;
	if (node < 0 || numa_available() < 0 ||
	    get_mempolicy(&mode, nodes_, MAX_NODES, nullptr, 0) != 0)
		return;
	prefer_memory(node);
	mode_ = mode;
}

PreferMemory::~PreferMemory()
{
	if (mode_ < 0)
		return;
	const bool names = (mode_ & MODE_MASK) != MPOL_DEFAULT;
	(void)set_mempolicy(mode_, names ? nodes_ : nullptr, names ? MAX_NODES : 0);
}

int32_t policy_node()
{
	int mode = MPOL_DEFAULT;
	NodeMask mask;
	if (numa_available() < 0 || get_mempolicy(&mode, mask.words, MAX_NODES, nullptr, 0) != 0)
		return -1;
	mode &= MODE_MASK;
	const std::vector<int32_t> nodes = mask.list();
	bool names = mode == MPOL_BIND || mode == MPOL_PREFERRED;
	return names && nodes.size() == 1 ? nodes.front() : -1;
}

int32_t current_node()
{
	unsigned cpu;
	unsigned node;
	return getcpu(&cpu, &node) == 0 ? static_cast<int32_t>(node) : -1;
}

/* The CPU on which process @pid ran last, or -1. */
static int last_cpu(uint32_t pid)
{
	/* The CPU is field 39. Field 2, the name in parentheses, may contain spaces and parentheses. */
	constexpr unsigned FIELDS_AFTER_NAME = 37;
	std::string path = "/proc/";
	path += std::to_string(pid);
	path += "/stat";
	std::string line = first_line(path);
	size_t at = line.rfind(')');
	if (at == std::string::npos)
		return -1;
	std::istringstream rest(line.substr(at + 1));
	std::string field;
	for (unsigned i = 0; i < FIELDS_AFTER_NAME && rest >> field; i++)
		continue;
	return rest ? atoi(field.c_str()) : -1;
}

int32_t process_node(uint32_t pid)
{
	if (pid == static_cast<uint32_t>(getpid()))
		return current_node();
	int cpu = last_cpu(pid);
	return cpu < 0 || numa_available() < 0 ? -1 : numa_node_of_cpu(cpu);
}

int32_t page_node(const void *address)
{
	void *page = const_cast<void *>(address);
	int node = -1;
	if (numa_available() < 0 || move_pages(0, 1, &page, nullptr, &node, 0) != 0)
		return -1;
	return node < 0 ? -1 : node;
}

} // namespace base
