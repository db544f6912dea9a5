// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL reducing copies
 *
 * A reducing copy is an element-wise operator that writes its result over its first source.
 */
#include <bit>

#include "acl/acl.h"
#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "umd/acl/front.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/copy/copy.h"
#include "umd/core/memory/nearest.h"
#include "umd/core/memory/released.h"
#include "umd/core/process/call.h"
#include "umd/core/process/check.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::set_error;

/* struct Element - an element type of a reduction: the device's name for it, and the type that it
 * computes in. */
struct Element {
	unpu_dtype dtype;
	unpu_dtype compute;
	uint64_t bytes;
};

static Result<Element> element_of(aclDataType type)
{
	switch (type) {
	case ACL_FLOAT:
		return Element{UNPU_DTYPE_F32, UNPU_DTYPE_F32, 4};
	case ACL_FLOAT16:
		return Element{UNPU_DTYPE_F16, UNPU_DTYPE_F32, 2};
	case ACL_BF16:
		return Element{UNPU_DTYPE_BF16, UNPU_DTYPE_F32, 2};
	case ACL_INT8:
		return Element{UNPU_DTYPE_I8, UNPU_DTYPE_I64, 1};
	case ACL_INT16:
		return Element{UNPU_DTYPE_I16, UNPU_DTYPE_I64, 2};
	case ACL_INT32:
		return Element{UNPU_DTYPE_I32, UNPU_DTYPE_I64, 4};
	default:
		return set_error(
			Status::NOT_SUPPORTED,
			fmt::format("type is {}; FLOAT, FLOAT16, BF16, INT8, INT16 and INT32 "
				    "are reduced",
				    static_cast<int>(type)));
	}
}

static Result<unpu_operator_kind> operator_of(aclrtReduceKind kind)
{
	switch (kind) {
	case ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM:
		return UNPU_OPERATOR_ADD;
	case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX:
		return UNPU_OPERATOR_MAX;
	case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN:
		return UNPU_OPERATOR_MIN;
	case ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL:
		return set_error(Status::NOT_SUPPORTED,
				 "kind is EQUAL (13); only SUM, MAX and MIN are supported");
	default:
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("kind is {}; it must be SUM (10), MAX (11) or MIN (12)",
				    static_cast<int>(kind)));
	}
}

static Status check_range(drv::Device &device, const char *name, const void *address,
			  uint64_t count, const Element &element)
{
	auto value = reinterpret_cast<uint64_t>(address);
	if (count % element.bytes != 0 || value % element.bytes != 0)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("{} {} and count ({} bytes) must be multiples of an "
					     "element, {} bytes",
					     name, fmt::ptr(address), count, element.bytes));
	if (umd::side_of(address) != umd::Side::HOST && device.memory().covers(value, count))
		return umd::check::is_on()
			       ? umd::check::check_end("aclrtReduceAsync", name, address, count)
			       : Status::OK;
	TRY(umd::ReleasedMemory::check(name, address));
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("{}: the {} bytes from {} are not inside one live allocation of "
			    "the stream's device",
			    name, count, fmt::ptr(address)));
}

static unpu_operator build(unpu_operator_kind kind, const Element &element, const void *dst,
			   const void *src, uint64_t count)
{
	const void *addresses[] = {dst, dst, src};
	unpu_operator op{};
	op.kind = kind;
	op.compute = element.compute;
	op.ndim = 1;
	op.noperands = 3;
	op.dims[0] = static_cast<int64_t>(count / element.bytes);
	/* The operator ADD multiplies its second source by a factor. It is 1 here. */
	if (kind == UNPU_OPERATOR_ADD)
		op.scalar_bits =
			element.compute == UNPU_DTYPE_F32 ? std::bit_cast<uint64_t>(1.0) : 1;
	for (unsigned i = 0; i < op.noperands; i++) {
		op.operands[i].address = reinterpret_cast<uint64_t>(addresses[i]);
		op.operands[i].dtype = element.dtype;
		op.operands[i].access = i == 0 ? UNPU_ACCESS_WRITE : UNPU_ACCESS_READ;
		op.operands[i].strides[0] = 1;
	}
	return op;
}

aclError aclrtReduceAsync(void *dst, const void *src, uint64_t count, aclrtReduceKind kind,
			  aclDataType type, aclrtStream stream, void *reserve)
{
	if (!dst || !src)
		return acl_return(null_argument(dst ? "src" : "dst"));
	if (count == 0 || reserve)
		return acl_return(set_error(
			Status::INVALID_ARGUMENT,
			fmt::format(
				"count is {}, reserve is {}; count must be positive and reserve "
				"NULL",
				count, fmt::ptr(reserve))));
	auto op_kind = TRY(operator_of(kind));
	auto element = TRY(element_of(type));
	auto found = TRY(umd::find_stream(stream, true));
	drv::Device &device = found->context->device();
	TRY(check_range(device, "dst", dst, count, element));
	TRY(check_range(device, "src", src, count, element));
	unpu_operator op = build(op_kind, element, dst, src, count);
	auto cookie = drv::cookie_call(static_cast<uint8_t>(umd::Call::REDUCE));
	return acl_return(umd::enqueue(*found, drv::operator_packet(cookie, 0), &op));
}
