// SPDX-License-Identifier: MIT
/**
 * DOC: Firmware that this process starts
 *
 * sim+proc: starts firmware-sim with one end of a control socket pair. Each connection is another socket
 * pair, whose one end is sent through the control socket. So there is no path through which another process
 * could connect. When this process ends, for whatever reason, the kernel closes the control socket and the
 * firmware exits.
 */
#include "spawn.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/no_destructor.h"
#include "base/os/calls/processes.h"
#include "base/os/calls/waits.h"
#include "base/os/machine.h"
#include "base/os/spawn.h"
#include "base/sync/mutex.h"
#include "hal/topology.h"

namespace hal {

using base::Result;
using base::Status;

namespace {

/* The descriptor number of the control socket in the firmware, which closes all higher descriptors. */
constexpr int CONTROL_FD = STDERR_FILENO + 1;
/* A firmware that does not exit within this time is killed. */
constexpr uint64_t END_PATIENCE_NS = 5 * base::NS_PER_S;
constexpr const char *VARIABLE = "UNPU_FIRMWARE_SIM";

struct Registry {
	base::Mutex mutex{"spawn::Registry::mutex"};
	std::weak_ptr<SpawnedFirmware> current GUARDED_BY(mutex);
	pid_t owner GUARDED_BY(mutex) = -1;
};

/* Never destroyed: devices may be closed by destructors that run at exit. */
Registry &registry()
{
	static base::NoDestructor<Registry> made;
	return *made;
}

std::string program(std::string &why)
{
	return base::toolkit_program(reinterpret_cast<const void *>(&program), "firmware-sim",
				     VARIABLE, environment(VARIABLE), why);
}

bool make_pair(base::Fd &here, base::Fd &there)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return false;
	here = base::Fd(ends[0]);
	there = base::Fd(ends[1]);
	return true;
}

/* Waits up to END_PATIENCE_NS for the process to exit. Return: whether it did. */
bool ends(const base::Fd &process)
{
	pollfd entry{process.get(), POLLIN, 0};
	return base::calls::poll(&entry, 1, base::deadline_after(END_PATIENCE_NS)) > 0;
}

Status fail(const char *what, int error, const char *advice, std::string &why)
{
	why = fmt::format("sim+proc: {}: {}; {}", what, strerror(error), advice);
	if (error == ENOENT || error == ENOEXEC || error == ENOTDIR)
		return Status::INVALID_DEVICE;
	return error == EACCES || error == EPERM ? Status::NO_PERMISSION : Status::NO_RESOURCE;
}

} // namespace

SpawnedFirmware::Words SpawnedFirmware::command(const std::string &program, const Options &options)
{
	Words words = {
		program,	 "--control-fd", std::to_string(CONTROL_FD),	  "--log-level",
		"warning",	 "--devices",	 std::to_string(options.devices), "--soc",
		options.soc_name};
	auto add = [&words](const char *name, uint64_t value) {
		words.emplace_back(name);
		words.push_back(std::to_string(value));
	};
	if (options.memory_bytes)
		add("--memory", options.memory_bytes);
	if (options.engines >= 0)
		add("--engines", static_cast<uint64_t>(options.engines));
	if (!options.engine_cpus.empty()) {
		words.emplace_back("--engine-cpus");
		words.push_back(fmt::format("{}", fmt::join(options.engine_cpus, ",")));
	}
	if (!options.nodes.empty()) {
		words.emplace_back("--numa-node");
		words.push_back(fmt::format("{}", fmt::join(options.nodes, ",")));
	}
	if (options.watchdog_ms >= 0)
		add("--watchdog-ms", static_cast<uint64_t>(options.watchdog_ms));
	if (options.poll_us >= 0)
		add("--poll-us", static_cast<uint64_t>(options.poll_us));
	if (options.schedule) {
		words.emplace_back("--schedule");
		words.push_back(options.schedule->text);
	}
	if (options.faults.device) {
		words.emplace_back("--faults");
		words.push_back(options.faults.device->text);
	}
	return words;
}

SpawnedFirmware::SpawnedFirmware(Words command, base::Fd control)
	: command_(std::move(command)), control_(std::move(control)), owner_(getpid())
{
}

Result<std::shared_ptr<SpawnedFirmware>> SpawnedFirmware::get(const Options &options,
							      std::string &why)
{
	Registry &all = registry();
	std::lock_guard lock(all.mutex);
	auto current = all.current.lock();
	const std::string path = program(why);
	if (path.empty()) {
		why = "sim+proc: " + why;
		return Status::INVALID_DEVICE;
	}
	Words words = command(path, options);
	if (current && all.owner == getpid() && current->command_ == words &&
	    current->control_.open())
		return current;
	base::Fd here, there;
	if (!make_pair(here, there))
		return fail("a socket pair", errno, "raise RLIMIT_NOFILE", why);
	std::shared_ptr<SpawnedFirmware> made(
		new SpawnedFirmware(std::move(words), std::move(here)));
	TRY(made->start(there, why));
	all.current = made;
	all.owner = getpid();
	return made;
}

Status SpawnedFirmware::start(const base::Fd &end, std::string &why)
{
	std::vector<char *> argv;
	for (const std::string &word : command_)
		argv.push_back(const_cast<char *>(word.c_str()));
	argv.push_back(nullptr);

	const int error = base::spawn_with_socket(pid_, argv.data(), environ, end.get(), CONTROL_FD,
						  {STDIN_FILENO, STDOUT_FILENO});
	if (error == 0) {
		control_.watch(open_process());
		control_.expect_start();
		return Status::OK;
	}
	pid_ = -1;
	return fail(command_[0].c_str(), error, "UNPU_FIRMWARE_SIM can name another firmware-sim",
		    why);
}

/* Return: a pidfd; invalid if the program has already reaped the child with its own wait(). */
base::Fd SpawnedFirmware::open_process() const
{
	return base::Fd(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
}

Result<std::unique_ptr<Connection>> SpawnedFirmware::connect(std::string &why)
{
	base::Fd here, there;
	if (!make_pair(here, there))
		return fail("a socket pair", errno, "raise RLIMIT_NOFILE", why);
	base::FdMessage message;
	message.message.type = UNPU_SOCKET_CONNECT;
	message.add(std::move(there));
	Status status = control_.call(message);
	if (status == Status::OK) {
		auto connection = std::make_unique<Connection>(std::move(here));
		connection->watch(open_process());
		return connection;
	}
	why = fmt::format("sim+proc: {}: {}; what it wrote to standard error says why{}",
			  command_[0], base::status_sentence(status), limits_sentence());
	return status;
}

SpawnedFirmware::~SpawnedFirmware()
{
	if (pid_ < 0 || owner_ != getpid())
		return;
	control_.shut();
	base::Fd process = open_process();
	/* Kill only with a valid pidfd: if the program has reaped the child, the pid may be reused. */
	if (process.valid() && !ends(process)) {
		kill(pid_, SIGKILL);
		/* A process blocked in the kernel, for example in a file system, exits only later. */
		(void)ends(process);
	}
	(void)base::calls::waitpid(pid_, nullptr, WNOHANG);
}

} // namespace hal
