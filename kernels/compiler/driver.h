// SPDX-License-Identifier: MIT
#ifndef UNPU_KERNELS_COMPILER_DRIVER_H
#define UNPU_KERNELS_COMPILER_DRIVER_H

#include <optional>
#include <string>
#include <vector>

#include "kernels/compiler/arguments.h"
#include "kernels/compiler/files.h"
#include "kernels/compiler/image_table.h"
#include "kernels/compiler/text/kernels.h"

namespace compiler {

// Compiles what the arguments name. run() returns the exit status, and prints errors of sources. Both functions throw
// exceptions with sentences for files that cannot be read or written.
class Driver {
public:
	explicit Driver(Arguments arguments);

	int run();

private:
	// The result of compiling a source for one kind of core.
	struct Half {
		std::string text;	  // preprocessed
		std::string dependencies; // as make reads them
		Findings findings;
		std::string object; // of the image
	};

	// A source while it is compiled. The host sees the text for vector cores. Without a half for cube cores, they
	// run that of vector cores.
	struct Unit {
		std::string source;
		Half vector;
		std::optional<Half> cube;
		std::vector<EntrySymbol> entries;
	};

	int run_unit();
	int run_fatbin();

	// Each returns 0 or the status of the command that failed.
	int preprocess(Unit *unit);
	int preprocess_half(const Unit &unit, const std::string &core, Half *half);
	int compile_image(Unit *unit, const std::string &name);
	int compile_half(const std::string &name, Half *half);
	int link_image(const std::vector<Unit> &units, const std::string &image);
	int strip_constructors(const Half &half, const std::vector<EntrySymbol> &entries,
			       const std::vector<NewName> &names);
	int compile_host(const Unit &unit, const std::string &image);

	bool find_kernels_of(Half *half);
	void write_headers(const Unit &unit) const;
	int command(const Words &words) const;
	int compile(const Words &words) const;
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
