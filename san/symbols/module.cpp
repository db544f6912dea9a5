// SPDX-License-Identifier: MIT
/**
 * DOC: functions and lines of an ELF file
 *
 * elfutils reads the file without a running process. If the file was changed after the program ran, the lines
 * are wrong, as in any debugger.
 */
#include "san/symbols/module.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

namespace san {

/* struct Free - frees what a C library has allocated. */
struct Free {
	void operator()(void *memory) const { free(memory); }
};

struct Module::Debug {
	Dwfl *session = nullptr;
	Dwfl_Module *module = nullptr;
	~Debug()
	{
		if (session)
			dwfl_end(session);
	}
};

static const Dwfl_Callbacks CALLBACKS = {
	.find_elf = nullptr,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = nullptr,
};

Module::Module(std::string path) : path_(std::move(path)), debug_(std::make_unique<Debug>())
{
	/* A trace may name any path, and reading from a pipe would block. So only regular files are read. */
	std::error_code error;
	if (!std::filesystem::is_regular_file(path_, error))
		return;
	debug_->session = dwfl_begin(&CALLBACKS);
	if (!debug_->session)
		return;
	dwfl_report_begin(debug_->session);
	debug_->module = dwfl_report_offline(debug_->session, path_.c_str(), path_.c_str(), -1);
	dwfl_report_end(debug_->session, nullptr, nullptr);
}

Module::~Module() = default;

/* The index at which the arguments begin, or the end of the name: "f(int)", "g(int) const", but not
 * "(anonymous namespace)::h". */
static size_t end_of_name(const std::string &name)
{
	if (name.empty() || name.find(')') == std::string::npos)
		return name.size();
	int depth = 0;
	for (size_t i = name.rfind(')') + 1; i-- > 0;) {
		depth += name[i] == ')';
		depth -= name[i] == '(';
		if (depth == 0)
			return i > 0 ? i : name.size();
	}
	return name.size();
}

std::string demangled(const char *name)
{
	if (strncmp(name, "_Z", 2) != 0)
		return name;
	int status = 0;
	const std::unique_ptr<char, Free> text(
		abi::__cxa_demangle(name, nullptr, nullptr, &status));
	if (!text)
		return name;
	const std::string whole = text.get();
	return whole.substr(0, end_of_name(whole));
}

std::string Module::symbol(uint64_t offset) const
{
	GElf_Addr bias = 0;
	if (!debug_->module || !dwfl_module_getelf(debug_->module, &bias))
		return "";
	const char *name = dwfl_module_addrname(debug_->module, offset + bias);
	return name ? demangled(name) : "";
}

static std::string function_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name = nullptr;
	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		name = dwarf_formstring(&attribute);
	if (!name)
		name = dwarf_diename(die);
	return name ? demangled(name) : "";
}

static uint64_t number(Dwarf_Die *die, unsigned which)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value = 0;
	if (!dwarf_attr(die, which, &attribute) || dwarf_formudata(&attribute, &value) != 0)
		return 0;
	return value;
}

/* Sets the file and line at which an inlined function is called. */
static void set_call(Frame &frame, Dwarf_Die *unit, Dwarf_Die *inlined)
{
	Dwarf_Files *files = nullptr;
	size_t count = 0;
	const uint64_t index = number(inlined, DW_AT_call_file);
	frame.line = static_cast<uint32_t>(number(inlined, DW_AT_call_line));
	if (dwarf_getsrcfiles(unit, &files, &count) != 0 || index >= count)
		return;
	const char *file = dwarf_filesrc(files, index, nullptr, nullptr);
	frame.file = file ? file : "";
}

static void set_line(Frame &frame, Dwarf_Die *unit, Dwarf_Addr address)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	int number = 0;
	const char *file = line ? dwarf_linesrc(line, nullptr, nullptr) : nullptr;
	if (!file || dwarf_lineno(line, &number) != 0)
		return;
	frame.file = file;
	frame.line = static_cast<uint32_t>(number);
}

/* The compilation unit of an address. clang writes no index of addresses, so then all units are searched. */
static Dwarf_Die *unit_at(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr &bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(module, address, &bias);
	if (unit)
		return unit;
	while ((unit = dwfl_module_nextcu(module, unit, &bias))) {
		if (dwarf_haspc(unit, address - bias) > 0)
			return unit;
	}
	return nullptr;
}

/* No compiler nests functions, blocks and namespaces deeper than this. */
static constexpr unsigned MAX_DEPTH = 256;

/* Appends the function at @address and the functions that are inlined there, the innermost last.
 * dwarf_getscopes() of elfutils 0.188 does not look into namespaces, where clang puts functions. Return:
 * whether there is a function. */
static bool find_scopes(Dwarf_Die *parent, Dwarf_Addr address, std::vector<Dwarf_Die> &scopes,
			unsigned depth = 0)
{
	Dwarf_Die child;
	if (depth == MAX_DEPTH || dwarf_child(parent, &child) != 0)
		return false;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_namespace:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
			if (find_scopes(&child, address, scopes, depth + 1))
				return true;
			break;
		case DW_TAG_subprogram:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			if (dwarf_haspc(&child, address) <= 0)
				break;
			scopes.push_back(child);
			find_scopes(&child, address, scopes, depth + 1);
			return true;
		default:
			break;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/* Adds files and lines to the frames. Return: false if the debug information has no unit at the address. */
bool Module::add_lines(uint64_t offset, Stack &stack)
{
	GElf_Addr file_bias = 0;
	Dwarf_Addr debug_bias = 0;
	if (!debug_->module || !dwfl_module_getelf(debug_->module, &file_bias))
		return false;
	Dwarf_Die *unit = unit_at(debug_->module, offset + file_bias, debug_bias);
	if (!unit)
		return false;
	const Dwarf_Addr address = offset + file_bias - debug_bias;
	std::vector<Dwarf_Die> scopes;
	find_scopes(unit, address, scopes);
	Frame frame{path_, offset, "", "", 0, false};
	set_line(frame, unit, address);
	for (size_t i = scopes.size(); i-- > 0;) {
		const int tag = dwarf_tag(&scopes[i]);
		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
			continue;
		frame.function = function_name(&scopes[i]);
		frame.is_inlined = tag == DW_TAG_inlined_subroutine;
		stack.push_back(frame);
		if (!frame.is_inlined)
			return true;
		frame = {path_, offset, "", "", 0, false};
		set_call(frame, unit, &scopes[i]);
	}
	frame.function = symbol(offset);
	stack.push_back(frame);
	return true;
}

Stack Module::frames(uint64_t offset)
{
	Stack stack;
	if (!add_lines(offset, stack))
		stack.push_back({path_, offset, symbol(offset), "", 0, false});
	return stack;
}

} // namespace san
