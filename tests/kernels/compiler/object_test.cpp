// SPDX-License-Identifier: MIT
/*
 * DOC: objects with impossible sections
 *
 * The reader of the compiler's objects refuses what reaches beyond the file, and reads nothing there.
 */
#include <cstring>
#include <string>

#include <elf.h>
#include <gtest/gtest.h>

#include "kernels/compiler/files.h"
#include "kernels/compiler/object.h"

namespace {

/* Sections: none, symbols, their wide numbers of sections. */
struct Small {
	Elf64_Ehdr head;
	Elf64_Shdr sections[3];
	Elf64_Sym symbols[64];
	Elf32_Word wide[2]; /* fewer than there are symbols */
};

Small small_object()
{
	Small it{};
	memcpy(it.head.e_ident, ELFMAG, SELFMAG);
	it.head.e_ident[EI_CLASS] = ELFCLASS64;
	it.head.e_shoff = offsetof(Small, sections);
	it.head.e_shentsize = sizeof(Elf64_Shdr);
	it.head.e_shnum = 3;
	it.sections[1].sh_type = SHT_SYMTAB;
	it.sections[1].sh_offset = offsetof(Small, symbols);
	it.sections[1].sh_size = sizeof(it.symbols);
	it.sections[2].sh_type = SHT_SYMTAB_SHNDX;
	it.sections[2].sh_offset = offsetof(Small, wide);
	it.sections[2].sh_size = sizeof(it.wide);
	for (Elf64_Sym &symbol : it.symbols)
		symbol.st_shndx = SHN_XINDEX;
	it.wide[1] = 2;
	return it;
}

std::string bytes_of(const Small &object)
{
	return {reinterpret_cast<const char *>(&object), sizeof(object)};
}

} // namespace

TEST(Object, HasNoMoreSectionsThanTheFile)
{
	Small it = small_object();
	it.head.e_shnum = 0;
	for (const uint64_t count : {uint64_t{1} << 58, ~uint64_t{0}, uint64_t{1} << 40}) {
		it.sections[0].sh_size = count;
		EXPECT_THROW(compiler::Object(bytes_of(it)), compiler::ToolError) << count;
	}
}

/* What lies behind the table would be taken for a section otherwise. */
TEST(Object, ReadsNothingBehindATableOfSections)
{
	const std::string whole = bytes_of(small_object()) + std::string("\2\0\0\0", 4);
	const compiler::Object object(whole);
	ASSERT_EQ(object.symbols().size(), 64u);
	EXPECT_EQ(object.symbols()[1].section, 2u);
	for (size_t i = 2; i < object.symbols().size(); i++)
		EXPECT_EQ(object.symbols()[i].section, 0u) << i;
}
