// SPDX-License-Identifier: MIT
#ifndef UNPU_KERNELS_COMPILER_ARGUMENTS_H
#define UNPU_KERNELS_COMPILER_ARGUMENTS_H

#include <string>
#include <vector>

namespace compiler {

using Words = std::vector<std::string>;

// The command line, parsed.
struct Arguments {
	// The driver's own options.
	std::string compiler = "g++";
	std::string
		host; // --host: writes the text of the host object there instead of compiling it
	std::string image;   // --image: where the image goes
	std::string headers; // --headers: folder for aclrtlaunch_NAME.h
	std::string list;    // --header-list: the file of declarations that those headers include
	std::string keep;    // --keep: folder for intermediate files
	std::string cpu = "native";
	std::string sanitizer; // --image-sanitizer: the sanitizer of the image; empty: none
	bool is_fatbin = false;
	bool shows_commands = false;
	bool prints_cpu_options = false;

	// Options that the driver shares with the compiler.
	std::vector<std::string> sources;
	std::string output;
	std::string depfile; // empty: none
	std::string depfile_target;
	bool quotes_target = true;		// -MQ, and without -MT: for make
	bool leaves_system_headers_out = false; // -MMD

	Words options;	      // for the preprocessor and both compilations
	Words device_options; // --device-option, for preprocessor and image
	Words host_options;   // behind -forward-options-to-host-compiler
};

// Ends the process for --help, --version and errors.
Arguments read_arguments(int argc, char **argv);

// The options of @words that an image can be compiled with: without sanitizers, profiling and link time optimisation,
// and without what only the vendor's compiler knows.
Words for_image(const Words &words);

// The same for the preprocessor and the host object: without what only the vendor's compiler knows.
Words for_host(const Words &words);

} // namespace compiler

#endif // UNPU_KERNELS_COMPILER_ARGUMENTS_H
