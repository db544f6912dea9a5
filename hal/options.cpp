// SPDX-License-Identifier: MIT
/**
 * DOC: Device string
 *
 * "backend:word,key=value,..." - the only setting that chooses where the firmware runs.
 */
#include "options.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/un.h>

#include "base/number.h"
#include "base/os/numa.h"
#include "uapi/regs.h"
#include "variable.h"

namespace hal {

using base::Result;
using base::Status;

static constexpr size_t SOCKET_PATH_MAX = sizeof(sockaddr_un::sun_path) - 1;

static bool parse_number(std::string_view text, uint64_t limit, uint64_t &out)
{
	uint64_t unit = 1;
	if (!text.empty()) {
		switch (text.back()) {
		case 'K':
			unit = uint64_t{1} << 10;
			break;
		case 'M':
			unit = uint64_t{1} << 20;
			break;
		case 'G':
			unit = uint64_t{1} << 30;
			break;
		}
		if (unit != 1)
			text.remove_suffix(1);
	}
	uint64_t value = 0;
	if (!base::read_number(text, value) || value > limit / unit)
		return false;
	out = value * unit;
	return true;
}

/* A numeric key: its target field and its limits. */
struct Key {
	std::string_view name;
	uint64_t limit;
	void (*store)(Options &options, uint64_t value);
};

static_assert(UNPU_MAX_DEVICES == 16);
static constexpr Key KEYS[] = {
	{"memory", uint64_t{1} << 46, [](Options &o, uint64_t v) { o.memory_bytes = v; }},
	{"engines", 64, [](Options &o, uint64_t v) { o.engines = static_cast<int32_t>(v); }},
	{"node", 1023, [](Options &o, uint64_t v) { o.nodes.push_back(static_cast<int32_t>(v)); }},
	{"poll_us", 1000000, [](Options &o, uint64_t v) { o.poll_us = static_cast<int32_t>(v); }},
	{"spin_us", 1000000, [](Options &o, uint64_t v) { o.spin_us = static_cast<int32_t>(v); }},
	{"watchdog_ms", 86400000,
	 [](Options &o, uint64_t v) { o.watchdog_ms = static_cast<int64_t>(v); }},
	{"patience_ms", 86400000,
	 [](Options &o, uint64_t v) { o.patience_ms = static_cast<uint32_t>(v); }},
	{"force_ms", 86400000,
	 [](Options &o, uint64_t v) { o.force_ms = static_cast<uint32_t>(v); }},
	{"window", uint64_t{1} << 46, [](Options &o, uint64_t v) { o.window_bytes = v; }},
	{"prefault", uint64_t{1} << 46, [](Options &o, uint64_t v) { o.prefault_bytes = v; }},
	{"devices", 16, [](Options &o, uint64_t v) { o.devices = static_cast<uint32_t>(v); }},
};

/* The keys that a client of a shared firmware may set; they affect only this client. */
static constexpr std::string_view SOCKET_KEYS[] = {"spin_us", "patience_ms", "force_ms",
						   "pages",   "prefault",    "faults"};

static bool parse_faults(std::string_view text, Options &options, std::string &why)
{
	auto plans = base::parse_faults(text, options.backend == Backend::SPAWN, why);
	if (!plans) {
		why = "device string: " + why;
		return false;
	}
	if (options.backend == Backend::SOCKET && plans->device) {
		why = "device string: faults: unix: takes rules with call= alone; firmware-sim "
		      "--faults has those of its devices";
		return false;
	}
	options.faults = *plans;
	return true;
}

static bool parse_caller_runs(std::string_view value, Options &options, std::string &why)
{
	if (options.backend != Backend::THREAD) {
		why = "device string: caller-runs= is for sim: alone, where the device has a "
		      "thread "
		      "in the program";
		return false;
	}
	if (value == "auto")
		options.caller_runs = CallerRuns::AUTO;
	else if (value == "on")
		options.caller_runs = CallerRuns::ON;
	else if (value == "off")
		options.caller_runs = CallerRuns::OFF;
	else
		why = fmt::format("device string: caller-runs={} must be auto, on or off", value);
	return why.empty();
}

static bool parse_kernels(std::string_view value, Options &options, std::string &why)
{
	if (options.backend != Backend::THREAD && options.backend != Backend::STEP)
		why = "device string: kernels= is for sim: alone, where the program has the "
		      "firmware in it";
	else if (value != "worker" && value != "inline")
		why = fmt::format("device string: kernels={} must be worker or inline", value);
	options.inline_kernels = value == "inline";
	return why.empty();
}

static bool parse_pages(std::string_view value, Options &options, std::string &why)
{
	constexpr struct {
		std::string_view name;
		PagePolicy policy;
	} NAMES[] = {{"auto", PagePolicy::AUTO},
		     {"4k", PagePolicy::SMALL},
		     {"thp", PagePolicy::THP},
		     {"huge", PagePolicy::HUGETLB}};
	for (const auto &entry : NAMES) {
		if (entry.name != value)
			continue;
		options.pages = entry.policy;
		return true;
	}
	why = fmt::format("device string: pages={} must be auto, 4k, thp or huge", value);
	return false;
}

/* Parses "2-5+8": '+' separates ranges, because a comma ends the key. */
static bool parse_engine_cpus(std::string_view value, Options &options, std::string &why)
{
	std::string list(value);
	std::replace(list.begin(), list.end(), '+', ',');
	options.engine_cpus = base::parse_cpu_list(list);
	if (options.engine_cpus.empty())
		why = fmt::format("device string: engine_cpus={} must be CPUs as 2-5+8", value);
	return why.empty();
}

static bool parse_word(std::string_view word, Options &options, std::string &why)
{
	if (word.empty())
		return true;
	size_t equals = word.find('=');
	std::string_view name = word.substr(0, equals);
	std::string_view value = equals == word.npos ? "" : word.substr(equals + 1);
	if (name == "kernels" && equals != word.npos)
		return parse_kernels(value, options, why);
	if (options.backend == Backend::SOCKET &&
	    std::find(std::begin(SOCKET_KEYS), std::end(SOCKET_KEYS), name) ==
		    std::end(SOCKET_KEYS)) {
		why = fmt::format(
			"device string: '{}' can't be asked of unix:, whose devices are as "
			"firmware-sim was started; only {}= can",
			word, fmt::join(SOCKET_KEYS, "= and "));
		return false;
	}
	if (word == "step" && options.backend == Backend::THREAD) {
		options.backend = Backend::STEP;
		return true;
	}
	if (name == "faults" && equals != word.npos)
		return parse_faults(value, options, why);
	if (name == "soc" && !value.empty() && value.size() < 32) {
		options.soc_name = value;
		return true;
	}
	if (name == "caller-runs")
		return parse_caller_runs(value, options, why);
	if (name == "pages")
		return parse_pages(value, options, why);
	if (name == "engine_cpus")
		return parse_engine_cpus(value, options, why);
	for (const Key &key : KEYS) {
		uint64_t number;
		if (key.name != name)
			continue;
		if (!parse_number(value, key.limit, number)) {
			why = fmt::format("device string: {}={} is not a number up to {}", name,
					  value, key.limit);
			return false;
		}
		key.store(options, number);
		return true;
	}
	why = fmt::format(
		"device string: unknown word '{}'; known are step, soc=NAME, caller-runs=, "
		"kernels=, memory=, engines=, engine_cpus=, node=, poll_us=, spin_us=, "
		"watchdog_ms=, "
		"patience_ms=, force_ms=, "
		"window=, pages=, prefault=, devices=, faults=",
		word);
	return false;
}

Result<Options> parse_device_string(std::string_view text, std::string &why)
{
	Options options;
	if (text.empty())
		text = "sim:";
	size_t colon = text.find(':');
	std::string_view backend = text.substr(0, colon);
	std::string_view rest = colon == text.npos ? "" : text.substr(colon + 1);
	if (backend == "null") {
		options.backend = Backend::NONE;
	} else if (backend == "sim+proc") {
		options.backend = Backend::SPAWN;
	} else if (backend == "unix") {
		options.backend = Backend::SOCKET;
		size_t comma = rest.find(',');
		options.path = rest.substr(0, comma);
		rest = comma == rest.npos ? "" : rest.substr(comma + 1);
	} else if (backend != "sim") {
		why = fmt::format("device string '{}': unknown backend '{}'; known are sim:, "
				  "sim+proc:, unix: and "
				  "null:",
				  text, backend);
		return Status::INVALID_ARGUMENT;
	}
	if (options.backend == Backend::SOCKET &&
	    (options.path.empty() || options.path.size() > SOCKET_PATH_MAX)) {
		why = fmt::format(
			"device string '{}': unix: takes the path of a socket, of 1 to {} "
			"characters and without a comma",
			text, SOCKET_PATH_MAX);
		return Status::INVALID_ARGUMENT;
	}
	while (!rest.empty()) {
		size_t comma = rest.find(',');
		if (!parse_word(rest.substr(0, comma), options, why))
			return Status::INVALID_ARGUMENT;
		rest = comma == rest.npos ? "" : rest.substr(comma + 1);
	}
	if (options.devices == 0) {
		why = "device string: devices must be 1 to 16";
		return Status::INVALID_ARGUMENT;
	}
	return options;
}

std::string environment(const char *name)
{
	const char *value = getenv(name);
	return value ? value : "";
}

bool has_variable(const char *name)
{
	return getenv(name) != nullptr;
}

} // namespace hal
