// SPDX-License-Identifier: MIT
/*
 * DOC: Building programs
 *
 * The rules of umd/aclnn make the descriptors, as for a program that calls the operators itself. The tensors get
 * addresses that identify their buffers.
 */
#include "builder.h"

#include <bit>

#include "umd/aclnn/rules/plan.h"

namespace models {

namespace {

/* The address of a buffer while descriptors are made. A buffer has at most 2^36 bytes. */
constexpr unsigned BUFFER_SHIFT = 37;
constexpr uint64_t MOST_BUFFERS = 1 << 24;

uint64_t base_of(uint32_t buffer)
{
	return (uint64_t{buffer} + 1) << BUFFER_SHIFT;
}

aclTensor make_tensor(const Tensor &from)
{
	aclTensor tensor{};
	tensor.ndim = from.dims().rank();
	tensor.storage_ndim = 0;
	tensor.dtype = ir::row_of(from.type).device;
	tensor.format = ACL_FORMAT_ND;
	tensor.offset = from.view.offset;
	tensor.data = std::bit_cast<void *>(base_of(from.buffer));
	std::copy(from.view.dims.begin(), from.view.dims.end(), tensor.dims);
	std::copy(from.view.strides.begin(), from.view.strides.end(), tensor.strides);
	return tensor;
}

/* struct Objects - the objects behind the arguments of one call. */
struct Objects {
	std::deque<aclTensor> tensors;
	std::deque<aclTensorList> lists;
	std::deque<aclScalar> scalars;
	std::deque<aclIntArray> arrays;

	umd::Argument add(const Operand &operand);
	const aclTensor *add(const Tensor &tensor)
	{
		tensors.push_back(make_tensor(tensor));
		return &tensors.back();
	}
};

umd::Argument Objects::add(const Operand &operand)
{
	if (const auto *tensor = std::get_if<Tensor>(&operand))
		return add(*tensor);
	if (const auto *integer = std::get_if<int64_t>(&operand))
		return *integer;
	if (const auto *real = std::get_if<double>(&operand))
		return *real;
	if (const auto *members = std::get_if<std::vector<Tensor>>(&operand)) {
		aclTensorList &list = lists.emplace_back();
		list.size = members->size();
		list.values = std::make_unique<const aclTensor *[]>(list.size);
		for (size_t k = 0; k < list.size; k++)
			list.values[k] = add((*members)[k]);
		return &list;
	}
	if (const auto *integers = std::get_if<Integers>(&operand)) {
		aclIntArray &array = arrays.emplace_back();
		array.size = integers->size();
		array.values = std::make_unique<int64_t[]>(array.size);
		std::copy(integers->begin(), integers->end(), array.values.get());
		return &array;
	}
	if (const auto *from = std::get_if<Scalar>(&operand)) {
		aclScalar &scalar = scalars.emplace_back();
		scalar.dtype = from->is_real ? ACL_DOUBLE : ACL_INT64;
		scalar.is_floating = from->is_real;
		scalar.real = from->is_real ? from->real : static_cast<double>(from->integer);
		/* A real that is outside of the range of int64_t gets the integer 0. */
		const bool fits = from->real > -0x1p63 && from->real < 0x1p63;
		scalar.integer = !from->is_real ? from->integer
				 : fits		? static_cast<int64_t>(from->real)
						: 0;
		return &scalar;
	}
	return static_cast<const aclTensor *>(nullptr);
}

const aclTensor &same(const aclTensor *object)
{
	return *object;
}

} // namespace

uint32_t Builder::add_buffer(Space space, uint32_t index, uint64_t bytes)
{
	program_.buffers.push_back({space, index, bytes, 0});
	return static_cast<uint32_t>(program_.buffers.size() - 1);
}

uint32_t Builder::add_own(std::string_view bytes)
{
	constexpr size_t ALIGNMENT = 64;
	if (const auto at = own_.find(bytes); at != own_.end())
		return at->second;
	const uint32_t buffer = add_buffer(Space::OWN, 0, bytes.size());
	program_.own.resize((program_.own.size() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
	program_.buffers[buffer].offset = program_.own.size();
	program_.own.append(bytes);
	own_.emplace(bytes, buffer);
	return buffer;
}

Tensor Builder::add_tensor(ir::Type type, const ir::Dims &dims, Space space, uint32_t index)
{
	const std::optional<int64_t> count = ir::count(dims);
	ir::Dims sizes = dims;
	for (size_t d = 0; !count && d < sizes.rank(); d++)
		sizes[d] = 0;
	is_too_large_ = is_too_large_ || !count;
	const int64_t bytes = count.value_or(0) * ir::type_bytes(type);
	return {add_buffer(space, index, static_cast<uint64_t>(bytes)), type, View::dense(sizes)};
}

Tensor Builder::add_image(ir::Type type, const ir::Dims &dims)
{
	Tensor made = add_tensor(type, {dims[0], dims[2], dims[3], dims[1]});
	const ir::Dims strides = made.view.strides;
	made.view = {dims, {strides[0], strides[3], strides[1], strides[2]}, 0};
	return made;
}

bool Builder::launch(const umd::OperatorRow &row, std::span<const Operand> operands, uint32_t node,
		     std::string &why)
{
	if (is_too_large_) {
		why = "an intermediate result has more than 2^36 elements";
		return false;
	}
	Objects objects;
	std::vector<umd::Argument> arguments;
	for (const Operand &operand : operands)
		arguments.push_back(objects.add(operand));
	umd::Descriptor made;
	umd::Plan plan(row, arguments.data(), same, made);
	if (program_.buffers.size() > MOST_BUFFERS) {
		why = "the model needs more than 2^24 buffers";
		return false;
	}
	if (plan.run() != OK) {
		why = plan.sentence();
		return false;
	}
	if (made.is_empty)
		return true;
	Launch &launch = program_.launches.emplace_back();
	launch.node = node;
	launch.kind = row.kind;
	for (size_t k = 0; k < made.addresses.size(); k++) {
		uint64_t &word = made.words[made.addresses[k].word];
		if (word >> BUFFER_SHIFT == 0) /* a tensor without elements has no address */
			continue;
		const bool is_written = (plan.operands()[k].access & UNPU_ACCESS_WRITE) != 0;
		launch.addresses.push_back(
			{made.addresses[k].word, static_cast<uint32_t>((word >> BUFFER_SHIFT) - 1),
			 word & ((uint64_t{1} << BUFFER_SHIFT) - 1), is_written});
		word = 0;
	}
	launch.words = std::move(made.words);
	return true;
}

} // namespace models
