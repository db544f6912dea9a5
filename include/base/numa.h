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
	bool memory = false;
	std::vector<int> cpus;		     /* ascending */
	std::vector<std::vector<int>> cores; /* the same, those that share a core together */
	std::vector<uint32_t> distances;     /* to each node, in the order of NumaMachine::nodes */
};

/** struct NumaMachine - the nodes of the machine, as the kernel lists them. */
struct NumaMachine {
	std::vector<NumaNode> nodes;

	/** read() - from a folder as /sys/devices/system/node; a kernel without NUMA has none, and then
	 * there is no node. */
	static NumaMachine read(const std::string &folder = "/sys/devices/system/node");

	/** find() - the place of a node in the list, or -1. */
	int find(int32_t id) const;
};

/** struct NumaAllowed - what the process may use: affinity, cpuset and memory policy of the cgroup. */
struct NumaAllowed {
	std::vector<int> cpus;
	std::vector<int32_t> memories; /* nodes */

	static NumaAllowed now();
};

/** struct Placement - where a device's threads run and its memory lies. */
struct Placement {
	int32_t asked = -1;	  /* node; -1: anywhere, and nothing below holds */
	int32_t memory = -1;	  /* node, -1: anywhere */
	std::vector<int> cpus;	  /* empty: anywhere */
	std::vector<int> engines; /* the CPU of each engine, by turns; empty: as other threads */
	std::vector<int> rest;	  /* of @cpus, what engines leave to the other threads */
	std::string why;	  /* a sentence where it is not what was asked for */

	/** bind_thread() - the calling thread runs there from now on, and prefers memory of there. */
	void bind_thread() const;

	/** bind_engine() - the same for engine number @engine. */
	void bind_engine(uint32_t engine) const;

	/** bind_memory() - so do the pages of a range, which nobody has touched. */
	void bind_memory(void *start, uint64_t bytes) const;
};

/** choose_placement() - the node that was asked for, or where it has no memory or no CPU for this
 * process the nearest one that has. */
Placement choose_placement(const NumaMachine &machine, const NumaAllowed &allowed, int32_t asked);

/** struct EngineWish - what is known of a device's engines before they are placed. */
struct EngineWish {
	uint32_t count = 0;
	uint32_t device = 0;   /* number: devices of one node begin at different cores */
	std::vector<int> cpus; /* asked for; empty: cores of their own, if a node was asked for */
};

/** place_engines() - gives each engine of a device a CPU: those that were asked for, or a core of its own
 * where the device's node has one more than there are engines and the process two more. Else @placement
 * stays as it is, and the kernel moves engines as it likes. */
void place_engines(const NumaMachine &machine, const NumaAllowed &allowed, const EngineWish &wish,
		   Placement &placement);

/** bind_pages() - the pages of a range, which nobody has touched, come from @node and stay there.
 * Return: NOT_SUPPORTED when the kernel does not do it: no NUMA, no such node, or none for us. */
Status bind_pages(void *start, uint64_t bytes, int32_t node);

/** class PreferMemory - while it lives, pages that the calling thread is first to touch come from @node,
 * if that has some; -1 changes nothing. */
class PreferMemory {
public:
	explicit PreferMemory(int32_t node);
	~PreferMemory();
	PreferMemory(const PreferMemory &) = delete;
	PreferMemory &operator=(const PreferMemory &) = delete;

private:
	static constexpr unsigned WORDS = 16;
	int mode_ = -1; /* what was before; -1: nothing was changed */
	unsigned long nodes_[WORDS] = {};
};

/** policy_node() - the one node that the calling thread's memory policy names, or -1. */
int32_t policy_node();

/** current_node() - of the CPU that the calling thread runs on, or -1. */
int32_t current_node();

/** process_node() - where process @pid runs now, by the CPU of its first thread, or for this process of
 * the calling one; -1 if that can't be found out. */
int32_t process_node(uint32_t pid);

/** page_node() - where a page of this process lies, or -1 when it has no page there yet. */
int32_t page_node(const void *address);

/** cpu_list() - as the kernel writes it: "0-3,8". */
std::string cpu_list(const std::vector<int> &cpus);

/** parse_cpu_list() - the other way round; what is no list is empty. */
std::vector<int> parse_cpu_list(const std::string &text);

} // namespace base
