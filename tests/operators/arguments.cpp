// SPDX-License-Identifier: MIT
/*
 * DOC: Arguments of a case, read
 *
 * Makes the objects of the interface that a case describes.
 */
#include "arguments.h"

/* find_address() - device addresses are numbers here: a view may begin far outside of its memory. */
static void *find_address(const char *memory, int64_t offset)
{
	const uintptr_t address =
		reinterpret_cast<uintptr_t>(memory) + static_cast<uint64_t>(offset);
	void *pointer;
	std::memcpy(&pointer, &address, sizeof(pointer));
	return pointer;
}

aclTensor *Arguments::read_tensor(Reader &reader, char *memory)
{
	const auto dtype = static_cast<aclDataType>(reader.take<int32_t>());
	const auto format = static_cast<aclFormat>(reader.take<int32_t>());
	const auto address = reader.take<int64_t>();
	const auto offset = reader.take<int64_t>();
	const auto ndim = reader.take<uint32_t>();
	const std::vector<int64_t> dims = reader.take_integers(ndim);
	const std::vector<int64_t> strides = reader.take_integers(ndim);
	const int64_t storage = 1;
	aclTensor *tensor = aclCreateTensor(dims.data(), ndim, dtype, strides.data(), offset,
					    format, &storage, 1, find_address(memory, address));
	if (!tensor)
		stop(std::string("a tensor can't be made: ") + aclGetRecentErrMsg());
	return tensor;
}

void Arguments::read(Reader &reader, char *memory, Argument &argument)
{
	switch (reader.take<uint32_t>()) {
	case NONE:
		break;
	case TENSOR:
		argument.tensor = read_tensor(reader, memory);
		break;
	case LIST: {
		std::vector<const aclTensor *> members(reader.take<uint32_t>());
		for (const aclTensor *&member : members)
			member = read_tensor(reader, memory);
		argument.list = aclCreateTensorList(members.data(), members.size());
		break;
	}
	case SCALAR: {
		const auto dtype = static_cast<aclDataType>(reader.take<int32_t>());
		auto bits = reader.take<uint64_t>();
		argument.scalar = aclCreateScalar(&bits, dtype);
		break;
	}
	case INTEGERS: {
		const auto count = reader.take<uint32_t>();
		const std::vector<int64_t> values = reader.take_integers(count);
		argument.integers = aclCreateIntArray(values.data(), count);
		break;
	}
	case INTEGER:
		argument.integer = reader.take<int64_t>();
		break;
	case REAL:
		argument.real = reader.take<double>();
		break;
	case TEXT:
		argument.text = reader.take_text();
		break;
	case REALS: {
		const auto count = reader.take<uint32_t>();
		std::vector<float> values(count);
		for (float &value : values)
			value = reader.take<float>();
		argument.reals = aclCreateFloatArray(values.data(), count);
		break;
	}
	default:
		stop("an argument has a tag that is none");
	}
}
