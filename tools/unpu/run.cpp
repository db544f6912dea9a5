// SPDX-License-Identifier: MIT
/**
 * DOC: unpu run, unpu kernel debug, and other tools that unpu starts in its place
 *
 * The command sets variables of the environment and then replaces itself by the program or by gdb with exec.
 * So signals, the exit status and the terminal are the program's own. It checks the device string first,
 * because a program may hide the error message.
 */
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "common/running_program.h"
#include "common/tool.h"

namespace unpu_command {

namespace fs = std::filesystem;

/* The folder of the toolkit: the parent of the folder in which this program is. Empty without /proc. */
static fs::path toolkit()
{
	std::error_code error;
	return fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
}

static int become(const std::string &file, const std::vector<std::string> &words)
{
	std::vector<char *> arguments;
	for (const std::string &word : words)
		arguments.push_back(const_cast<char *>(word.c_str()));
	arguments.push_back(nullptr);
	fflush(nullptr);
	execvp(file.c_str(), arguments.data());
	return tool::complain(NAME, fmt::format("{}: {}", file, strerror(errno)), EXIT_NO_RUN);
}

int become_tool(const std::string &tool, const std::vector<std::string> &words)
{
	std::vector<std::string> all = {tool};
	all.insert(all.end(), words.begin(), words.end());
	/* With a relative path, exec would start a program of the working folder. */
	if (toolkit().empty())
		return tool::complain(NAME,
				      fmt::format("{}: /proc/self/exe does not tell where this "
						  "toolkit is; mount /proc",
						  tool),
				      EXIT_NO_RUN);
	return become(toolkit() / "bin" / tool, all);
}

/* Return: the device string with the fault rules, or an error message in @why. */
static std::string add_faults(const std::string &device, const std::string &rules, std::string &why)
{
	if (rules.find(',') != rules.npos)
		why = "--faults: rules have no comma; ; is between two rules";
	if (device.find("faults=") != device.npos)
		why = fmt::format("the device string '{}' has rules for faults already", device);
	const bool has_words = !device.empty() && device.back() != ':';
	return fmt::format("{}{}faults={}", device, has_words ? "," : "", rules);
}

static void put_first(const char *name, const std::string &folder)
{
	const std::string before = tool::variable(name);
	if ((":" + before + ":").find(":" + folder + ":") != std::string::npos)
		return;
	setenv(name, (before.empty() ? folder : folder + ":" + before).c_str(), 1);
}

/* Sets the same variables as set_env.sh does in a shell. */
static void set_surroundings(const RunOptions &options)
{
	const std::string home = toolkit();
	for (const char *name : {"ASCEND_TOOLKIT_HOME", "ASCEND_HOME_PATH", "ASCEND_INSTALL_PATH"})
		setenv(name, home.c_str(), 1);
	put_first("LD_LIBRARY_PATH", home + "/lib64");
	if (options.has_cuda)
		put_first("LD_LIBRARY_PATH", home + "/lib64/cuda");
	if (fs::is_directory(home + "/python/site-packages"))
		put_first("PYTHONPATH", home + "/python/site-packages");
	if (!options.trace.empty())
		setenv("UNPU_TRACE", options.trace.c_str(), 1);
	if (!options.check.empty())
		setenv("UNPU_CHECK", options.check.c_str(), 1);
}

/* Names what the user has written. */
static std::string sentence_of_schedule()
{
	constexpr std::string_view VARIABLE = "UNPU_SCHEDULE";
	std::string text = tool::sentence("no devices");
	if (const size_t at = text.find(VARIABLE); at != text.npos)
		text.replace(at, VARIABLE.size(), "--schedule");
	return text;
}

int run(const RunOptions &options)
{
	std::string device =
		options.device.empty() ? tool::variable("UNPU_DEVICE") : options.device;
	std::string why;
	if (device.empty())
		device = "sim:";
	if (!options.faults.empty())
		device = add_faults(device, options.faults, why);
	if (!why.empty())
		return tool::complain(NAME, why, tool::EXIT_USAGE);
	tool::use_device(device);
	if (!options.schedule.empty())
		setenv("UNPU_SCHEDULE", options.schedule.c_str(), 1);
	uint32_t count = 0;
	if (aclrtGetDeviceCount(&count) != ACL_SUCCESS)
		return tool::complain(NAME,
				      options.schedule.empty() ? tool::sentence("no devices")
							       : sentence_of_schedule(),
				      tool::EXIT_USAGE);
	const std::string folder =
		options.trace.empty() ? "/" : fs::absolute(options.trace).parent_path().string();
	if (!options.trace.empty() && access(folder.c_str(), W_OK) != 0)
		return tool::complain(NAME,
				      fmt::format("--trace: no file can be written into {}: {}",
						  folder, strerror(errno)),
				      tool::EXIT_USAGE);
	set_surroundings(options);
	if (!options.is_sanitized)
		return become(options.words[0], options.words);
	std::vector<std::string> words = {"run", "--"};
	words.insert(words.end(), options.words.begin(), options.words.end());
	return become_tool("unpu-san", words);
}

int debug(const DebugWishes &options)
{
	std::string device =
		options.device.empty() ? tool::variable("UNPU_DEVICE") : options.device;
	if (device.empty())
		device = "sim:";
	if (device.starts_with("unix:") || device.starts_with("sim+proc:"))
		return tool::complain(
			NAME,
			fmt::format("kernel debug: the kernels of {} run in a process of its "
				    "{}, which gdb does not follow; use --device sim:",
				    device, device.starts_with("unix:") ? "daemon" : "firmware"),
			tool::EXIT_USAGE);
	tool::use_device(device);
	uint32_t count = 0;
	if (aclrtGetDeviceCount(&count) != ACL_SUCCESS)
		return tool::complain(NAME, tool::sentence("no devices"), tool::EXIT_USAGE);
	const fs::path script = toolkit() / "share" / "gdb" / "unpu.py";
	if (access(script.c_str(), R_OK) != 0)
		return tool::complain(
			NAME, fmt::format("kernel debug: {}: {}", script.string(), strerror(errno)),
			EXIT_NO_RUN);
	set_surroundings({});
	/* Its libraries come with a script of printers, which the script has loaded already. */
	std::vector<std::string> words = {
		"gdb", "-q", "-iex", "add-auto-load-safe-path " + toolkit().string(), "-x", script};
	for (const std::string &place : options.places)
		words.insert(words.end(), {"-ex", "kernel-break " + place});
	if (!options.places.empty())
		words.insert(words.end(), {"-ex", "run"});
	words.emplace_back("--args");
	words.insert(words.end(), options.words.begin(), options.words.end());
	const int code = become("gdb", words);
	fmt::print(stderr, "unpu: install gdb, or print from the kernel (printf, DumpTensor)\n");
	return code;
}

/* Makes a folder into which only this user can put a socket. Another user may have made the folder first.
 * Programs would then connect to that user's firmware. Return: what is wrong, or "". */
static std::string make_own_folder(const std::string &folder)
{
	if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
		return strerror(errno);
	struct stat known {};
	if (lstat(folder.c_str(), &known) != 0)
		return strerror(errno);
	if (!S_ISDIR(known.st_mode))
		return "it is no folder";
	if (known.st_uid != geteuid())
		return fmt::format("it is the folder of user {}", known.st_uid);
	return known.st_mode & (S_IWGRP | S_IWOTH) ? "other users may write into it" : "";
}

/* The path of the socket for a user's own devices. @why: receives an error message. */
static std::string own_socket(std::string &why)
{
	const std::string folder = tool::own_folder();
	if (tool::variable("XDG_RUNTIME_DIR").empty())
		why = make_own_folder(folder);
	if (!why.empty())
		why = fmt::format("{}: {}; name a place by --listen PATH or by XDG_RUNTIME_DIR",
				  folder, why);
	return folder + "/unpu";
}

int daemon(std::vector<std::string> words)
{
	constexpr const char *OTHERS[] = {"--listen",  "--control-fd", "--self-test",
					  "--version", "--help",       "-h"};
	for (const std::string &word : words) {
		if (word == "--help" || word == "-h")
			fmt::print(
				"unpu daemon is firmware-sim. Without --listen, --control-fd and "
				"--self-test it listens at unpu in\n$XDG_RUNTIME_DIR, or at "
				"unpu-UID/unpu in the folder for temporary files, and its log "
				"names the "
				"place.\n\n");
		for (const char *other : OTHERS) {
			if (word == other || word.starts_with(other + std::string("=")))
				return become_tool("firmware-sim", words);
		}
	}
	std::string why;
	const std::string path = own_socket(why);
	if (!why.empty())
		return tool::complain(NAME, why, tool::EXIT_NO_DEVICE);
	words.insert(words.begin(), {"--listen", path});
	return become_tool("firmware-sim", words);
}

} // namespace unpu_command
