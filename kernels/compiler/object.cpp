// SPDX-License-Identifier: MIT
/**
 * DOC: Reader of object files
 *
 * Each function and variable of an image has a section of its own, so relocations between sections show what a kernel
 * can reach.
 */
#include "kernels/compiler/object.h"

#include <cstring>

#include "kernels/compiler/files.h"

namespace compiler {

void Object::check(uint64_t offset, uint64_t bytes) const
{
	if (offset > bytes_.size() || bytes > bytes_.size() - offset)
		throw ToolError("the compiler made an object that is cut off");
}

Object::Object(std::string bytes) : bytes_(std::move(bytes))
{
	Elf64_Ehdr head;
	check(0, sizeof(head));
	memcpy(&head, bytes_.data(), sizeof(head));
	if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    head.e_shentsize != sizeof(Elf64_Shdr))
		throw ToolError("the compiler made no 64-bit ELF object; -flto and -S do not work "
				"for kernels");
	check(head.e_shoff, sizeof(Elf64_Shdr));
	size_t count = head.e_shnum;
	Elf64_Shdr first;
	memcpy(&first, bytes_.data() + head.e_shoff, sizeof(first));
	if (count == 0)
		count = first.sh_size; // more than 65279 sections
	if (count > bytes_.size() / sizeof(Elf64_Shdr))
		throw ToolError("the compiler made an object that is cut off");
	check(head.e_shoff, count * sizeof(Elf64_Shdr));
	sections_.resize(count);
	for (size_t i = 0; i < count; i++)
		memcpy(&sections_[i].header, bytes_.data() + head.e_shoff + i * sizeof(Elf64_Shdr),
		       sizeof(Elf64_Shdr));
	for (const Section &section : sections_)
		if (section.header.sh_type == SHT_SYMTAB)
			read_symbols(section.header);
	for (const Section &section : sections_)
		if (section.header.sh_type == SHT_RELA)
			read_references(section.header);
}

void Object::read_symbols(const Elf64_Shdr &header)
{
	check(header.sh_offset, header.sh_size);
	if (header.sh_link >= sections_.size())
		throw ToolError("the object has symbols without names");
	const Elf64_Shdr &names = sections_[header.sh_link].header;
	check(names.sh_offset, names.sh_size);
	const char *wide = nullptr;
	uint64_t wide_count = 0;
	for (const Section &section : sections_)
		if (section.header.sh_type == SHT_SYMTAB_SHNDX) {
			check(section.header.sh_offset, section.header.sh_size);
			wide = bytes_.data() + section.header.sh_offset;
			wide_count = section.header.sh_size / sizeof(Elf32_Word);
		}
	for (size_t i = 0; i < header.sh_size / sizeof(Elf64_Sym); i++) {
		Elf64_Sym raw;
		memcpy(&raw, bytes_.data() + header.sh_offset + i * sizeof(raw), sizeof(raw));
		Symbol symbol;
		if (raw.st_name < names.sh_size)
			symbol.name = bytes_.c_str() + names.sh_offset + raw.st_name;
		size_t section = raw.st_shndx;
		if (section == SHN_XINDEX && i < wide_count)
			memcpy(&section, wide + i * sizeof(Elf32_Word), sizeof(Elf32_Word));
		if (section < sections_.size() &&
		    (section < SHN_LORESERVE || raw.st_shndx == SHN_XINDEX))
			symbol.section = section;
		symbol.offset = raw.st_value;
		symbol.bytes = raw.st_size;
		symbol.is_local = ELF64_ST_BIND(raw.st_info) == STB_LOCAL;
		symbol.is_variable = ELF64_ST_TYPE(raw.st_info) == STT_OBJECT ||
				     ELF64_ST_TYPE(raw.st_info) == STT_TLS;
		symbols_.push_back(std::move(symbol));
	}
}

void Object::read_references(const Elf64_Shdr &header)
{
	check(header.sh_offset, header.sh_size);
	if (header.sh_info >= sections_.size())
		return;
	std::vector<Reference> &references = sections_[header.sh_info].references;
	for (size_t i = 0; i < header.sh_size / sizeof(Elf64_Rela); i++) {
		Elf64_Rela raw;
		memcpy(&raw, bytes_.data() + header.sh_offset + i * sizeof(raw), sizeof(raw));
		if (ELF64_R_SYM(raw.r_info) < symbols_.size())
			references.push_back({raw.r_offset, ELF64_R_SYM(raw.r_info), raw.r_addend});
	}
}

std::vector<bool> Object::reach(size_t section) const
{
	std::vector<bool> reached(sections_.size());
	std::vector<size_t> open = {section};
	reached[section] = true;
	while (!open.empty()) {
		const size_t from = open.back();
		open.pop_back();
		for (const Reference &reference : sections_[from].references) {
			const size_t to = symbols_[reference.symbol].section;
			if (to == 0 || reached[to])
				continue;
			reached[to] = true;
			open.push_back(to);
		}
	}
	return reached;
}

// A relocation may name a section and an offset in it in place of a symbol.
const Object::Symbol *Object::referred_at(size_t section, uint64_t offset) const
{
	for (const Reference &reference : sections_[section].references) {
		if (reference.offset != offset)
			continue;
		const Symbol &symbol = symbols_[reference.symbol];
		if (!symbol.name.empty())
			return &symbol;
		for (const Symbol &other : symbols_)
			if (other.section == symbol.section &&
			    other.offset == uint64_t(reference.addend) && !other.name.empty() &&
			    other.bytes != 0)
				return &other;
	}
	return nullptr;
}

std::string Object::read(size_t section, uint64_t offset, uint64_t bytes) const
{
	const Elf64_Shdr &header = sections_.at(section).header;
	if (header.sh_type == SHT_NOBITS)
		return std::string(bytes, '\0');
	check(header.sh_offset, header.sh_size);
	if (offset > header.sh_size || bytes > header.sh_size - offset)
		throw ToolError("the object has a variable outside of its section");
	return bytes_.substr(header.sh_offset + offset, bytes);
}

} // namespace compiler
