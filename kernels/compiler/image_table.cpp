// SPDX-License-Identifier: MIT
/**
 * DOC: Table of an image
 *
 * The object of an image has a variable for each kernel, also for instances of templates that only the compiler
 * knows. The driver finds them by name, finds out what kind of core their code needs, and links a table of them. So
 * an image has no constructor of its own, and those of the user's host code can be left out.
 */
#include "kernels/compiler/image_table.h"

#include <algorithm>
#include <cstring>

#include "kernels/abi/image.h"
#include "kernels/compiler/files.h"
#include "kernels/compiler/text/rewrite.h"

namespace compiler {

// As the C++ ABI spells unpu::Entry<F>::entry, unpu::mark_cube(), unpu::mark_cube_unit(), unpu::mark_vector() and
// unpu::declare_type<T>().
static constexpr std::string_view ENTRY_BEGIN = "_ZN4unpu5EntryI";
static constexpr std::string_view ENTRY_END = "E5entryE";
static constexpr std::string_view CUBE = "_ZN4unpu9mark_cubeEv";
static constexpr std::string_view CUBE_UNIT = "_ZN4unpu14mark_cube_unitEv";
static constexpr std::string_view VECTOR = "_ZN4unpu11mark_vectorEv";
static constexpr std::string_view TYPE = "_ZN4unpu12declare_typeILj";

static bool begins(std::string_view text, std::string_view with)
{
	return text.substr(0, with.size()) == with;
}

static bool is_entry(const Object::Symbol &symbol)
{
	const std::string_view name = symbol.name;
	return symbol.section != 0 && begins(name, ENTRY_BEGIN) && name.size() > ENTRY_END.size() &&
	       name.substr(name.size() - ENTRY_END.size()) == ENTRY_END;
}

// What drives the cube unit needs a cube core, and vector cores if it has their local memory as well. A declared type
// is the user's word; the widest one wins where code for several tiling keys declares several.
static uint32_t type_of(const Object &object, const Object::Symbol &entry)
{
	const std::vector<bool> reached = object.reach(entry.section);
	uint32_t declared = 0;
	bool is_declared = false;
	bool needs_cube = false;
	bool drives_cube = false;
	bool has_vector = false;
	for (const Object::Symbol &symbol : object.symbols()) {
		if (symbol.section == 0 || !reached[symbol.section])
			continue;
		if (symbol.name == CUBE) {
			needs_cube = true;
		} else if (symbol.name == CUBE_UNIT) {
			drives_cube = true;
		} else if (symbol.name == VECTOR) {
			has_vector = true;
		} else if (begins(symbol.name, TYPE)) {
			is_declared = true;
			declared = std::max(declared,
					    uint32_t(std::stoul(symbol.name.substr(TYPE.size()))));
		}
	}
	if (!is_declared)
		return needs_cube || (drives_cube && has_vector) ? UNPU_KERNEL_MIX_AIC_1_2
		       : drives_cube				 ? UNPU_KERNEL_AIC_ONLY
								 : UNPU_KERNEL_AIV_ONLY;
	// KERNEL_TYPE_AICORE and behind are words for chips with one kind of core.
	return declared > UNPU_KERNEL_MIX_AIC_1_2 ? uint32_t(UNPU_KERNEL_AIV_ONLY) : declared;
}

std::vector<EntrySymbol> entries_of(const Object &object)
{
	std::vector<EntrySymbol> entries;
	for (const Object::Symbol &symbol : object.symbols())
		if (is_entry(symbol))
			entries.push_back({symbol.name, type_of(object, symbol), symbol.is_local});
	std::sort(entries.begin(), entries.end(),
		  [](const EntrySymbol &a, const EntrySymbol &b) { return a.name < b.name; });
	return entries;
}

std::vector<uint8_t> kinds_of(const Object &object, size_t kernel)
{
	// struct Shape of unpu_entry.h
	static constexpr uint64_t COUNT_AT = 8;
	static constexpr uint64_t KINDS_AT = 12;
	const std::string name = shape_name(kernel);
	for (const Object::Symbol &symbol : object.symbols()) {
		if (symbol.section == 0 || symbol.name.find(name) == std::string::npos)
			continue;
		uint32_t count = 0;
		memcpy(&count,
		       object.read(symbol.section, symbol.offset + COUNT_AT, sizeof(count)).data(),
		       sizeof(count));
		const std::string kinds = object.read(symbol.section, symbol.offset + KINDS_AT,
						      std::min(count, UNPU_KERNEL_MAX_PARAMS));
		return std::vector<uint8_t>(kinds.begin(), kinds.end());
	}
	throw ToolError("the compiler left out " + name);
}

std::string table_text(const std::vector<EntrySymbol> &entries)
{
	std::string text = "\t.section .data.rel.ro.unpu_kernel_table,\"aw\",%progbits\n"
			   "\t.balign 8\n"
			   "\t.globl unpu_kernel_table\n"
			   "\t.hidden unpu_kernel_table\n"
			   "unpu_kernel_table:\n";
	for (const EntrySymbol &entry : entries)
		text += "\t.quad " + entry.name + "\n\t.quad " + std::to_string(entry.type) + "\n";
	text += "\t.globl unpu_kernel_table_rows\n"
		"\t.hidden unpu_kernel_table_rows\n"
		"unpu_kernel_table_rows:\n"
		"\t.quad " +
		std::to_string(entries.size()) +
		"\n"
		"\t.section .note.GNU-stack,\"\",%progbits\n";
	return text;
}

} // namespace compiler
