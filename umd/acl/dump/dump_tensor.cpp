// SPDX-License-Identifier: MIT
/**
 * DOC: Tensors of dumps
 *
 * The host reads a tensor through its own mapping, piece by piece, while the stream waits. A range that is no
 * longer memory of an open device is refused.
 */
#include "dump_tensor.h"

#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dump_file.h"
#include "uapi/tensor.h"
#include "umd/core/memory/host_view.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Status;

static size_t bytes_of(uint32_t dtype)
{
	switch (dtype) {
#define DUMP_TYPE_BYTES(name, number, bytes) \
	case number: \
		return bytes;
		UNPU_DTYPE_LIST(DUMP_TYPE_BYTES)
#undef DUMP_TYPE_BYTES
	case UNPU_DTYPE_F64:
		return sizeof(double);
	default:
		return 1;
	}
}

TensorReader::TensorReader(const DumpTensor &tensor)
	: tensor_(tensor), element_bytes_(bytes_of(tensor.dtype)), outer_(tensor.dims.size())
{
	auto bytes = static_cast<int64_t>(element_bytes_);
	for (size_t d = 0; d < tensor.dims.size(); d++) {
		count_ *= static_cast<uint64_t>(tensor.dims[d]);
		int64_t reach =
			tensor.dims[d] > 1 ? tensor.strides[d] * (tensor.dims[d] - 1) * bytes : 0;
		(reach < 0 ? low_ : high_) += reach;
	}
	while (outer_ > 0 && (tensor.dims[outer_ - 1] == 1 ||
			      tensor.strides[outer_ - 1] == static_cast<int64_t>(run_)))
		run_ *= static_cast<uint64_t>(tensor.dims[--outer_]);
}

/* The offset, in bytes, of an element that begins a run. */
int64_t TensorReader::offset_of(uint64_t element) const
{
	uint64_t row = element / run_;
	int64_t offset = 0;
	for (size_t d = outer_; d-- > 0;) {
		auto size = static_cast<uint64_t>(tensor_.dims[d]);
		offset += static_cast<int64_t>(row % size) * (size > 1 ? tensor_.strides[d] : 0);
		row /= size;
	}
	return offset * static_cast<int64_t>(element_bytes_);
}

Status TensorReader::read(std::byte *to, size_t bytes)
{
	uint64_t start = tensor_.address + static_cast<uint64_t>(low_);
	auto reach = static_cast<uint64_t>(high_ - low_) + element_bytes_;
	HostView from;
	TRY(view_range("tensor", reinterpret_cast<const void *>(start), reach, UNPU_ACCESS_READ,
		       from));
	/* The address may be in a device that was closed, so it must not be read as the program's own
	 * memory. */
	if (!from.device)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("tensor: {:#x} is not memory of a device that is open", start));
	HostView target;
	target.view = to;
	target.address = std::bit_cast<uint64_t>(to);
	for (size_t done = 0; done < bytes;) {
		uint64_t in_run = position_ % run_;
		size_t part = std::min<size_t>(bytes - done, (run_ - in_run) * element_bytes_);
		int64_t offset =
			offset_of(position_) - low_ + static_cast<int64_t>(in_run * element_bytes_);
		TRY(move_bytes(target, done, from, static_cast<uint64_t>(offset), part));
		position_ += part / element_bytes_;
		done += part;
	}
	return Status::OK;
}

static double half_value(uint16_t bits)
{
	const double sign = bits & 0x8000 ? -1.0 : 1.0;
	const int exponent = bits >> 10 & 0x1f;
	const int fraction = bits & 0x3ff;
	if (exponent == 0x1f)
		return fraction ? std::nan("") : sign * INFINITY;
	if (exponent == 0)
		return sign * std::ldexp(fraction, -24);
	return sign * std::ldexp(fraction + 1024, exponent - 25);
}

template <class T> static T load(const std::byte *from)
{
	T value;
	std::memcpy(&value, from, sizeof(value));
	return value;
}

static double value_of(uint32_t dtype, const std::byte *from)
{
	switch (dtype) {
	case UNPU_DTYPE_F32:
		return static_cast<double>(load<float>(from));
	case UNPU_DTYPE_F16:
		return half_value(load<uint16_t>(from));
	case UNPU_DTYPE_F64:
		return load<double>(from);
	case UNPU_DTYPE_BF16:
		return static_cast<double>(
			std::bit_cast<float>(uint32_t{load<uint16_t>(from)} << 16));
	case UNPU_DTYPE_I8:
		return load<int8_t>(from);
	case UNPU_DTYPE_I16:
		return load<int16_t>(from);
	case UNPU_DTYPE_I32:
		return load<int32_t>(from);
	case UNPU_DTYPE_I64:
		return static_cast<double>(load<int64_t>(from));
	default:
		return load<uint8_t>(from);
	}
}

void TensorStatistics::add(const std::byte *elements, size_t bytes, size_t element_bytes)
{
	bytes_ += bytes;
	for (size_t at = 0; at < bytes; at += element_bytes) {
		const double value = value_of(tensor_.dtype, elements + at);
		count_++;
		nans_ += std::isnan(value);
		lowest_infinities_ += std::isinf(value) && value < 0;
		highest_infinities_ += std::isinf(value) && value > 0;
		if (!std::isfinite(value))
			continue;
		least_ = finite_ == 0 ? value : std::min(least_, value);
		most_ = finite_ == 0 ? value : std::max(most_, value);
		sum_ += value;
		squares_ += value * value;
		finite_++;
	}
}

const char *TensorStatistics::head()
{
	return "Input/Output,Index,Data Size,Data Type,Format,Shape,Count,Max,Min,Avg,L2norm,Nan,"
	       "Negative Inf,Positive Inf\n";
}

std::string TensorStatistics::line() const
{
	std::string numbers = "nan,nan,nan,nan";
	if (finite_ > 0)
		numbers = fmt::format("{:.9g},{:.9g},{:.9g},{:.9g}", most_, least_,
				      sum_ / static_cast<double>(finite_), std::sqrt(squares_));
	return fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", role_name(tensor_.role),
			   tensor_.index, bytes_, tensor_.type_number, tensor_.format,
			   fmt::join(tensor_.dims, "x"), count_, numbers, nans_, lowest_infinities_,
			   highest_infinities_);
}

} // namespace umd
