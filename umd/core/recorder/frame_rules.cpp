// SPDX-License-Identifier: MIT
/**
 * DOC: rules for frames, from the unwind tables
 *
 * Most programs and libraries are compiled without frame pointers, but all have .eh_frame, the tables by
 * which exceptions unwind. A table has for each code address a rule that gives the caller's frame. Reading it
 * takes microseconds; the caller (call_stack.cpp) therefore keeps the rule of each return address that it has
 * met.
 *
 * This reader knows only the forms that compilers make: tables with 32-bit entries relative to the table, and
 * CFAs that are a register plus an offset. (The CFA, canonical frame address, is the end of a frame.) For any
 * other form there is no rule, and a walk ends at that frame.
 *
 * On AArch64 no table is read. Its compilers keep the frame pointer in each function that calls another one,
 * and it points to a frame record: the caller's frame pointer, followed by the return address. A walk does
 * not find functions without a frame record.
 */
#include "frame_rules.h"

#include <algorithm>
#include <cstring>

#include <elf.h>
#include <link.h>
#include <unistd.h>

namespace umd::recorder {

namespace {

/* Numbers of registers in the tables (x86-64). On other machines the tables are not used. */
constexpr uint64_t FRAME_POINTER = 6;
constexpr uint64_t STACK_POINTER = 7;

/* Encodings of addresses (DW_EH_PE_*). */
constexpr uint8_t FORM_MASK = 0x0f;
constexpr uint8_t SIGNED_4 = 0x0b;
constexpr uint8_t RELATIVE_TO_HERE = 0x10;
constexpr uint8_t RELATIVE_TO_TABLE = 0x30;

/* Reads the values of a table one after the other. */
class Cursor {
public:
	Cursor(const uint8_t *at, const uint8_t *end) : at_(at), end_(end) {}

	bool is_at_end() const { return at_ >= end_ || is_broken_; }
	bool is_broken() const { return is_broken_; }
	const uint8_t *at() const { return at_; }
	void skip(uint64_t bytes) { at_ += has(bytes) ? bytes : 0; }

	template <class T> T take()
	{
		T value{};
		if (!has(sizeof(T)))
			return value;
		memcpy(&value, at_, sizeof(T));
		at_ += sizeof(T);
		return value;
	}

	uint64_t take_uleb()
	{
		uint64_t value = 0;
		uint8_t byte = 0x80;
		for (unsigned shift = 0; byte & 0x80 && shift < 63; shift += 7) {
			byte = take<uint8_t>();
			value |= uint64_t{byte & 0x7fu} << shift;
		}
		return value;
	}

	int64_t take_sleb()
	{
		uint64_t value = 0;
		unsigned shift = 0;
		uint8_t byte = 0x80;
		for (; byte & 0x80 && shift < 63; shift += 7) {
			byte = take<uint8_t>();
			value |= uint64_t{byte & 0x7fu} << shift;
		}
		if (byte & 0x40)
			value |= ~uint64_t{0} << shift;
		return static_cast<int64_t>(value);
	}

private:
	bool has(uint64_t bytes)
	{
		is_broken_ = is_broken_ || bytes > static_cast<uint64_t>(end_ - at_);
		return !is_broken_;
	}

	const uint8_t *at_;
	const uint8_t *const end_;
	bool is_broken_ = false;
};

/* The unwind entry of one function: the common part (CIE), and its own range and instructions (FDE). */
struct Function {
	const uint8_t *common = nullptr; /* instructions of the common part (CIE) */
	const uint8_t *common_end = nullptr;
	const uint8_t *own = nullptr; /* instructions of the function (FDE) */
	const uint8_t *own_end = nullptr;
	uint64_t begin = 0;
	uint64_t code_unit = 0;
	int64_t data_unit = 0;
};

/* The row of the unwind table at one address. */
struct Row {
	uint64_t cfa_register = STACK_POINTER;
	int64_t cfa = 0;
	int64_t frame_pointer = 0;
	bool is_known = true; /* false: the row has a form that is not supported */
	bool has_caller = true;
};

} // namespace

/* Reads the common part (CIE). Return: false if it has an unsupported form. */
static bool read_common(const uint8_t *start, Function &function, uint8_t &encoding)
{
	uint32_t length;
	memcpy(&length, start, sizeof(length));
	Cursor cursor(start + sizeof(length), start + sizeof(length) + length);
	const auto id = cursor.take<uint32_t>();
	const auto version = cursor.take<uint8_t>();
	if (id != 0 || (version != 1 && version != 3) || length >= UINT32_MAX - 16)
		return false;
	const auto *augmentation = reinterpret_cast<const char *>(cursor.at());
	const size_t letters = strnlen(augmentation, 8);
	cursor.skip(letters + 1);
	function.code_unit = cursor.take_uleb();
	function.data_unit = cursor.take_sleb();
	(void)(version == 1 ? cursor.take<uint8_t>() : cursor.take_uleb());
	if (letters == 0 || augmentation[0] != 'z')
		return false;
	const uint64_t bytes = cursor.take_uleb();
	const uint8_t *instructions = cursor.at() + bytes;
	encoding = 0;
	for (size_t i = 1; i < letters; i++) {
		const char letter = augmentation[i];
		if (letter == 'R')
			encoding = cursor.take<uint8_t>();
		else if (letter == 'L')
			cursor.skip(1);
		else if (letter == 'P')
			cursor.skip((cursor.take<uint8_t>() & FORM_MASK) == 0 ? 8 : 4);
		else if (letter != 'S')
			return false;
	}
	function.common = instructions;
	function.common_end = start + sizeof(length) + length;
	return !cursor.is_broken();
}

/* Reads the entry of a function (FDE). */
static bool read_function(const uint8_t *start, uint64_t address, Function &function)
{
	uint32_t length;
	memcpy(&length, start, sizeof(length));
	if (length == 0 || length >= UINT32_MAX - 16)
		return false;
	const uint8_t *const end = start + sizeof(length) + length;
	Cursor cursor(start + sizeof(length), end);
	const uint8_t *const here = cursor.at();
	const auto back = cursor.take<uint32_t>();
	uint8_t encoding = 0;
	if (!read_common(here - back, function, encoding) ||
	    encoding != (RELATIVE_TO_HERE | SIGNED_4))
		return false;
	const auto place = reinterpret_cast<uint64_t>(cursor.at());
	function.begin = place + static_cast<uint64_t>(int64_t{cursor.take<int32_t>()});
	const auto bytes = cursor.take<uint32_t>();
	if (address - function.begin >= bytes)
		return false;
	cursor.skip(cursor.take_uleb());
	function.own = cursor.at();
	function.own_end = end;
	return !cursor.is_broken();
}

/* Searches the sorted table of .eh_frame_hdr. */
static bool find_function(const Module &module, uint64_t address, Function &function)
{
	struct Entry {
		int32_t begin;
		int32_t entry;
	};
	const uint8_t *const table = module.frames;
	if (!table || table[0] != 1 || (table[1] & FORM_MASK) != SIGNED_4 ||
	    (table[2] & FORM_MASK) != 0x03 || table[3] != (RELATIVE_TO_TABLE | SIGNED_4))
		return false;
	uint32_t count;
	memcpy(&count, table + 8, sizeof(count));
	const auto *entries = reinterpret_cast<const Entry *>(table + 12);
	const auto base = reinterpret_cast<int64_t>(table);
	const auto *after = std::upper_bound(
		entries, entries + count, static_cast<int64_t>(address),
		[&](int64_t wanted, const Entry &entry) { return wanted < base + entry.begin; });
	if (after == entries)
		return false;
	return read_function(table + after[-1].entry, address, function);
}

/* Runs an instruction that does not have its operand in the same byte. */
static void run_long(uint8_t code, Cursor &cursor, const Function &function, Row &row, uint64_t &at)
{
	enum : uint8_t {
		NOP = 0x00,
		ADVANCE_1 = 0x02,
		ADVANCE_2 = 0x03,
		ADVANCE_4 = 0x04,
		OFFSET = 0x05,
		RESTORE = 0x06,
		UNDEFINED = 0x07,
		SAME_VALUE = 0x08,
		DEFINE = 0x0c,
		DEFINE_REGISTER = 0x0d,
		DEFINE_OFFSET = 0x0e,
		EXPRESSION = 0x10,
		VALUE_EXPRESSION = 0x16,
		ARGUMENT_BYTES = 0x2e,
	};
	switch (code) {
	case NOP:
		return;
	case ADVANCE_1:
		at += cursor.take<uint8_t>() * function.code_unit;
		return;
	case ADVANCE_2:
		at += cursor.take<uint16_t>() * function.code_unit;
		return;
	case ADVANCE_4:
		at += cursor.take<uint32_t>() * function.code_unit;
		return;
	case OFFSET: {
		const uint64_t saved = cursor.take_uleb();
		const int64_t offset =
			static_cast<int64_t>(cursor.take_uleb()) * function.data_unit;
		if (saved == FRAME_POINTER)
			row.frame_pointer = offset;
		return;
	}
	case UNDEFINED:
		/* The rule of the return address: the first function of a thread has no caller. */
		row.has_caller = cursor.take_uleb() <= STACK_POINTER && row.has_caller;
		return;
	case RESTORE:
	case SAME_VALUE:
		if (cursor.take_uleb() == FRAME_POINTER)
			row.frame_pointer = 0;
		return;
	case DEFINE:
		row.cfa_register = cursor.take_uleb();
		row.cfa = static_cast<int64_t>(cursor.take_uleb());
		return;
	case DEFINE_REGISTER:
		row.cfa_register = cursor.take_uleb();
		return;
	case DEFINE_OFFSET:
		row.cfa = static_cast<int64_t>(cursor.take_uleb());
		return;
	case EXPRESSION:
	case VALUE_EXPRESSION: {
		const uint64_t saved = cursor.take_uleb();
		cursor.skip(cursor.take_uleb());
		row.is_known = row.is_known && saved > STACK_POINTER && saved != 16;
		return;
	}
	case ARGUMENT_BYTES:
		(void)cursor.take_uleb();
		return;
	default:
		row.is_known = false;
	}
}

/* Runs instructions up to the row that holds @address. Return: false if an instruction has an unsupported
 * form. */
static bool run_instructions(Cursor cursor, const Function &function, uint64_t address, Row &row)
{
	constexpr uint8_t OPERAND = 0x3f;
	enum : uint8_t { ADVANCE = 0x40, OFFSET = 0x80, RESTORE = 0xc0 };
	enum : uint8_t { REMEMBER = 0x0a, RECALL = 0x0b };
	constexpr unsigned DEEPEST = 8;
	Row remembered[DEEPEST];
	unsigned depth = 0;
	uint64_t at = function.begin;
	while (!cursor.is_at_end() && at <= address && row.is_known) {
		const auto code = cursor.take<uint8_t>();
		const uint8_t operand = code & OPERAND;
		const Row before = row;
		switch (code & ~OPERAND) {
		case ADVANCE:
			at += operand * function.code_unit;
			continue;
		case OFFSET: {
			const auto offset = static_cast<int64_t>(cursor.take_uleb());
			if (operand == FRAME_POINTER)
				row.frame_pointer = offset * function.data_unit;
			continue;
		}
		case RESTORE:
			if (operand == FRAME_POINTER)
				row.frame_pointer = 0;
			continue;
		}
		if (code == REMEMBER && depth < DEEPEST)
			remembered[depth++] = before;
		else if (code == RECALL && depth > 0)
			row = remembered[--depth];
		else
			run_long(code, cursor, function, row, at);
	}
	return row.is_known && !cursor.is_broken();
}

/* The numbers of registers and the place of the return address are those of x86-64. */
#if defined(__x86_64__)
static constexpr bool KNOWS_FRAMES = true;
#else
static constexpr bool KNOWS_FRAMES = false;
#endif

#if defined(__aarch64__)
static constexpr bool HAS_FRAME_RECORDS = true;
#else
static constexpr bool HAS_FRAME_RECORDS = false;
#endif

static bool find_row(const Module &module, uint64_t address, Row &row)
{
	Function function;
	return KNOWS_FRAMES && find_function(module, address, function) &&
	       run_instructions({function.common, function.common_end}, function, address, row) &&
	       run_instructions({function.own, function.own_end}, function, address, row);
}

FrameRule find_rule(const Module &module, uint64_t return_address)
{
	FrameRule rule;
	Row row;
	if constexpr (HAS_FRAME_RECORDS) {
		constexpr int16_t RECORD_BYTES = 2 * sizeof(uint64_t);
		rule.cfa = RECORD_BYTES;
		rule.frame_pointer = -RECORD_BYTES;
		rule.flags = FrameRule::HAS_CALLER | FrameRule::FROM_FRAME_POINTER;
		return rule;
	}
	/* The search uses the byte before the return address, which is part of the call. The call may be the
	 * last instruction of its function. */
	if (!find_row(module, return_address - 1, row) || !row.has_caller)
		return rule;
	const bool is_by_frame = row.cfa_register == FRAME_POINTER;
	if ((!is_by_frame && row.cfa_register != STACK_POINTER) || row.cfa > INT32_MAX ||
	    row.frame_pointer < INT16_MIN || row.frame_pointer > INT16_MAX)
		return rule;
	rule.cfa = static_cast<int32_t>(row.cfa);
	rule.frame_pointer = static_cast<int16_t>(row.frame_pointer);
	rule.flags = FrameRule::HAS_CALLER;
	if (is_by_frame)
		rule.flags |= FrameRule::FROM_FRAME_POINTER;
	return rule;
}

static std::string program_path()
{
	char path[4096];
	const ssize_t bytes = readlink("/proc/self/exe", path, sizeof(path));
	return bytes > 0 ? std::string(path, static_cast<size_t>(bytes)) : "program";
}

bool find_module(uint64_t address, Module &module)
{
	struct Search {
		uint64_t address;
		Module &module;
	};
	auto look = [](dl_phdr_info *info, size_t, void *argument) {
		auto &search = *static_cast<Search *>(argument);
		Module found;
		found.base = info->dlpi_addr;
		found.begin = UINT64_MAX;
		for (int i = 0; i < info->dlpi_phnum; i++) {
			const ElfW(Phdr) &part = info->dlpi_phdr[i];
			const uint64_t start = info->dlpi_addr + part.p_vaddr;
			if (part.p_type == PT_LOAD) {
				found.begin = std::min(found.begin, start);
				found.end = std::max(found.end, start + part.p_memsz);
			} else if (part.p_type == PT_GNU_EH_FRAME) {
				found.frames = reinterpret_cast<const uint8_t *>(start);
			}
		}
		if (search.address < found.begin || search.address >= found.end)
			return 0;
		found.path = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : program_path();
		search.module = std::move(found);
		return 1;
	};
	Search search{address, module};
	return dl_iterate_phdr(look, &search) != 0;
}

} // namespace umd::recorder
