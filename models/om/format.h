// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace models::om {

inline constexpr char MAGIC[12] = {'U', 'N', 'P', 'U', 'O', 'M', '\r', '\n', '\x1a', 0, 0, 0};
inline constexpr uint32_t VERSION = 1;
inline constexpr uint32_t MOST_SECTIONS = 64;
inline constexpr uint64_t SECTION_ALIGNMENT = 4096;
inline constexpr uint64_t WEIGHT_ALIGNMENT = 64;

enum SectionKind : uint32_t { FACE = 1, GRAPH = 2, NOTES = 3, WEIGHTS = 4 };

/* A reader that does not know a section with this flag refuses the file. */
inline constexpr uint32_t MUST_UNDERSTAND = 1;

/* struct Header - the begin of the file. @checksum: CRC-32C of the header, with 0 as checksum, and of the table
 * behind it */
struct Header {
	char magic[12];
	uint32_t version;
	uint64_t file_bytes;
	uint32_t sections;
	uint32_t checksum;
	uint8_t reserved[32];
};
static_assert(sizeof(Header) == 64);

struct Section {
	uint32_t kind;
	uint32_t flags;
	uint64_t offset;
	uint64_t bytes;
	uint32_t checksum;
	uint32_t reserved;
};
static_assert(sizeof(Section) == 32);

/* checksum() - the CRC-32C of bytes. @before: the CRC-32C of the bytes before these, to continue it */
uint32_t checksum(std::string_view bytes, uint32_t before = 0);

/* class Writer - collects the bytes of a section. */
class Writer {
public:
	void number(uint64_t value, unsigned bytes = 8)
	{
		bytes_.append(reinterpret_cast<const char *>(&value), bytes);
	}
	void integer(int64_t value) { number(static_cast<uint64_t>(value)); }
	void small(int64_t value) { number(static_cast<uint64_t>(value), 4); }
	void text(std::string_view text)
	{
		number(text.size(), 4);
		bytes_.append(text);
	}
	const std::string &bytes() const { return bytes_; }

private:
	std::string bytes_;
};

/* class Cursor - reads what a Writer wrote. After a read beyond the end, all further reads return 0, and is_good()
 * is false. */
class Cursor {
public:
	explicit Cursor(std::string_view bytes) : rest_(bytes) {}

	bool is_good() const { return is_good_; }
	bool is_at_end() const { return is_good_ && rest_.empty(); }

	uint64_t number(unsigned bytes = 8)
	{
		uint64_t value = 0;
		if (take(bytes))
			std::memcpy(&value, taken_.data(), bytes);
		return value;
	}
	int64_t integer() { return static_cast<int64_t>(number()); }
	int32_t small() { return static_cast<int32_t>(number(4)); }
	std::string_view text() { return take(number(4)) ? taken_ : std::string_view(); }

	/* count() - reads a number of items, each of which has at least @bytes. If the rest of the section is too
	 * short for them, the read fails. */
	size_t count(size_t bytes, size_t most)
	{
		const uint64_t value = number(4);
		if (value > most || value * bytes > rest_.size())
			fail();
		return is_good_ ? static_cast<size_t>(value) : 0;
	}
	void fail()
	{
		is_good_ = false;
		rest_ = {};
	}

private:
	bool take(uint64_t bytes)
	{
		if (!is_good_ || bytes > rest_.size()) {
			fail();
			return false;
		}
		taken_ = rest_.substr(0, static_cast<size_t>(bytes));
		rest_.remove_prefix(static_cast<size_t>(bytes));
		return true;
	}

	std::string_view rest_, taken_;
	bool is_good_ = true;
};

} // namespace models::om
