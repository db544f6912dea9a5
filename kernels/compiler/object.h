// SPDX-License-Identifier: MIT
#ifndef UNPU_KERNELS_COMPILER_OBJECT_H
#define UNPU_KERNELS_COMPILER_OBJECT_H

#include <cstdint>
#include <string>
#include <vector>

#include <elf.h>

namespace compiler {

// An object file of the compiler: symbols, and which sections refer to which.
class Object {
public:
	// Throws ToolError for a file that is no 64-bit object of this byte order, or is damaged.
	explicit Object(std::string bytes);

	// The sections that can be reached from @section by relocations, including @section.
	std::vector<bool> reach(size_t section) const;

	struct Symbol {
		std::string name;
		size_t section = 0; // 0: not defined here
		uint64_t offset = 0;
		uint64_t bytes = 0;
		bool is_local = false;
		bool is_variable = false;
	};
	const std::vector<Symbol> &symbols() const { return symbols_; }

	// The symbol that the relocation at @offset of @section names, or nullptr.
	const Symbol *referred_at(size_t section, uint64_t offset) const;

	// Bytes of a section from an offset on; what is not in the file reads as zero.
	std::string read(size_t section, uint64_t offset, uint64_t bytes) const;

private:
	struct Reference {
		uint64_t offset;
		size_t symbol;
		int64_t addend;
	};
	struct Section {
		Elf64_Shdr header;
		std::vector<Reference> references;
	};

	void check(uint64_t offset, uint64_t bytes) const;
	void read_symbols(const Elf64_Shdr &header);
	void read_references(const Elf64_Shdr &header);

	std::string bytes_;
	std::vector<Section> sections_;
	std::vector<Symbol> symbols_;
};

} // namespace compiler

#endif // UNPU_KERNELS_COMPILER_OBJECT_H
