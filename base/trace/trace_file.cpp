// SPDX-License-Identifier: MIT
/**
 * DOC: Trace file
 */
#include "trace_file.h"

#include "base/size_signal.h"
#include "trace_passes.h"

namespace base {

static std::string json_list(const std::vector<std::string> &texts)
{
	std::vector<std::string> list;
	for (const std::string &text : texts)
		list.push_back(json_text(text));
	return fmt::format("[{}]", fmt::join(list, ","));
}

/* [SINCE in microseconds, NUMBER, NAMES] of each program */
static std::string node_lists(const std::vector<TraceProgram> &programs)
{
	std::vector<std::string> list;
	for (const TraceProgram &each : programs)
		list.push_back(fmt::format("[{}.{:03},{},{}]", each.since_ns / 1000,
					   each.since_ns % 1000, each.number,
					   json_list(each.names)));
	return fmt::format("[{}]", fmt::join(list, ","));
}

/* "calls":{"123":["a task",...]},"marks":{"123":{...}},"nodes":{"123":[...]} - so that a merge can name the tasks of
 * a firmware's file. */
static std::string name_lists(const HostTrace &host, const HostPass &pass)
{
	return fmt::format(
		"\"calls\":{{\"{}\":{}}},\"marks\":{{\"{}\":{{{}}}}},\"nodes\":{{\"{}\":{}}},",
		host.pid, json_list(host.calls), host.pid, pass.mark_list(), host.pid,
		node_lists(host.programs));
}

Status write_trace(const std::string &path, const HostTrace *host,
		   const std::vector<DeviceTrace> &devices)
{
	const WithoutSizeSignal quiet;
	TaskNames names;
	std::string of_host;
	uint32_t pid = host ? host->pid : devices.empty() ? 0 : devices.front().pid;
	TraceEvents events(pid);
	TRY(events.open(path));
	std::set<uint64_t> complete;
	uint64_t overwritten = 0;
	if (host) {
		overwritten += host->overwritten;
		for (const ThreadTrace &thread : host->threads)
			overwritten += thread.overwritten;
		HostPass pass(events, *host);
		pass.run();
		names = pass.names();
		of_host = name_lists(*host, pass);
	}
	for (const DeviceTrace &device : devices) {
		overwritten += device.overwritten;
		DevicePass(events, device, names).run();
		if (host)
			complete.insert(device.generation);
	}
	return events.close(complete, fmt::format("{}\"version\":{},\"overwritten\":{}", of_host,
						  json_text(UNPU_VERSION_TEXT), overwritten));
}

} // namespace base
