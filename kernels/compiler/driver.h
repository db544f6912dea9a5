// SPDX-License-Identifier: MIT
#ifndef UNPU_KERNELS_COMPILER_DRIVER_H
#define UNPU_KERNELS_COMPILER_DRIVER_H

#include <string>
#include <vector>

#include "kernels/compiler/arguments.h"
#include "kernels/compiler/files.h"
#include "kernels/compiler/image_table.h"
#include "kernels/compiler/text/kernels.h"

namespace compiler {

// Compiles what the arguments name. run() returns the exit status; errors of sources and of files are printed.
class Driver {
public:
	explicit Driver(Arguments arguments);

	int run();

private:
	// A source while it is compiled.
	struct Unit {
		std::string source;
		std::string text; // preprocessed
		Findings findings;
		std::string object; // of the image
		std::vector<EntrySymbol> entries;
	};

	int run_unit();
	int run_fatbin();

	// Each returns 0 or the status of the command that failed.
	int preprocess(Unit *unit);
	int compile_image(Unit *unit, const std::string &name);
	int link_image(const std::vector<Unit> &units, const std::string &image);
	int strip_constructors(const Unit &unit);
	int compile_host(const Unit &unit, const std::string &image);

	bool find_kernels_of(Unit *unit);
	void write_headers(const Unit &unit) const;
	int command(const Words &words) const;
	Words common_options(const Words &words) const;
	Words standard_of_compilation() const;
	std::string output_image() const;

	Arguments arguments_;
	WorkFolder work_;
	std::string toolkit_;
};

// The options for --cpu=native on this machine.
Words cpu_options();

} // namespace compiler

#endif // UNPU_KERNELS_COMPILER_DRIVER_H
