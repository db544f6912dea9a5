// SPDX-License-Identifier: MIT
/**
 * DOC: Arguments
 *
 * unpu-ascendcc takes the place of a compiler in build rules. Its own options begin with two dashes and have their
 * value behind '='; everything else is an option of the compiler and is handed on.
 */
#include "kernels/compiler/arguments.h"

#include <cstdlib>

#include <CLI/CLI.hpp>

#include "kernels/abi/architecture.h"

namespace compiler {

static constexpr const char *FORWARD = "-forward-options-to-host-compiler";

static bool begins(const std::string &word, std::string_view with)
{
	return word.compare(0, with.size(), with) == 0;
}

static bool ends(const std::string &word, std::string_view with)
{
	return word.size() >= with.size() &&
	       word.compare(word.size() - with.size(), with.size(), with) == 0;
}

static bool is_source(const std::string &word)
{
	for (const char *ending : {".cpp", ".cc", ".cxx", ".C", ".c++", ".cce", ".asc"})
		if (ends(word, ending))
			return true;
	return false;
}

static bool is_own(const std::string &word)
{
	static constexpr std::string_view OWN[] = {"--compiler=",
						   "--host=",
						   "--image=",
						   "--headers=",
						   "--header-list=",
						   "--keep=",
						   "--cpu=",
						   "--device-option=",
						   "--fatbin",
						   "--verbose",
						   "--help",
						   "--version",
						   "--print-cpu-options",
						   "--image-sanitizer="};
	for (const std::string_view own : OWN)
		if (own.back() == '=' ? begins(word, own) : word == own)
			return true;
	return word == "-h";
}

static bool is_for_preprocessor(const std::string &word)
{
	for (const char *option :
	     {"-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"})
		if (begins(word, option))
			return true;
	return false;
}

// Options of the compiler whose value is the next word.
static bool takes_word(const std::string &word)
{
	static constexpr std::string_view NAMES[] = {
		"-I",	    "-D",	"-U",	     "-isystem",  "-iquote",	    "-idirafter",
		"-include", "-imacros", "-isysroot", "--sysroot", "-Xpreprocessor", "-Xassembler",
		"-arch",    "--param",	"-mllvm"};
	for (const std::string_view name : NAMES)
		if (word == name)
			return true;
	return false;
}

namespace {

// Assigns each option that is not one of the driver to the lists of options.
class Sorter {
public:
	Sorter(Words words, Arguments *to) : words_(std::move(words)), to_(to) {}

	void run()
	{
		for (at_ = 0; at_ < words_.size(); at_++)
			take(words_[at_]);
	}

private:
	std::string value(const std::string &word, size_t name)
	{
		if (word.size() > name)
			return word.substr(name);
		return at_ + 1 < words_.size() ? words_[++at_] : "";
	}

	void take(const std::string &word)
	{
		if (word == FORWARD)
			is_for_host_ = true;
		else if (word == "-c")
			return;
		else if (begins(word, "-x"))
			value(word, 2);
		else if (begins(word, "-o"))
			to_->output = value(word, 2);
		else if (begins(word, "-M"))
			take_dependencies(word);
		else if (is_source(word) && word[0] != '-')
			to_->sources.push_back(word);
		else
			take_option(word);
	}

	void take_option(const std::string &word)
	{
		/* A source is preprocessed once for device and host, so options of the preprocessor are in the
		 * common list. */
		Words &list = is_for_host_ && !is_for_preprocessor(word) ? to_->host_options
									 : to_->options;
		list.push_back(word);
		if (takes_word(word) && at_ + 1 < words_.size())
			list.push_back(words_[++at_]);
	}

	void take_dependencies(const std::string &word)
	{
		if (word == "-MD" || word == "-MMD") {
			has_depfile_ = true;
			to_->leaves_system_headers_out = word == "-MMD";
			if (to_->depfile.empty())
				to_->depfile = "-";
		} else if (begins(word, "-MF")) {
			to_->depfile = value(word, 3);
		} else if (begins(word, "-MT") || begins(word, "-MQ")) {
			to_->quotes_target = word[2] == 'Q';
			to_->depfile_target = value(word, 3);
		}
	}

	Words words_;
	Arguments *to_;
	size_t at_ = 0;
	bool is_for_host_ = false;
	bool has_depfile_ = false;
};

} // namespace

static void add_own_options(CLI::App *app, Arguments *to)
{
	app->set_help_flag("-h,--help", "This text");
	app->set_version_flag("--version", std::string("unpu-ascendcc ") + UNPU_VERSION);
	app->add_option("--compiler", to->compiler, "The compiler of the system, g++ by default");
	app->add_option("--device-option", to->device_options, "An option for the image alone");
	app->add_option("--cpu", to->cpu, "Instructions of the image: native, baseline");
	app->add_option("--headers", to->headers, "Folder for the headers aclrtlaunch_NAME.h");
	app->add_option("--header-list", to->list,
			"File with the declarations that these headers include");
	app->add_option("--image", to->image, "Keeps the device image as this file");
	app->add_option(
		"--host", to->host,
		"Writes the preprocessed text of the host object there; compiles no object");
	app->add_option("--image-sanitizer", to->sanitizer,
			"A sanitizer in the image, for kernels=inline: address");
	app->add_option("--keep", to->keep, "Folder that keeps the intermediate files");
	app->add_flag("--fatbin", to->is_fatbin, "Makes the device image alone, of all sources");
	app->add_flag("--print-cpu-options", to->prints_cpu_options,
		      "Prints the options of --cpu=native");
	app->add_flag("--verbose", to->shows_commands, "Shows the commands");
}

// Rules of CMake pass --image-sanitizer among the other options for the image, so it is taken out here.
static void take_sanitizer(Arguments *to)
{
	static constexpr std::string_view NAME = "--image-sanitizer=";
	Words left;
	for (const std::string &word : to->device_options) {
		if (begins(word, NAME))
			to->sanitizer = word.substr(NAME.size());
		else
			left.push_back(word);
	}
	to->device_options = std::move(left);
}

// Return: the first option that names a chip whose language is not supported.
static std::string strange_chip(const Arguments &arguments)
{
	static constexpr std::string_view OPTION = UNPU_ARCHITECTURE_OPTION;
	for (const Words *words : {&arguments.options, &arguments.device_options})
		for (const std::string &word : *words)
			if (begins(word, OPTION) &&
			    word != UNPU_ARCHITECTURE_OPTION UNPU_ARCHITECTURE_910B &&
			    word != UNPU_ARCHITECTURE_OPTION UNPU_ARCHITECTURE_310P)
				return word;
	return "";
}

static std::string complaint_about(const Arguments &arguments)
{
	if (arguments.sources.empty())
		return "no source";
	if (arguments.sources.size() > 1 && !arguments.is_fatbin)
		return "more than one source; only --fatbin takes several";
	if (arguments.output.empty() && arguments.host.empty())
		return "no output: -o FILE";
	if (!arguments.host.empty() && arguments.image.empty())
		return "--host needs --image";
	if (arguments.cpu != "native" && arguments.cpu != "baseline")
		return "--cpu is native or baseline, not " + arguments.cpu;
	if (!arguments.sanitizer.empty() && arguments.sanitizer != "address")
		return "--image-sanitizer is address, not " + arguments.sanitizer;
	if (const std::string word = strange_chip(arguments); !word.empty())
		return word + ": kernels are compiled for " UNPU_ARCHITECTURES_TEXT
			      "; leave the option out for the first";
	return "";
}

static std::string default_depfile(const std::string &output)
{
	const size_t dot = output.rfind('.');
	const size_t slash = output.rfind('/');
	const bool has_ending =
		dot != std::string::npos && (slash == std::string::npos || dot > slash);
	return (has_ending ? output.substr(0, dot) : output) + ".d";
}

Arguments read_arguments(int argc, char **argv)
{
	Arguments arguments;
	CLI::App app("Compiles kernels: the device image, and the host object that launches them",
		     "unpu-ascendcc");
	app.footer("It is called as the compiler is: unpu-ascendcc -O2 --headers=include -c "
		   "add.cpp -o "
		   "add.o. All options that are not in this list\n"
		   "are the compiler's, as -g, -I, -D, -MD and " UNPU_ARCHITECTURE_OPTION
		   "CHIP for " UNPU_ARCHITECTURES_TEXT ".\n"
		   "Those behind -forward-options-to-host-compiler are for the host object alone. "
		   "See unpu-ascendcc(1).");
	add_own_options(&app, &arguments);
	std::vector<std::string> own;
	Words words;
	for (int i = 1; i < argc; i++)
		(is_own(argv[i]) ? own : words).emplace_back(argv[i]);
	std::vector<std::string> reversed(own.rbegin(), own.rend());
	try {
		app.parse(reversed);
	} catch (const CLI::ParseError &error) {
		std::exit(app.exit(error));
	}
	if (arguments.prints_cpu_options)
		return arguments;
	Sorter(std::move(words), &arguments).run();
	take_sanitizer(&arguments);
	const std::string complaint = complaint_about(arguments);
	if (!complaint.empty()) {
		std::fprintf(stderr, "unpu-ascendcc: %s\n", complaint.c_str());
		std::exit(2);
	}
	const std::string &made = arguments.host.empty() ? arguments.output : arguments.host;
	if (arguments.depfile == "-")
		arguments.depfile = default_depfile(made);
	if (arguments.depfile_target.empty())
		arguments.depfile_target = made;
	return arguments;
}

// Options of the vendor's compiler that say how to make device code.
static bool is_of_vendor(const std::string &word)
{
	return begins(word, "--cce-") || begins(word, "-cce-") || begins(word, "--npu-arch") ||
	       begins(word, "--npu-soc") || word == "-mllvm";
}

static bool is_of_host(const std::string &word)
{
	for (const char *name :
	     {"-fsanitize", "-flto", "-pg", "--coverage", "-fprofile", "-ftest-coverage", "-fPIE",
	      "-fpie", "-fPIC", "-fpic", "-fvisibility", "-static", "-ffast-math", "-Ofast",
	      "-ffp-contract", "-funsafe-math"})
		if (begins(word, name))
			return true;
	return false;
}

template <typename IsLeftOut> static Words without(const Words &words, IsLeftOut is_left_out)
{
	Words left;
	for (size_t i = 0; i < words.size(); i++) {
		if (!is_left_out(words[i]))
			left.push_back(words[i]);
		else if (takes_word(words[i]))
			i++;
	}
	return left;
}

Words for_image(const Words &words)
{
	return without(words, [](const std::string &word) {
		return is_of_vendor(word) || is_of_host(word);
	});
}

Words for_host(const Words &words)
{
	return without(words, is_of_vendor);
}

} // namespace compiler
