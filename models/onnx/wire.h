// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace models::onnx {

/*
 * class Wire - the fields of one protobuf message, one after the other. Nothing is copied, and nothing is read outside
 * of @bytes. Groups, which no version of ONNX has, are an error.
 */
class Wire {
public:
	enum class Kind : uint8_t { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

	explicit Wire(std::string_view bytes) : rest_(bytes) {}

	/* next() - goes to the next field. Return: false at the end, or if the bytes are no message. */
	bool next()
	{
		uint64_t key;
		if (rest_.empty() || is_broken_)
			return false;
		if (!read_varint(key) || key >> 3 == 0 || key >> 32 != 0)
			return fail();
		field_ = static_cast<uint32_t>(key >> 3);
		kind_ = static_cast<Kind>(key & 7);
		switch (kind_) {
		case Kind::VARINT:
			return read_varint(number_) || fail();
		case Kind::FIXED64:
			return read_fixed(8) || fail();
		case Kind::FIXED32:
			return read_fixed(4) || fail();
		case Kind::BYTES:
			return read_bytes() || fail();
		}
		return fail();
	}

	/* is_broken() - whether next() ended before the end. */
	bool is_broken() const { return is_broken_; }

	uint32_t field() const { return field_; }
	Kind kind() const { return kind_; }
	bool is_varint() const { return kind_ == Kind::VARINT; }
	bool is_bytes() const { return kind_ == Kind::BYTES; }

	/* number() - the value of a varint; for a fixed-size field its bits. */
	uint64_t number() const { return number_; }
	int64_t integer() const { return static_cast<int64_t>(number_); }
	std::string_view bytes() const { return bytes_; }

	/* varint() - reads a varint at the begin of @bytes and removes it. Return: false if there is none. */
	static bool varint(std::string_view &bytes, uint64_t &value)
	{
		value = 0;
		for (unsigned k = 0; k < 10 && k < bytes.size(); k++) {
			const auto byte = static_cast<uint8_t>(bytes[k]);
			if (k == 9 && byte > 1)
				return false;
			value |= uint64_t{byte & 0x7fu} << 7 * k;
			if (byte < 0x80) {
				bytes.remove_prefix(k + 1);
				return true;
			}
		}
		return false;
	}

private:
	bool fail()
	{
		is_broken_ = true;
		return false;
	}
	bool read_varint(uint64_t &value) { return varint(rest_, value); }
	bool read_fixed(size_t size)
	{
		number_ = 0;
		if (rest_.size() < size)
			return false;
		std::memcpy(&number_, rest_.data(), size);
		rest_.remove_prefix(size);
		return true;
	}
	bool read_bytes()
	{
		uint64_t size;
		if (!read_varint(size) || size > rest_.size())
			return false;
		bytes_ = rest_.substr(0, size);
		rest_.remove_prefix(size);
		return true;
	}

	std::string_view rest_, bytes_;
	uint64_t number_ = 0;
	uint32_t field_ = 0;
	Kind kind_ = Kind::VARINT;
	bool is_broken_ = false;
};

} // namespace models::onnx
