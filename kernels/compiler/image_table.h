// SPDX-License-Identifier: MIT
#ifndef UNPU_KERNELS_COMPILER_IMAGE_TABLE_H
#define UNPU_KERNELS_COMPILER_IMAGE_TABLE_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/compiler/object.h"

namespace compiler {

// An unpu::Entry in an object.
struct EntrySymbol {
	std::string name;
	uint32_t type;	  // enum unpu_kernel_type
	bool is_local;	  // the kernel has internal linkage
	std::string cube; // the entry that cube cores run, which may be the same
};

// In the order of their names.
std::vector<EntrySymbol> entries_of(const Object &object);

// The same of a source that was compiled for each kind of core. The names of the entries for cube cores are those that
// names_of_cube() gives.
std::vector<EntrySymbol> entries_of(const Object &vector, const Object &cube);

struct NewName {
	std::string from;
	std::string to;
};

// New names for the symbols of the half for cube cores, because one image has it and the half for vector cores. Symbols
// of the language itself keep their names, and are in the image only once.
std::vector<NewName> names_of_cube(const Object &cube);

// The kinds (enum unpu_kernel_param_kind) of the parameters of the kernel with this index in the findings.
std::vector<uint8_t> kinds_of(const Object &object, size_t kernel);

// Assembler text of unpu_kernel_table, which unpu_kernel_image() reads.
std::string table_text(const std::vector<EntrySymbol> &entries);

} // namespace compiler

#endif // UNPU_KERNELS_COMPILER_IMAGE_TABLE_H
