// SPDX-License-Identifier: MIT
/**
 * DOC: Programs that are compiled at run time
 *
 * After the source, the library adds a line for each name expression. The line makes the compiler instantiate
 * the entry of the kernel, and puts a record with the entry's name into the image. take_names() finds the
 * record there::
 *
 *	unpu-lowered-0\0NAME\0
 */
#include "kernel_program.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include "base/os/calls/processes.h"
#include "base/os/calls/transfers.h"
#include "base/os/machine.h"
#include "hal/options.h"
#include "kernels/abi/architecture.h"

namespace umd {

namespace fs = std::filesystem;

static constexpr const char *MARK = "unpu-lowered-";

static std::string driver_path(std::string &why)
{
	constexpr const char *VARIABLE = "UNPU_ASCENDCC";
	return base::toolkit_program(reinterpret_cast<const void *>(&driver_path), "unpu-ascendcc",
				     VARIABLE, hal::environment(VARIABLE), why);
}

static bool write_file(const fs::path &path, const std::string &text)
{
	std::error_code ignored;
	fs::create_directories(path.parent_path(), ignored);
	return base::calls::write_file(path.c_str(), text);
}

static std::string read_file(const fs::path &path)
{
	std::string text;
	(void)base::calls::read_file(path.c_str(), text);
	return text;
}

static bool begins(const std::string &word, const char *with)
{
	return word.compare(0, strlen(with), with) == 0;
}

/* Return: the exit status; 127: @argv[0] can't be started. Output goes to @log. */
static int run(std::vector<std::string> command, const std::string &log)
{
	std::vector<char *> argv;
	for (std::string &word : command)
		argv.push_back(word.data());
	argv.push_back(nullptr);
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
					 O_WRONLY | O_CREAT | O_APPEND, 0600);
	posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
	posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
	pid_t child = 0;
	const int error = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error != 0)
		return 127;
	int status = 0;
	/* The program may reap all its children. Then only the result file shows whether the compilation
	 * succeeded. */
	if (base::calls::waitpid(child, &status, 0) < 0)
		return 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Refuses options that would make the driver do something else than compile one source to one image. */
bool KernelProgram::check_options(const std::vector<std::string> &options)
{
	for (const std::string &option : options) {
		if (begins(option, UNPU_ARCHITECTURE_OPTION) &&
		    option != UNPU_ARCHITECTURE_OPTION UNPU_ARCHITECTURE_910B &&
		    option != UNPU_ARCHITECTURE_OPTION UNPU_ARCHITECTURE_310P) {
			log_ = fmt::format("option {}: kernels are compiled for {}; leave the "
					   "option out for the first\n",
					   option, UNPU_ARCHITECTURES_TEXT);
			return false;
		}
		const bool names_file =
			begins(option, "-o") || begins(option, "-M") || option == "-E" ||
			option == "-S" || option == "-c" || begins(option, "--host=") ||
			begins(option, "--image=") || begins(option, "--headers=") ||
			begins(option, "--header-list=") || begins(option, "--keep=") ||
			option == "--help" || option == "-h" || option == "--version" ||
			option == "--print-cpu-options";
		if (option.empty() || names_file) {
			log_ = fmt::format("option '{}': the result of a program is an image in "
					   "memory, and nothing else can be asked for\n",
					   option);
			return false;
		}
	}
	return true;
}

std::string KernelProgram::whole_source() const
{
	std::string text = fmt::format("#line 1 \"{}\"\n{}\n", name_, source_);
	if (!names_.empty())
		text += "#line 1 \"<name expressions>\"\n"
			"struct unpu_lowered { char mark[24]; ::unpu::Name name; const void "
			"*entry; };\n";
	size_t i = 0;
	for (const auto &[expression, lowered] : names_) {
		const std::string number = std::to_string(i++);
		text += fmt::format(
			"#line 1 \"<name expression {2}>\"\n"
			"[[gnu::used, gnu::retain]] static const unpu_lowered unpu_lowered_{0} = "
			"{{\"{1}{0}\", ::unpu::NAME_OF<&{2}>, &::unpu::Entry<&{2}>::entry}};\n",
			number, MARK, expression);
	}
	return text;
}

/* Takes the names out of the records in the image. */
void KernelProgram::take_names()
{
	constexpr size_t NAME_AT = 24;
	size_t i = 0;
	for (auto &[expression, lowered] : names_) {
		const std::string mark = MARK + std::to_string(i++) + '\0';
		const size_t at = image_.find(mark);
		lowered = at == std::string::npos ? "" : image_.c_str() + at + NAME_AT;
	}
}

KernelProgram::Ending KernelProgram::run_driver(const std::string &folder,
						const std::vector<std::string> &options)
{
	std::string why;
	const std::string driver = driver_path(why);
	if (driver.empty()) {
		log_ = why + "\n";
		return Ending::NO_COMPILER;
	}
	const std::string source = folder + "/source.cpp", image = folder + "/image",
			  log = folder + "/log";
	bool is_written = write_file(source, whole_source());
	for (const SourceHeader &header : headers_)
		is_written &= write_file(fs::path(folder) / "include" / header.name, header.text);
	if (!is_written) {
		log_ = fmt::format("no file can be written in {}\n", folder);
		return Ending::NO_COMPILER;
	}
	std::vector<std::string> command = {driver, "--fatbin"};
	command.insert(command.end(), options.begin(), options.end());
	command.insert(command.end(), {"-I" + folder + "/include", "-o", image, source});
	const int status = run(std::move(command), log);
	log_ = read_file(log);
	if (status == 127 && log_.empty()) {
		log_ = fmt::format("{} can't be started; it is a part of the toolkit, and "
				   "UNPU_ASCENDCC can name another one\n",
				   driver);
		return Ending::NO_COMPILER;
	}
	if (status == 0)
		image_ = read_file(image);
	if (!image_.empty())
		return Ending::GOOD;
	/* These messages of the compilers mean that the linker has failed. */
	const bool is_link = log_.find("collect2: error") != std::string::npos ||
			     log_.find("linker command failed") != std::string::npos;
	return is_link ? Ending::BAD_LINK : Ending::BAD_SOURCE;
}

KernelProgram::Ending KernelProgram::compile(const std::vector<std::string> &options)
{
	log_.clear();
	image_.clear();
	is_compiled_ = true;
	if (!check_options(options))
		return Ending::BAD_OPTION;
	std::error_code problem;
	std::string folder = (fs::temp_directory_path(problem) / "unpu-rtc-XXXXXX").string();
	if (problem || mkdtemp(folder.data()) == nullptr) {
		log_ = fmt::format("the folder {} can't be made: {}\n", folder, strerror(errno));
		return Ending::NO_COMPILER;
	}
	const Ending ending = run_driver(folder, options);
	fs::remove_all(folder, problem);
	take_names();
	return ending;
}

const std::string *KernelProgram::find_name(const std::string &expression) const
{
	const auto found = names_.find(expression);
	return found == names_.end() || found->second.empty() ? nullptr : &found->second;
}

} // namespace umd
