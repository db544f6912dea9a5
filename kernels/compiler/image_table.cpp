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
#include <iterator>
#include <map>
#include <set>

#include "kernels/abi/image.h"
#include "kernels/compiler/files.h"
#include "kernels/compiler/text/rewrite.h"

namespace compiler {

// The mangled names of unpu::Entry<F>::entry, unpu::mark_cube(), unpu::mark_cube_unit(), unpu::mark_vector(),
// unpu::mark_ratio() and unpu::declare_type<T>().
static constexpr std::string_view ENTRY_BEGIN = "_ZN4unpu5EntryI";
static constexpr std::string_view ENTRY_END = "E5entryE";
static constexpr std::string_view CUBE = "_ZN4unpu9mark_cubeEv";
static constexpr std::string_view CUBE_UNIT = "_ZN4unpu14mark_cube_unitEv";
static constexpr std::string_view VECTOR = "_ZN4unpu11mark_vectorEv";
static constexpr std::string_view RATIO = "_ZN4unpu10mark_ratioEv";
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

namespace {

// The cores that a kernel needs, as its code shows.
struct Needs {
	bool is_declared = false;
	uint32_t declared = 0;
	bool mix = false;    // a cube core with its vector cores
	bool cube = false;   // it drives the cube unit by itself
	bool vector = false; // it has local memory of a vector core
	bool ratio = false;  // it asks how many vector cores a cube core has
};

} // namespace

// The widest declared type wins where code for several tiling keys declares several.
static Needs needs_of(const Object &object, const Object::Symbol &entry)
{
	const std::vector<bool> reached = object.reach(entry.section);
	Needs needs;
	for (const Object::Symbol &symbol : object.symbols()) {
		if (symbol.section == 0 || !reached[symbol.section])
			continue;
		if (symbol.name == CUBE) {
			needs.mix = true;
		} else if (symbol.name == CUBE_UNIT) {
			needs.cube = true;
		} else if (symbol.name == VECTOR) {
			needs.vector = true;
		} else if (symbol.name == RATIO) {
			needs.ratio = true;
		} else if (begins(symbol.name, TYPE)) {
			needs.is_declared = true;
			needs.declared =
				std::max(needs.declared,
					 uint32_t(std::stoul(symbol.name.substr(TYPE.size()))));
		}
	}
	return needs;
}

// Code that uses the cube unit needs a cube core, and vector cores if it also uses their local memory. A type that
// the user declared has priority.
static uint32_t type_of(const Needs &needs)
{
	if (!needs.is_declared)
		return needs.mix || (needs.cube && needs.vector) ? UNPU_KERNEL_MIX_AIC_1_2
		       : needs.cube				 ? UNPU_KERNEL_AIC_ONLY
								 : UNPU_KERNEL_AIV_ONLY;
	// KERNEL_TYPE_AICORE and the types after it are for chips with one kind of core.
	return needs.declared > UNPU_KERNEL_MIX_AIC_1_2 ? uint32_t(UNPU_KERNEL_AIV_ONLY)
							: needs.declared;
}

// Each half determines the type for its own kind of core.
static Needs joined(const Needs &vector, const Needs &cube)
{
	return {vector.is_declared || cube.is_declared,
		std::max(vector.declared, cube.declared),
		vector.mix || cube.mix,
		cube.cube,
		vector.vector,
		vector.ratio};
}

// The device's compiler makes one image of a source for each kind of core. So vector code beside a kernel that is a mix
// by its code runs as a mix as well. This goes for kernels that ask for the ratio: they are right with either.
static void share_cores(std::vector<EntrySymbol> &entries, const std::vector<Needs> &needs)
{
	const auto is_by_code = [&](size_t i, uint32_t type) {
		return !needs[i].is_declared && entries[i].type == type;
	};
	bool has_mix = false;
	for (size_t i = 0; i < entries.size(); i++)
		has_mix = has_mix || is_by_code(i, UNPU_KERNEL_MIX_AIC_1_2);
	for (size_t i = 0; i < entries.size() && has_mix; i++)
		if (needs[i].ratio && is_by_code(i, UNPU_KERNEL_AIV_ONLY))
			entries[i].type = UNPU_KERNEL_MIX_AIC_1_2;
}

using Entries = std::map<std::string, const Object::Symbol *>;

static Entries entry_symbols(const Object &object)
{
	Entries entries;
	for (const Object::Symbol &symbol : object.symbols())
		if (is_entry(symbol))
			entries.emplace(symbol.name, &symbol);
	return entries;
}

std::vector<EntrySymbol> entries_of(const Object &object)
{
	std::vector<EntrySymbol> entries;
	std::vector<Needs> needs;
	for (const auto &[name, symbol] : entry_symbols(object)) {
		needs.push_back(needs_of(object, *symbol));
		entries.push_back({name, type_of(needs.back()), symbol->is_local, name});
	}
	share_cores(entries, needs);
	return entries;
}

static std::string name_of_cube(const std::string &name)
{
	return "unpu_cube." + name;
}

// A kernel that only one half has is for that kind of core.
std::vector<EntrySymbol> entries_of(const Object &vector, const Object &cube)
{
	std::vector<EntrySymbol> entries = entries_of(vector);
	Entries of_cube = entry_symbols(cube);
	const Entries of_vector = entry_symbols(vector);
	for (EntrySymbol &entry : entries) {
		const auto found = of_cube.find(entry.name);
		if (found == of_cube.end())
			continue;
		entry.cube = name_of_cube(entry.name);
		entry.type = type_of(joined(needs_of(vector, *of_vector.at(entry.name)),
					    needs_of(cube, *found->second)));
		of_cube.erase(found);
	}
	for (const auto &[name, symbol] : of_cube) {
		Needs needs = needs_of(cube, *symbol);
		needs.cube = true;
		entries.push_back(
			{name_of_cube(name), type_of(needs), symbol->is_local, name_of_cube(name)});
	}
	return entries;
}

// Whether a symbol is a variable of the language: one in the namespace unpu, or a static one in a function there,
// with its guard.
static bool is_of_language(const Object::Symbol &symbol)
{
	static constexpr std::string_view BEGINS[] = {"_ZN4unpu", "_ZZN4unpu", "_ZGVN4unpu",
						      "_ZGVZN4unpu"};
	return symbol.is_variable && !is_entry(symbol) &&
	       std::any_of(std::begin(BEGINS), std::end(BEGINS),
			   [&](std::string_view begin) { return begins(symbol.name, begin); });
}

std::vector<NewName> names_of_cube(const Object &cube)
{
	std::set<std::string> names;
	for (const Object::Symbol &symbol : cube.symbols())
		if (symbol.section != 0 && !symbol.name.empty() &&
		    (!symbol.is_local || is_entry(symbol)) && !is_of_language(symbol))
			names.insert(symbol.name);
	std::vector<NewName> renamed;
	for (const std::string &name : names)
		renamed.push_back({name, name_of_cube(name)});
	return renamed;
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
		text += "\t.quad " + entry.name + "\n\t.quad " + entry.cube + "\n\t.quad " +
			std::to_string(entry.type) + "\n";
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
