// SPDX-License-Identifier: MIT
/**
 * DOC: Command line
 *
 * The options of firmware-sim.
 */
#include "options.h"

#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/os/calls/confinement.h"
#include "base/os/numa.h"
#include "base/trace/trace_ring.h"
#include "firmware_sim/self_test/self_test.h"
#include "uapi/graph.h"
#include "uapi/regs.h"
#include "uapi/ring.h"
#include "uapi/socket.h"

namespace fwd {

static constexpr size_t SOC_NAME_MAX = sizeof(unpu_bar::soc_name) - 1;
static constexpr uint64_t MEMORY_MAX_BYTES = uint64_t{1} << 40;
/* A client that copies and has one or two streams needs this much. */
static constexpr uint64_t QUOTA_MEMORY_MIN_BYTES = uint64_t{8} << 20;
/* A usual client needs this many entries. */
static constexpr uint32_t QUOTA_ENTRIES_MIN = 64;
static constexpr uint32_t QUOTA_DESCRIPTORS_MIN = 16;
static constexpr int32_t ENGINES_MAX = 64;
static constexpr int32_t NODE_MAX = 1023;
static constexpr int32_t POLL_US_MAX = 1000000;
static constexpr int64_t WATCHDOG_MS_MAX = 24 * 3600 * 1000;
static constexpr uint32_t ATTACH_MS_MAX = 3600 * 1000;

static constexpr const char *EXIT_CODES =
	"Ends with 0 when every check holds, or when it was told to end; 1 when a check failed; 2 "
	"when the command line is wrong; 3 when a live firmware listens at the path; 4 when the "
	"socket can't be made; 5 when a device, its thread or the event loop can't be started, "
	"or the trace's file can't be created.";

static std::string version()
{
	struct WireStruct {
		const char *name;
		size_t bytes;
	};
#define PIECE(type) \
	WireStruct \
	{ \
#type, sizeof(type) \
	}
	constexpr WireStruct WIRE_STRUCTS[] = {
		PIECE(unpu_bar),
		PIECE(unpu_client_status),
		PIECE(unpu_channel_status),
		PIECE(unpu_call_entry),
		PIECE(unpu_sem_device),
		PIECE(unpu_sem_host),
		PIECE(unpu_message),
		PIECE(unpu_packet),
		PIECE(unpu_operator),
		PIECE(unpu_descriptor),
		PIECE(unpu_graph_header),
		PIECE(unpu_graph_line),
		PIECE(unpu_doorbells),
		PIECE(unpu_completion),
		PIECE(unpu_client),
		PIECE(unpu_socket_message),
	};
#undef PIECE
	std::string text = fmt::format("wire {}.{}", UNPU_ABI_MAJOR, UNPU_ABI_MINOR);
	for (const WireStruct &part : WIRE_STRUCTS)
		text += fmt::format("\n  {:<20} {:>9}", part.name, part.bytes);
	if (const std::string lacks = base::confinement_lacks(); !lacks.empty())
		text += "\nthis kernel lacks: " + lacks;
	return text;
}

static std::string check_soc_name(const std::string &name)
{
	if (!name.empty() && name.size() <= SOC_NAME_MAX)
		return {};
	return fmt::format("a name has 1 to {} characters", SOC_NAME_MAX);
}

/* Options of the devices themselves. */
static void add_device_options(CLI::App &app, Options &options)
{
	app.add_option("--memory", options.wishes.memory_bytes,
		       "Memory of a device; half of the machine's if not given, 64M for the checks")
		->transform(CLI::AsSizeValue(false))
		->check(CLI::Range(self_test::MEMORY_MIN_BYTES, MEMORY_MAX_BYTES))
		->type_name("SIZE");
	app.add_option("--soc", options.soc_name, "The chip's name; Ascend910B3 if not given")
		->check(check_soc_name)
		->type_name("NAME");
	app.add_option("--engines", options.wishes.engines,
		       "Threads of a device for long work, 0 for none; as many as CPUs, at most 4, "
		       "if not given, 1 for the checks")
		->check(CLI::Range(int32_t{0}, ENGINES_MAX))
		->type_name("N");
	auto take_cpus = [&options](const std::string &text) {
		options.wishes.engine_cpus = base::parse_cpu_list(text);
		if (options.wishes.engine_cpus.empty())
			throw CLI::ValidationError("--engine-cpus", "a list of CPUs is as 2-5,8");
	};
	app.add_option_function<std::string>("--engine-cpus", take_cpus,
					     "The CPUs that engines run on, by turns; cores of "
					     "their own, if there are enough "
					     "and a node is named, if not given")
		->type_name("LIST");
}

static void add_serve_options(CLI::App &app, Options &options)
{
	auto *listen = app.add_option("--listen", options.path,
				      "Serve other programs at this socket (unix:PATH)")
			       ->type_name("PATH");
	auto *control = app.add_option("--control-fd", options.control_fd,
				       "Serve the program at the other end of this socket, and end "
				       "with it (sim+proc:)")
				->check(CLI::Range(3, 1 << 20))
				->type_name("FD")
				->excludes(listen);
	app.add_flag("--self-test", options.self_test,
		     "Run the checks; so it does if no other action is given")
		->excludes(listen)
		->excludes(control);
	app.add_option("--group", options.group,
		       "Open the socket to a group, by name or number; else it is its owner's")
		->type_name("GROUP")
		->needs(listen);
	app.add_option("--devices", options.devices, "How many devices; 1 if not given")
		->check(CLI::Range(uint32_t{1}, UNPU_MAX_DEVICES))
		->type_name("N");
	app.add_option(
		   "--numa-node", options.nodes,
		   "Where the memory of each device is wanted; the last one counts for the rest")
		->delimiter(',')
		->check(CLI::Range(int32_t{-1}, NODE_MAX))
		->type_name("N[,N...]");
	app.add_option("--poll-us", options.wishes.poll_us,
		       "How long an idle channel is polled, in microseconds; 50 if not given, on "
		       "one CPU 0")
		->check(CLI::Range(int32_t{0}, POLL_US_MAX))
		->type_name("US");
}

static void add_server_options(CLI::App &app, Options &options)
{
	const std::map<std::string, EventLoop::Wish> loops = {{"auto", EventLoop::Wish::ANY},
							      {"uring", EventLoop::Wish::URING},
							      {"poll", EventLoop::Wish::POLL}};
	auto *loop = app.add_option("--event-loop", options.loop,
				    "auto, uring or poll; auto takes io_uring where the kernel "
				    "allows it")
			     ->transform(CLI::CheckedTransformer(loops))
			     ->type_name("KIND");
	auto *trace = app.add_option("--trace", options.trace,
				     "Record what the devices do, and write it into this file at "
				     "the end, for Perfetto")
			      ->type_name("FILE");
	app.add_option("--trace-entries", options.trace_entries,
		       "Room for the last so many entries of each device; 65536 if not given")
		->check(CLI::Range(base::TraceRing::MIN_ENTRIES, base::TraceRing::MAX_ENTRIES))
		->type_name("N")
		->needs(trace);
	app.add_flag("--sandbox", options.sandbox,
		     "Give up the system calls that serving does not need, io_uring among them")
		->excludes(loop)
		->excludes(trace);
	app.add_option("--log-level", options.log_level,
		       "trace, debug, info, warning, error or off; info if not given")
		->check(CLI::IsMember({"trace", "debug", "info", "warning", "error", "off"}))
		->type_name("LEVEL");
}

static void add_watchdog_option(CLI::App &app, Options &options)
{
	app.add_option(
		   "--watchdog-ms", options.wishes.watchdog_ms,
		   "How long a task may take on an engine, besides what its size explains, before "
		   "its client is cut off; 10000 if not given, 0 for ever")
		->check(CLI::Range(int64_t{0}, WATCHDOG_MS_MAX))
		->type_name("MS");
}

static void add_fault_option(CLI::App &app, Options &options)
{
	auto take_rules = [&options](const std::string &text) {
		std::string why;
		auto plans = base::parse_faults(text, true, why);
		if (plans && plans->host)
			why = "faults: call= is for the device string of a program; a firmware has "
			      "no part in what its clients do";
		if (!why.empty())
			throw CLI::ValidationError("--faults", why);
		options.faults = plans->device;
		options.fault_rules = text;
	};
	app.add_option_function<std::string>(
		   "--faults", take_rules,
		   "Rules that inject faults into the devices, for tests; separated by ;")
		->type_name("RULES");
}

static void add_schedule_option(CLI::App &app, Options &options)
{
	auto take_plan = [&options](const std::string &text) {
		std::string why;
		auto plan = base::parse_schedule(text, why);
		if (!plan)
			throw CLI::ValidationError("--schedule", why);
		options.schedule = plan.take();
	};
	app.add_option_function<std::string>(
		   "--schedule", take_plan,
		   "In which order commands run that have no order, to find missing "
		   "synchronization; as UNPU_SCHEDULE")
		->type_name("PLAN");
}

/* Limits for each client. */
static void add_quota_options(CLI::App &app, fw::Quotas &quotas)
{
	app.add_option(
		   "--quota-memory", quotas.memory_bytes,
		   "Memory that a client may have, of all kinds together; no limit if not given")
		->transform(CLI::AsSizeValue(false))
		->check(CLI::Range(QUOTA_MEMORY_MIN_BYTES, MEMORY_MAX_BYTES))
		->type_name("SIZE");
	app.add_option("--quota-channels", quotas.channels, "Channels (streams) of a client")
		->check(CLI::Range(uint32_t{1}, UNPU_MAX_CHANNELS))
		->type_name("N");
	app.add_option("--quota-semaphores", quotas.semaphores,
		       "Semaphores of a client; a stream takes one, an event up to two")
		->check(CLI::Range(uint32_t{16}, UNPU_MAX_SEMAPHORES))
		->type_name("N");
	app.add_option("--quota-graphs", quotas.graphs, "Graphs that a client may have loaded")
		->check(CLI::Range(uint32_t{1}, uint32_t{1} << 20))
		->type_name("N");
	app.add_option("--quota-entries", quotas.entries,
		       "Segments, mappings, imports and reservations of a client")
		->check(CLI::Range(QUOTA_ENTRIES_MIN, uint32_t{1} << 30))
		->type_name("N");
	app.add_option("--quota-descriptors", quotas.descriptors,
		       "Descriptors that are kept open for a client")
		->check(CLI::Range(QUOTA_DESCRIPTORS_MIN, uint32_t{1} << 20))
		->type_name("N");
	app.add_option("--quota-messages", quotas.messages,
		       "Requests of a client that are answered in a second; more have to wait")
		->check(CLI::Range(uint32_t{100}, uint32_t{1} << 20))
		->type_name("N");
}

/* Options that decide which connections are admitted. */
static void add_admission_options(CLI::App &app, Options &options)
{
	app.add_option("--quota-clients", options.clients_of_user,
		       "Clients of one user at once, on all devices; no limit if not given")
		->check(CLI::Range(uint32_t{1}, uint32_t{1} << 16))
		->type_name("N");
	app.add_option("--attach-ms", options.attach_ms,
		       "How long a connection may take to become a client; 10000 if not given")
		->check(CLI::Range(uint32_t{10}, ATTACH_MS_MAX))
		->type_name("MS");
}

int parse_options(int argc, char **argv, Options &options)
{
	CLI::App app("A simulated NPU as a process: serves devices to other programs, or boots one "
		     "alone and checks it over the wire.",
		     "firmware-sim");
	app.footer(EXIT_CODES);
	app.set_version_flag("--version", version(),
			     "The wire's version and the bytes of its structs");
	add_serve_options(app, options);
	add_server_options(app, options);
	add_device_options(app, options);
	add_quota_options(app, options.quotas);
	add_admission_options(app, options);
	add_watchdog_option(app, options);
	add_fault_option(app, options);
	add_schedule_option(app, options);
	app.callback([&options] {
		if (!options.quotas.are_possible())
			throw CLI::ValidationError(
				"--quota-semaphores",
				"the table of semaphores takes more than half of --quota-memory");
	});
	try {
		app.parse(argc, argv);
	} catch (const CLI::ParseError &error) {
		return app.exit(error) == 0 ? EXIT_GOOD : EXIT_USAGE;
	}
	return -1;
}

} // namespace fwd
