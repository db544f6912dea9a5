// SPDX-License-Identifier: MIT
/**
 * DOC: object files, fuzzed
 *
 * unpu-ascendcc reads the objects of the compiler below it: sections, symbols and relocations. An image of kernels
 * itself is read by the system's loader, in a worker. An input is { offset:2, value:8 }..., changes of an object that
 * fits, or the bytes of one.
 */
#include <elf.h>

#include "input.h"
#include "kernels/compiler/files.h"
#include "kernels/compiler/object.h"

using namespace fuzz;

namespace {

/* Sections: none, names, symbols, code, its relocations. */
struct Small {
	Elf64_Ehdr head;
	char names[16];
	Elf64_Sym symbols[3];
	Elf64_Rela relocations[2];
	char code[32];
	Elf64_Shdr sections[5];
};

Small small_object()
{
	Small it{};
	memcpy(it.head.e_ident, ELFMAG, SELFMAG);
	it.head.e_ident[EI_CLASS] = ELFCLASS64;
	it.head.e_ident[EI_DATA] = ELFDATA2LSB;
	it.head.e_shoff = offsetof(Small, sections);
	it.head.e_shentsize = sizeof(Elf64_Shdr);
	it.head.e_shnum = 5;
	it.head.e_shstrndx = 1;
	memcpy(it.names, "\0one\0two", 9);
	it.symbols[1] = {1, STT_FUNC, 0, 3, 0, 16};
	it.symbols[2] = {5, STT_OBJECT, 0, 3, 16, 16};
	it.relocations[0] = {4, ELF64_R_INFO(1, 1), 0};
	it.relocations[1] = {20, ELF64_R_INFO(2, 1), 8};
	it.sections[1] = {0, SHT_STRTAB, 0, 0, offsetof(Small, names), sizeof(it.names),
			  0, 0,		 1, 0};
	it.sections[2] = {
		0, SHT_SYMTAB,	     0, 0, offsetof(Small, symbols), sizeof(it.symbols), 1, 1,
		8, sizeof(Elf64_Sym)};
	it.sections[3] = {
		0, SHT_PROGBITS, SHF_ALLOC, 0, offsetof(Small, code), sizeof(it.code), 0, 0, 1, 0};
	it.sections[4] = {0,
			  SHT_RELA,
			  0,
			  0,
			  offsetof(Small, relocations),
			  sizeof(it.relocations),
			  2,
			  3,
			  8,
			  sizeof(Elf64_Rela)};
	return it;
}

void read_object(std::string bytes)
{
	try {
		const compiler::Object object(std::move(bytes));
		for (const compiler::Object::Symbol &symbol : object.symbols()) {
			if (symbol.section != 0) {
				(void)object.reach(symbol.section);
				(void)object.referred_at(symbol.section, symbol.offset);
				(void)object.read(symbol.section, symbol.offset,
						  std::min<uint64_t>(symbol.bytes, 4096));
			}
		}
	} catch (const compiler::ToolError &) {
		return;
	}
}

} // namespace

std::vector<Seed> fuzz::seeds()
{
	Seed changes{"changes", {}};
	changes.add(uint8_t{0});
	Seed whole{"whole", {}};
	whole.add(uint8_t{1});
	whole.add(small_object());
	return {changes, whole};
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	Input input(data, bytes);
	std::string object;
	if (input.take<uint8_t>() % 2 == 0) {
		Small it = small_object();
		object.assign(reinterpret_cast<const char *>(&it), sizeof(it));
		while (input.left() > 0) {
			const size_t offset = input.take<uint16_t>() % object.size();
			const auto value = input.take<uint64_t>();
			memcpy(object.data() + offset, &value,
			       std::min(sizeof(value), object.size() - offset));
		}
	} else {
		object.resize(input.left());
		input.take(object.data(), object.size());
	}
	read_object(std::move(object));
	return 0;
}
