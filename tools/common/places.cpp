// SPDX-License-Identifier: MIT
/**
 * DOC: Placement of threads and pages
 *
 * Threads and pages of the firmware and its clients, from /proc. Host and firmware share memory in memfds;
 * their names in /proc tell their purpose. A process with an embedded device maps a file twice, so of all
 * mappings of a file in a process only the one with the most pages counts.
 */
#include "places.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "base/json/text.h"

#include "tool.h"

namespace tool {

namespace fs = std::filesystem;

static constexpr const char *NODES = "/sys/devices/system/node";
static constexpr const char *PREFIX = "/memfd:unpu-";

/* The names of the memfds, and the name that the tool prints for each. */
struct Kind {
	const char *file;
	const char *name;
};

static constexpr Kind KINDS[] = {
	{"device", "device memory"}, {"pinned", "pinned memory"},  {"channel", "rings"},
	{"client", "control"},	     {"completion", "completion"}, {"bar", "registers"},
};

static std::string first_line(const std::string &path)
{
	std::ifstream file(path);
	std::string line;
	std::getline(file, line);
	return line;
}

/* The value of "key:" in lines as of /proc/PID/status. */
static std::string value_of(const std::string &path, const std::string &key)
{
	std::ifstream file(path);
	std::string line;
	while (std::getline(file, line)) {
		const size_t at = line.find(key + ":");
		if (at == line.npos)
			continue;
		const size_t value = line.find_first_not_of(" \t", at + key.size() + 1);
		return value == line.npos ? "" : line.substr(value);
	}
	return "";
}

static uint64_t kib_of(const std::string &path, const std::string &key)
{
	return strtoull(value_of(path, key).c_str(), nullptr, 10) * KIB;
}

Json nodes()
{
	constexpr int NODES_MOST = 1024;
	Json all = Json::array();
	for (int node = 0; node < NODES_MOST; node++) {
		const std::string folder = fmt::format("{}/node{}", NODES, node);
		std::error_code error;
		if (!fs::exists(folder, error))
			continue;
		Json distances = Json::array();
		std::ifstream file(folder + "/distance");
		uint32_t distance;
		while (file >> distance)
			distances.push_back(distance);
		all.push_back({{"node", node},
			       {"cpus", first_line(folder + "/cpulist")},
			       {"distances", distances},
			       {"memory_bytes", kib_of(folder + "/meminfo", "MemTotal")},
			       {"free_bytes", kib_of(folder + "/meminfo", "MemFree")}});
	}
	return all;
}

static std::set<int> numbers_of(const std::string &list)
{
	std::set<int> numbers;
	std::istringstream parts(list);
	std::string part;
	while (std::getline(parts, part, ',')) {
		int first = 0;
		int last = 0;
		const int got = sscanf(part.c_str(), "%d-%d", &first, &last);
		for (int i = first; got > 0 && i <= (got > 1 ? last : first); i++)
			numbers.insert(i);
	}
	return numbers;
}

/* The NUMA node that has all of these CPUs, or -1. */
static int node_of(const std::set<int> &cpus)
{
	for (const Json &node : nodes()) {
		const std::set<int> own = numbers_of(node["cpus"].get<std::string>());
		if (!cpus.empty() &&
		    std::includes(own.begin(), own.end(), cpus.begin(), cpus.end()))
			return node["node"];
	}
	return -1;
}

/* The CPU on which a thread ran last: field 39. Field 2, the name, may contain spaces. */
static int last_cpu(const std::string &folder)
{
	constexpr unsigned FIELDS_AFTER_NAME = 37;
	const std::string line = first_line(folder + "/stat");
	const size_t at = line.rfind(')');
	if (at == line.npos)
		return -1;
	std::istringstream rest(line.substr(at + 1));
	std::string field;
	for (unsigned i = 0; i < FIELDS_AFTER_NAME && rest >> field; i++)
		continue;
	return rest ? atoi(field.c_str()) : -1;
}

/* The main thread, and the threads that the libraries have started. */
static Json threads_of(uint64_t pid)
{
	Json threads = Json::array();
	std::error_code error;
	for (const auto &entry : fs::directory_iterator(fmt::format("/proc/{}/task", pid), error)) {
		const std::string folder = entry.path();
		const std::string name = program_name(folder + "/comm");
		const uint64_t tid = strtoull(entry.path().filename().c_str(), nullptr, 10);
		if (tid != pid && name.rfind("unpu-", 0) != 0)
			continue;
		const std::string cpus = value_of(folder + "/status", "Cpus_allowed_list");
		const int cpu = last_cpu(folder);
		const int bound = node_of(numbers_of(cpus));
		threads.push_back({{"thread", tid},
				   {"name", name},
				   {"cpus", cpus},
				   {"cpu", cpu},
				   {"node", bound >= 0 ? bound : node_of({cpu})}});
	}
	std::sort(threads.begin(), threads.end(),
		  [](const Json &a, const Json &b) { return a["thread"] < b["thread"]; });
	return threads;
}

/* A mapping of shared memory. */
struct Area {
	std::string kind; /* the part of the file's name behind PREFIX */
	std::string file; /* the file's device and inode number */
	std::map<int, uint64_t> nodes;
	uint64_t present_bytes = 0;
	uint64_t thp_bytes = 0;
	uint64_t huge_bytes = 0;
	uint64_t locked_bytes = 0;
};

/* The areas by address, with what /proc/PID/smaps says of them. */
static std::map<uint64_t, Area> areas_of(uint64_t pid)
{
	std::map<uint64_t, Area> areas;
	std::ifstream file(fmt::format("/proc/{}/smaps", pid));
	std::string line;
	Area *area = nullptr;
	while (std::getline(file, line)) {
		const size_t colon = line.find(':');
		if (colon == line.npos || line.find('-') < colon) {
			const size_t at = line.find(PREFIX);
			area = nullptr;
			if (at == line.npos)
				continue;
			std::istringstream words(line);
			std::string range, rights, offset, device, number;
			words >> range >> rights >> offset >> device >> number;
			area = &areas[strtoull(range.c_str(), nullptr, 16)];
			const size_t name = at + strlen(PREFIX);
			area->kind = line.substr(name, line.find(' ', name) - name);
			area->file = device + " " + number;
			continue;
		}
		if (!area)
			continue;
		const std::string key = line.substr(0, colon);
		const uint64_t bytes = strtoull(line.c_str() + colon + 1, nullptr, 10) * KIB;
		if (key == "Rss")
			area->present_bytes += bytes;
		else if (key == "ShmemPmdMapped")
			area->thp_bytes += bytes;
		else if (key == "Shared_Hugetlb" || key == "Private_Hugetlb")
			area->huge_bytes += bytes;
		else if (key == "Locked")
			area->locked_bytes += bytes;
	}
	for (auto &[address, one] : areas)
		one.present_bytes += one.huge_bytes;
	return areas;
}

/* Adds what /proc/PID/numa_maps says about the areas. If the kernel has no such file, the machine has one
 * node. */
static void add_nodes(uint64_t pid, std::map<uint64_t, Area> &areas)
{
	std::ifstream file(fmt::format("/proc/{}/numa_maps", pid));
	const bool known = file.good();
	std::string line;
	while (std::getline(file, line)) {
		const auto found = areas.find(strtoull(line.c_str(), nullptr, 16));
		if (found == areas.end())
			continue;
		const size_t unit = line.find("kernelpagesize_kB=");
		const uint64_t page_bytes =
			unit == line.npos ? 4 * KIB
					  : strtoull(line.c_str() + unit + 18, nullptr, 10) * KIB;
		std::istringstream words(line);
		std::string word;
		while (words >> word) {
			int node = 0;
			unsigned long long pages = 0;
			if (sscanf(word.c_str(), "N%d=%llu", &node, &pages) == 2)
				found->second.nodes[node] += pages * page_bytes;
		}
	}
	for (auto &[address, area] : areas) {
		if (!known && area.present_bytes > 0)
			area.nodes[0] = area.present_bytes;
	}
}

static Json pages_of(uint64_t pid)
{
	std::map<uint64_t, Area> areas = areas_of(pid);
	add_nodes(pid, areas);
	std::map<std::string, const Area *> files;
	for (const auto &[address, area] : areas) {
		const Area *&best = files[area.file];
		if (!best || area.present_bytes > best->present_bytes)
			best = &area;
	}
	Json all = Json::object();
	for (const Kind &kind : KINDS) {
		Area sum;
		for (const auto &[file, area] : files) {
			if (area->kind != kind.file)
				continue;
			sum.present_bytes += area->present_bytes;
			sum.thp_bytes += area->thp_bytes;
			sum.huge_bytes += area->huge_bytes;
			sum.locked_bytes += area->locked_bytes;
			for (const auto &[node, bytes] : area->nodes)
				sum.nodes[node] += bytes;
		}
		if (sum.present_bytes == 0)
			continue;
		Json by_node = Json::object();
		for (const auto &[node, bytes] : sum.nodes)
			by_node[std::to_string(node)] = bytes;
		const uint64_t large = sum.thp_bytes + sum.huge_bytes;
		all[kind.file] = {
			{"present_bytes", sum.present_bytes},
			{"small_bytes", sum.present_bytes - std::min(large, sum.present_bytes)},
			{"thp_bytes", sum.thp_bytes},
			{"huge_bytes", sum.huge_bytes},
			{"locked_bytes", sum.locked_bytes},
			{"nodes", by_node},
		};
	}
	return all;
}

Json process_places(uint64_t pid)
{
	const bool readable = std::ifstream(fmt::format("/proc/{}/smaps", pid)).get() != EOF;
	return {{"pid", pid},
		{"name", process_name(pid)},
		{"readable", readable},
		{"threads", threads_of(pid)},
		{"pages", pages_of(pid)}};
}

std::vector<uint64_t> processes_of(const std::vector<Json> &snapshots,
				   const std::vector<uint64_t> &more)
{
	std::set<uint64_t> all(more.begin(), more.end());
	for (const Json &snapshot : snapshots) {
		all.insert(snapshot["pid"].get<uint64_t>());
		for (const Json &client : snapshot["clients"])
			all.insert(client["pid"].get<uint64_t>());
	}
	return {all.begin(), all.end()};
}

/* The NUMA node of a device's memory; -1: no fixed node. */
static int home_of(const Json &snapshot)
{
	const Json &placement = snapshot["placement"];
	return placement.is_null() ? -1 : placement["memory"].get<int>();
}

static std::string draw_device(const Json &snapshot)
{
	std::string text = fmt::format(
		"  device   {}, {} of {}\n", base::write_json(snapshot["device"]),
		snapshot["name"].get<std::string>(), process_name(snapshot["pid"].get<uint64_t>()));
	const Json &placement = snapshot["placement"];
	if (placement.is_null())
		return text;
	/* The snapshot of an older firmware does not have this member. */
	const Json engines = placement.value("engine_cpus", Json::array());
	if (!engines.empty())
		text += fmt::format("           engines on CPUs {}\n",
				    fmt::join(engines.get<std::vector<int>>(), ", "));
	if (placement["why"] != "")
		text += fmt::format("           {}\n", placement["why"].get<std::string>());
	return text;
}

static std::string draw_threads(const Json &process, int node)
{
	std::string text;
	for (const Json &thread : process["threads"]) {
		if (thread["node"] == node)
			text += fmt::format(
				"  thread   {:<16} {:>7}, may run on CPUs {}, last on {}\n",
				thread["name"].get<std::string>(), thread["thread"].get<uint64_t>(),
				thread["cpus"].get<std::string>(), thread["cpu"].get<int>());
	}
	return text;
}

static std::string draw_pages(const Json &process, int node)
{
	std::string text;
	for (const Kind &kind : KINDS) {
		const std::string number = std::to_string(node);
		if (!process["pages"].contains(kind.file))
			continue;
		const Json &pages = process["pages"][kind.file];
		if (!pages["nodes"].contains(number))
			continue;
		text += fmt::format("  pages    {:<16} {:>10} of {}\n", kind.name,
				    rounded(pages["nodes"][number].get<uint64_t>()),
				    process["name"].get<std::string>());
	}
	return text;
}

static std::string draw_sizes(const Json &processes)
{
	std::string text = fmt::format("pages    {:<16} {:<16} {:>10} {:>10} {:>10} {:>10}\n",
				       "process", "kind", "4 KiB", "THP", "hugetlb", "locked");
	for (const Json &process : processes) {
		if (!process["readable"].get<bool>())
			text += fmt::format("  {} {}: its pages are not for this user to see\n",
					    process["pid"].get<uint64_t>(),
					    process["name"].get<std::string>());
		for (const Kind &kind : KINDS) {
			if (!process["pages"].contains(kind.file))
				continue;
			const Json &pages = process["pages"][kind.file];
			text += fmt::format("         {:<16} {:<16} {:>10} {:>10} {:>10} {:>10}\n",
					    process["name"].get<std::string>(), kind.name,
					    rounded(pages["small_bytes"].get<uint64_t>()),
					    rounded(pages["thp_bytes"].get<uint64_t>()),
					    rounded(pages["huge_bytes"].get<uint64_t>()),
					    rounded(pages["locked_bytes"].get<uint64_t>()));
		}
	}
	return text;
}

std::string draw_places(const Json &nodes, const std::vector<Json> &snapshots,
			const Json &processes)
{
	std::string text;
	for (const Json &node : nodes) {
		const int number = node["node"];
		std::string distances;
		for (const Json &distance : node["distances"])
			distances += fmt::format(" {}", base::write_json(distance));
		const auto cpus = node["cpus"].get<std::string>();
		text += fmt::format("node {:<3} {}, {} with {} free, distances{}\n", number,
				    cpus.empty() ? "no CPU" : fmt::format("CPUs {}", cpus),
				    rounded(node["memory_bytes"].get<uint64_t>()),
				    rounded(node["free_bytes"].get<uint64_t>()), distances);
		for (const Json &snapshot : snapshots) {
			if (home_of(snapshot) == number)
				text += draw_device(snapshot);
		}
		for (const Json &process : processes)
			text += draw_threads(process, number);
		for (const Json &process : processes)
			text += draw_pages(process, number);
	}
	std::string anywhere;
	for (const Json &snapshot : snapshots) {
		if (home_of(snapshot) < 0)
			anywhere += draw_device(snapshot);
	}
	for (const Json &process : processes)
		anywhere += draw_threads(process, -1);
	if (!anywhere.empty())
		text += "anywhere\n" + anywhere;
	return processes.empty() ? text : text + draw_sizes(processes);
}

} // namespace tool
