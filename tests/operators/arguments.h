// SPDX-License-Identifier: MIT
/*
 * DOC: Arguments of a case
 *
 * A case file is a row of numbers in the byte order of the machine. An argument is a tag of 4 bytes, and then:
 *
 *	NONE	nothing: NULL
 *	TENSOR	{ dtype:i32, format:i32, address:i64, offset:i64, ndim:u32, dims:i64[ndim], strides:i64[ndim] }
 *	LIST	{ count:u32, tensor[count] } without tags
 *	SCALAR	{ dtype:i32, value:8 bytes }
 *	INTEGERS	{ count:u32, i64[count] }
 *	INTEGER	{ i64 }
 *	REAL	{ double }
 *	TEXT	{ bytes:u32, bytes }
 *	REALS	{ count:u32, float[count] }
 *
 * The address of a tensor counts from the begin of the case's memory.
 */
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

/* stop() - ends the program: the case file is not as it must be, or the device is not there. */
[[noreturn]] inline void stop(const std::string &text)
{
	fprintf(stderr, "%s\n", text.c_str());
	exit(2);
}

/* class Reader - the bytes of a file, which are used up. */
class Reader {
public:
	explicit Reader(std::vector<char> bytes) : bytes_(std::move(bytes)) {}

	bool is_over() const { return at_ == bytes_.size(); }

	const char *take_bytes(size_t count)
	{
		if (count > bytes_.size() - at_)
			stop("the case file ends too early");
		at_ += count;
		return bytes_.data() + at_ - count;
	}

	template <class T> T take()
	{
		T value;
		std::memcpy(&value, take_bytes(sizeof(T)), sizeof(T));
		return value;
	}

	std::string take_text()
	{
		const auto bytes = take<uint32_t>();
		return {take_bytes(bytes), bytes};
	}

	std::vector<int64_t> take_integers(size_t count)
	{
		std::vector<int64_t> values(count);
		for (int64_t &value : values)
			value = take<int64_t>();
		return values;
	}

private:
	std::vector<char> bytes_;
	size_t at_ = 0;
};

/* struct Argument - of its members, the one that the operator's parameter has the type of is used. */
struct Argument {
	aclTensor *tensor = nullptr;
	aclTensorList *list = nullptr;
	aclScalar *scalar = nullptr;
	aclIntArray *integers = nullptr;
	aclFloatArray *reals = nullptr;
	int64_t integer = 0;
	double real = 0;
	std::string text;

	template <class P> P as()
	{
		if constexpr (std::is_floating_point_v<P>)
			return static_cast<P>(real);
		else if constexpr (!std::is_pointer_v<P>)
			return static_cast<P>(integer);
		else if constexpr (std::is_convertible_v<aclTensor *, P>)
			return tensor;
		else if constexpr (std::is_convertible_v<aclTensorList *, P>)
			return list;
		else if constexpr (std::is_convertible_v<aclScalar *, P>)
			return scalar;
		else if constexpr (std::is_convertible_v<aclIntArray *, P>)
			return integers;
		else if constexpr (std::is_convertible_v<aclFloatArray *, P>)
			return reals;
		else
			return text.data();
	}
};

/* class Arguments - owns the arguments of one case. */
class Arguments {
public:
	/* @memory: the case's device memory */
	Arguments(Reader &reader, char *memory)
	{
		all_.resize(reader.take<uint32_t>());
		for (Argument &argument : all_)
			read(reader, memory, argument);
	}
	~Arguments() { destroy(); }
	Arguments(const Arguments &) = delete;

	Argument &next()
	{
		if (used_ == all_.size())
			stop("an operator has more parameters than the case has arguments");
		return all_[used_++];
	}

	bool are_used() const { return used_ == all_.size(); }

	/* destroy() - as programs do it as soon as the second phase has returned. */
	void destroy()
	{
		for (const Argument &argument : all_) {
			aclDestroyTensor(argument.tensor);
			aclDestroyTensorList(argument.list);
			aclDestroyScalar(argument.scalar);
			aclDestroyIntArray(argument.integers);
			aclDestroyFloatArray(argument.reals);
		}
		all_.clear();
		used_ = 0;
	}

private:
	enum Tag : uint32_t { NONE, TENSOR, LIST, SCALAR, INTEGERS, INTEGER, REAL, TEXT, REALS };

	static aclTensor *read_tensor(Reader &reader, char *memory);
	static void read(Reader &reader, char *memory, Argument &argument);

	std::vector<Argument> all_;
	size_t used_ = 0;
};
