// SPDX-License-Identifier: MIT
#ifndef UNPU_KERNELS_COMPILER_TEXT_KERNELS_H
#define UNPU_KERNELS_COMPILER_TEXT_KERNELS_H

#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/compiler/text/lexer.h"

namespace compiler {

// An error at a place of the text; the message of the driver has its file and line.
struct SourceError : std::runtime_error {
	SourceError(const std::string &what, size_t where) : std::runtime_error(what), offset(where)
	{
	}
	size_t offset;
};

struct Param {
	std::string type;
	std::string name;
};

// A __global__ function. Offsets refer to the text.
struct Kernel {
	std::string name;      // without its namespaces
	std::string arguments; // "<20, float>" of an explicit instantiation or specialisation
	std::string scope;     // "ns::inner::", empty at file level
	std::vector<Param> params;
	size_t marker = 0;	       // the word __global__
	size_t body = 0;	       // the opening brace, 0 for a declaration
	size_t end = 0;		       // behind the closing brace or the semicolon
	bool is_template = false;      // template parameters exist: only launches create entries
	bool is_instantiation = false; // "template void name<...>(...);"
	bool is_local = false;	       // static, or in a namespace without a name

	bool has_entry() const { return !is_template && (body != 0 || is_instantiation); }
};

// NAME<<<...>>>(...)
struct Launch {
	size_t name = 0;	    // begin of the name with its scopes
	size_t open = 0;	    // "<<<"
	size_t close = 0;	    // ">>>"
	bool has_arguments = false; // NAME is an instance of a template
};

struct Range {
	size_t begin = 0;
	size_t end = 0;
};

// unpu::lang::declare_task_type(VALUE) and declare_task_type_for(KEY, VALUE), which KERNEL_TASK_TYPE* become.
struct TaskType {
	Range call; // with the scopes
	std::string value;
};

// The places that the driver has to change in a text.
struct Findings {
	std::vector<Kernel> kernels;
	std::vector<Launch> launches;
	std::vector<Range> traps;  // asm("trap")
	std::vector<Range> passes; // the word __unpu_pass__
	std::vector<TaskType> task_types;
	std::vector<Range> image_only; // from __unpu_image_only_begin__ to __unpu_image_only_end__
	std::vector<Range> pragmas;    // #pragma bisheng
	std::vector<Range>
		attributes; // the words of [aicore], an attribute of the device's compiler
};

// Throws SourceError for a launch or a kernel that has no name.
Findings find_kernels(const std::vector<Token> &tokens);

} // namespace compiler

#endif // UNPU_KERNELS_COMPILER_TEXT_KERNELS_H
