/* SPDX-License-Identifier: MIT */
/*
 * DOC: Tiling data
 *
 * Classes for the structs that a host hands to a kernel: BEGIN_TILING_DATA_DEF(Name) ... END_TILING_DATA_DEF. A field
 * has get_field() and set_field(); SaveToBuffer() writes the bytes as the kernel reads them, fields aligned as in a
 * struct and the whole rounded up to 8 bytes.
 */
#ifndef UNPU_REGISTER_TILINGDATA_BASE_H
#define UNPU_REGISTER_TILINGDATA_BASE_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace optiling {

/* The bytes of the fields, in the order of their declarations. */
class TilingDef {
public:
	virtual ~TilingDef() = default;

	virtual void SaveToBuffer(void *buffer, size_t capacity)
	{
		for (const Inner &inner : inner_) {
			auto *data = reinterpret_cast<TilingDef *>(reinterpret_cast<char *>(this) +
								   inner.distance);
			data->SaveToBuffer(bytes_.data() + inner.offset, data->GetDataSize());
		}
		const size_t bytes = GetDataSize();
		if (buffer != nullptr && capacity >= bytes)
			std::memcpy(buffer, bytes_.data(), bytes);
	}

	virtual size_t GetDataSize() const { return (used_ + 7u) & ~size_t(7u); }

	const char *GetTilingClassName() const { return name_.c_str(); }

protected:
	/* Reserves space for a field and returns its offset. */
	size_t add_field(size_t bytes, size_t alignment)
	{
		const size_t offset = (used_ + alignment - 1) / alignment * alignment;
		used_ = offset + bytes;
		bytes_.resize(GetDataSize());
		return offset;
	}

	/* A member that is tiling data itself. Its distance from this object is the same in copies. */
	size_t add_struct(TilingDef *field)
	{
		const size_t offset = add_field(field->GetDataSize(), 8);
		inner_.push_back(
			{reinterpret_cast<char *>(field) - reinterpret_cast<char *>(this), offset});
		return offset;
	}

	template <typename T> T get(size_t offset) const
	{
		T value;
		std::memcpy(&value, bytes_.data() + offset, sizeof(T));
		return value;
	}

	template <typename T> void set(size_t offset, const T &value)
	{
		std::memcpy(bytes_.data() + offset, &value, sizeof(T));
	}

	struct Inner {
		ptrdiff_t distance;
		size_t offset;
	};

	std::vector<uint8_t> bytes_;
	std::vector<Inner> inner_;
	size_t used_ = 0;
	std::string name_;
};

} /* namespace optiling */

#define BEGIN_TILING_DATA_DEF(class_name) \
	class class_name : public optiling::TilingDef { \
	public: \
		class_name() { name_ = #class_name; }

#define TILING_DATA_FIELD_DEF(type, field) \
public: \
	void set_##field(type value) \
	{ \
		set<type>(field##_offset_, value); \
	} \
	type get_##field() const \
	{ \
		return get<type>(field##_offset_); \
	} \
\
private: \
	size_t field##_offset_ = add_field(sizeof(type), alignof(type));

#define TILING_DATA_FIELD_DEF_ARR(type, length, field) \
public: \
	void set_##field(const type *values) \
	{ \
		std::memcpy(bytes_.data() + field##_offset_, values, sizeof(type) * (length)); \
	} \
	type *get_##field() \
	{ \
		return reinterpret_cast<type *>(bytes_.data() + field##_offset_); \
	} \
\
private: \
	size_t field##_offset_ = add_field(sizeof(type) * (length), alignof(type));

/* A struct in a struct: its bytes are copied when the outer one is saved. */
#define TILING_DATA_FIELD_DEF_STRUCT(type, field) \
public: \
	type field; \
\
private: \
	size_t field##_offset_ = add_struct(&field);

#define END_TILING_DATA_DEF }

#define REGISTER_TILING_DATA_CLASS(op_type, class_name)

#endif /* UNPU_REGISTER_TILINGDATA_BASE_H */
