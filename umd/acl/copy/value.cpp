// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL values in memory
 */
#include "umd/core/copy/value.h"
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/copy/copy.h"
#include "umd/core/memory/released.h"

using base::Status;
using umd::acl_return;
using umd::set_error;

static_assert(int{UNPU_VALUE_GE} == int{ACL_STREAM_WAIT_VALUE_GEQ});
static_assert(int{UNPU_VALUE_EQ} == int{ACL_STREAM_WAIT_VALUE_EQ});
static_assert(int{UNPU_VALUE_AND} == int{ACL_STREAM_WAIT_VALUE_AND});
static_assert(int{UNPU_VALUE_NOR} == int{ACL_STREAM_WAIT_VALUE_NOR});

static Status check_address(const void *devAddr)
{
	if (devAddr && umd::side_of(devAddr) != umd::Side::HOST)
		return Status::OK;
	TRY(umd::ReleasedMemory::check("devAddr", devAddr));
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("devAddr is {}; it must be device memory", fmt::ptr(devAddr)));
}

aclError aclrtValueWrite(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream)
{
	TRY(check_address(devAddr));
	if (flag != 0)
		return acl_return(set_error(Status::INVALID_ARGUMENT,
					    fmt::format("flag is {}; it must be 0", flag)));
	auto found = TRY(umd::find_stream(stream, true));
	return acl_return(umd::write_value(*found, {devAddr, sizeof(uint64_t)}, value));
}

aclError aclrtValueWait(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream)
{
	TRY(check_address(devAddr));
	if (flag > ACL_STREAM_WAIT_VALUE_NOR)
		return acl_return(
			set_error(Status::INVALID_ARGUMENT,
				  fmt::format("flag is {}; it must be an ACL_STREAM_WAIT_VALUE_*, "
					      "0 to 3",
					      flag)));
	auto found = TRY(umd::find_stream(stream, true));
	return acl_return(umd::wait_value(*found, {devAddr, sizeof(uint64_t)},
					  static_cast<unpu_value_op>(flag), value, 0));
}
