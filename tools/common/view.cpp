// SPDX-License-Identifier: MIT
/**
 * DOC: A snapshot as text
 */
#include "view.h"

#include "base/json/text.h"
#include "tool.h"

namespace tool {

std::string fields(const Json &section)
{
	std::string text;
	for (const auto &[key, value] : section.items()) {
		const bool list = value.is_array() && (value.empty() || value[0].is_structured());
		if (value.is_object() || list)
			continue;
		std::string shown =
			value.is_string() ? value.get<std::string>() : base::write_json(value);
		const size_t end = key.find("_bytes");
		if (end != key.npos && value.is_number_unsigned())
			shown = amount(value.get<uint64_t>());
		text += fmt::format("  {:<18} {}\n", key.substr(0, end), shown);
	}
	return text;
}

/* "semaphore 9 >= 4 (is 3)" */
static std::string wait_text(const Json &wait)
{
	if (wait.is_null())
		return "";
	if (wait.contains("address"))
		return fmt::format(
			"word at {:#x} for {:#x} (is {:#x})", wait.at("address").get<uint64_t>(),
			wait.at("wanted").get<uint64_t>(), wait.at("value").get<uint64_t>());
	return fmt::format("semaphore {} >= {} (is {})", wait.at("semaphore").get<uint64_t>(),
			   wait.at("wanted").get<uint64_t>(), wait.at("value").get<uint64_t>());
}

static std::string channel_row(const Json &client, const Json &channel)
{
	std::string note = wait_text(channel["waits_for"]);
	if (!channel["blocked_ms"].is_null())
		note += fmt::format("{}{} ms", note.empty() ? "" : ", ",
				    channel["blocked_ms"].get<uint64_t>());
	if (!channel["failure"].is_null())
		note += fmt::format("{}failed: {}", note.empty() ? "" : ", ",
				    channel["failure"].at("status").get<std::string>());
	return fmt::format("  {:>6} {:>7} {:<9} {:>10} {:>10} {:>10} {}\n",
			   client["client"].get<uint64_t>(), channel["channel"].get<uint64_t>(),
			   channel["state"].get<std::string>(),
			   channel["published"].get<uint64_t>(), channel["fetched"].get<uint64_t>(),
			   channel["retired"].get<uint64_t>(), note);
}

/* What a quota of memory counts; without one it bounds nothing, and tables for any number of semaphores are in it. */
static std::string charged(const Json &snapshot, const Json &client)
{
	const Json quotas = snapshot.value("quotas", Json::object());
	const Json most = quotas.is_object() ? quotas.value("memory_bytes", Json()) : Json();
	if (!most.is_number_unsigned() || most == 0u)
		return "-";
	return rounded(client["quota_used_bytes"].get<uint64_t>());
}

static std::string client_row(const Json &snapshot, const Json &client)
{
	const auto pid = client["pid"].get<uint64_t>();
	const Json &segments = client["segments"];
	std::string state = "ok";
	if (!client["broken"].is_null())
		state = "broken: " + client["broken"].get<std::string>();
	return fmt::format("  {:>6} {:>7} {:<8} {:<15} {:>9} {:>9} {:>9} {:>8} {:>6} {:>11} {}\n",
			   client["client"].get<uint64_t>(), pid, user_name(client),
			   process_name(pid), rounded(client["memory_used_bytes"].get<uint64_t>()),
			   rounded(segments["pinned"]["bytes"].get<uint64_t>()),
			   charged(snapshot, client), client["channels"].size(),
			   client["graphs"].size(), client["counters"]["packets"].get<uint64_t>(),
			   state);
}

static std::string graph_row(const Json &client, const Json &graph)
{
	std::string note = graph["running"].get<bool>() ? "running" : "idle";
	for (const Json &wait : graph["waits_for"])
		note += ", " + wait_text(wait);
	return fmt::format("  {:>6} {:>7} {:>8} {:>6} {:>10} {:>6} {}\n",
			   client["client"].get<uint64_t>(), graph["graph"].get<uint64_t>(),
			   graph["nodes"].get<uint64_t>(), graph["lines"].get<uint64_t>(),
			   graph["executions"].get<uint64_t>(), graph["queued"].get<uint64_t>(),
			   note);
}

static std::string semaphore_row(const Json &client, const Json &semaphore)
{
	return fmt::format("  {:>6} {:>9} {:>12} {:>7}\n", client["client"].get<uint64_t>(),
			   semaphore["semaphore"].get<uint64_t>(),
			   semaphore["value"].get<uint64_t>(),
			   semaphore["waiters"].get<uint64_t>());
}

/* The heading and the rows of one kind, of all clients; empty if there are no rows. */
template <class Row>
static std::string table(const Json &snapshot, const char *list, const std::string &heading,
			 Row row)
{
	std::string rows;
	for (const Json &client : snapshot["clients"]) {
		for (const Json &item : client[list])
			rows += row(client, item);
	}
	return rows.empty() ? rows : heading + rows;
}

std::string clients(const Json &snapshot)
{
	std::string text =
		fmt::format("  {:>6} {:>7} {:<8} {:<15} {:>9} {:>9} {:>9} {:>8} {:>6} {:>11} {}\n",
			    "client", "pid", "user", "process", "memory", "pinned", "charged",
			    "channels", "graphs", "packets", "state");
	for (const Json &client : snapshot["clients"])
		text += client_row(snapshot, client);
	text += table(snapshot, "channels",
		      fmt::format("  {:>6} {:>7} {:<9} {:>10} {:>10} {:>10} {}\n", "client",
				  "channel", "state", "published", "fetched", "retired",
				  "waits for"),
		      channel_row);
	text += table(snapshot, "graphs",
		      fmt::format("  {:>6} {:>7} {:>8} {:>6} {:>10} {:>6} {}\n", "client", "graph",
				  "nodes", "lines", "executions", "queued", "state"),
		      graph_row);
	text += table(snapshot, "semaphores",
		      fmt::format("  {:>6} {:>9} {:>12} {:>7}\n", "client", "semaphore", "value",
				  "waiters"),
		      semaphore_row);
	return text;
}

/* How much a number has changed per second between two snapshots. */
static double per_second(const Json &before, const Json &now, double seconds)
{
	return (now.get<double>() - before.get<double>()) / seconds;
}

static std::string share(const Json &before, const Json &now, double seconds, uint64_t threads)
{
	if (now.is_null() || threads == 0)
		return "-";
	return fmt::format("{:.0f} %", per_second(before, now, seconds) / 1e9 * 100 /
					       static_cast<double>(threads));
}

std::string rates(const Json &before, const Json &now)
{
	std::string text = fmt::format(
		"device {}  {}  {}  memory {} of {}\n", now["device"].get<uint64_t>(),
		now["name"].get<std::string>(), now["sleeping"].get<bool>() ? "asleep" : "awake",
		rounded(now["memory_used_bytes"].get<uint64_t>()),
		rounded(now["memory_total_bytes"].get<uint64_t>()));
	if (before.is_null() || before["generation"] != now["generation"])
		return text;
	const double seconds =
		(now["uptime_ns"].get<double>() - before["uptime_ns"].get<double>()) / 1e9;
	if (seconds <= 0)
		return text;
	text += fmt::format("  busy {}  engines {}  kernels {}",
			    share(before["busy_ns"], now["busy_ns"], seconds, 1),
			    share(before["engines_busy_ns"], now["engines_busy_ns"], seconds,
				  now["engines"].get<uint64_t>()),
			    share(before["kernels_busy_ns"], now["kernels_busy_ns"], seconds, 1));
	for (const auto &[key, value] : now["counters"].items()) {
		if (key == "faults")
			text += fmt::format("  faults {}", value.get<uint64_t>());
		else
			text += fmt::format("  {}/s {:.0f}", key,
					    per_second(before["counters"][key], value, seconds));
	}
	return text + "\n";
}

} // namespace tool
