// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace base {

/** struct NumaNode - one node of the machine. */
struct NumaNode {
	int32_t id = 0;
	bool has_memory = false;
	std::vector<int> cpus;		     /* in ascending order */
	std::vector<std::vector<int>> cores; /* @cpus grouped by core */
	/* the distance to each node, in the order of NumaMachine::nodes */
	std::vector<uint32_t> distances;
};

/** struct NumaMachine - the nodes of the machine, as the kernel lists them. */
struct NumaMachine {
	std::vector<NumaNode> nodes;

	/** read() - reads a folder such as /sys/devices/system/node. A kernel without NUMA has no such
	 * folder; the list is then empty. */
	static NumaMachine read(const std::string &folder = "/sys/devices/system/node");

	/** find() - the index of a node in the list, or -1. */
	int find(int32_t id) const;
};

/** struct NumaAllowed - what the process may use: affinity, cpuset and memory policy of the cgroup. */
struct NumaAllowed {
	std::vector<int> cpus;
	std::vector<int32_t> memories; /* numbers of the NUMA nodes */

	static NumaAllowed now();
};

/** struct Placement - where a device's threads run and its memory lies. */
struct Placement {
	/* the requested node; -1: no node was requested, and the fields below are not used */
	int32_t asked = -1;
	int32_t memory = -1;   /* the node of the memory; -1: any node */
	std::vector<int> cpus; /* the CPUs of the threads; empty: any CPU */
	/* CPUs of the engines, assigned round robin; empty: the same CPUs as the other threads */
	std::vector<int> engines;
	std::vector<int> rest; /* the CPUs of @cpus that no engine uses, for the other threads */
	std::string why;       /* an explanation if the request was not met */

	/** bind_thread() - binds the calling thread to @cpus and makes it prefer memory of @memory. */
	void bind_thread() const;

	/** bind_engine() - as bind_thread(), for the thread of engine @engine. */
	void bind_engine(uint32_t engine) const;

	/** bind_memory() - binds the pages of an untouched range to @memory. */
	void bind_memory(void *start, uint64_t bytes) const;
};

/** choose_placement() - chooses the requested node. If it has no memory, or no CPU that this process may
 * use, the nearest node that has is taken instead. */
Placement choose_placement(const NumaMachine &machine, const NumaAllowed &allowed, int32_t asked);

/** struct EngineWish - the placement request for a device's engines. */
struct EngineWish {
	uint32_t count = 0;
	/* number of the device: devices of one node begin at different cores */
	uint32_t device = 0;
	/* the requested CPUs; empty: one core per engine if a node was requested */
	std::vector<int> cpus;
};

/** place_engines() - assigns a CPU to each engine of a device: the requested CPUs, or else one core per
 * engine. The latter needs a node with at least one core more than engines, and at least two more cores in
 * the whole process. Otherwise @placement does not change and the kernel schedules the engines freely. */
void place_engines(const NumaMachine &machine, const NumaAllowed &allowed, const EngineWish &wish,
		   Placement &placement);

/** bind_pages() - binds the pages of an untouched range to @node.
 * Return: NOT_SUPPORTED if the kernel refuses: no NUMA, no such node, or the node is not allowed. */
Status bind_pages(void *start, uint64_t bytes, int32_t node);

/** class PreferMemory - for a scope, makes the calling thread prefer memory of @node for pages that it
 * touches first; -1 changes nothing. */
class PreferMemory {
public:
	explicit PreferMemory(int32_t node);
	~PreferMemory();
	PreferMemory(const PreferMemory &) = delete;
	PreferMemory &operator=(const PreferMemory &) = delete;

private:
	static constexpr unsigned WORDS = 16;
	int mode_ = -1; /* the previous policy; -1: not changed */
	unsigned long nodes_[WORDS] = {};
};

/** policy_node() - the one node that the calling thread's memory policy names, or -1. */
int32_t policy_node();

/** current_node() - the node of the calling thread's CPU, or -1. */
int32_t current_node();

/** process_node() - the node on which process @pid runs: the node of its main thread's CPU, or, for this
 * process, of the calling thread's CPU. -1 if unknown. */
int32_t process_node(uint32_t pid);

/** page_node() - the node of a page of this process, or -1 if the page is not present. */
int32_t page_node(const void *address);

/** cpu_list() - formats a CPU list as the kernel does: "0-3,8". */
std::string cpu_list(const std::vector<int> &cpus);

/** parse_cpu_list() - the inverse of cpu_list(); empty for malformed text. */
std::vector<int> parse_cpu_list(const std::string &text);

} // namespace base
