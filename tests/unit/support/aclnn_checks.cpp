// SPDX-License-Identifier: MIT
/*
 * DOC: Checks of aclnn_test
 *
 * The test has no memory of a device and no streams, so strict mode has nothing to look at.
 */
#include "umd/core/context/find_stream.h"
#include "umd/core/memory/nearest.h"
#include "umd/core/process/owned.h"

namespace umd {

Held<Stream>::Parts find_stream_parts(const void *, bool)
{
	return {};
}

namespace check {

base::Status check_end(const char *, const char *, const void *, uint64_t)
{
	return base::Status::OK;
}

base::Status check_use(const char *, const char *, uint64_t, uint64_t, int32_t)
{
	return base::Status::OK;
}

void OwnedObjects::count(const char *, Count) {}

} // namespace check
} // namespace umd
