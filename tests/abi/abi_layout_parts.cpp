// SPDX-License-Identifier: MIT
/*
 * DOC: Layout of the types beside acl/acl_rt.h
 */
#include "abi_row.h"

#include <gtest/gtest.h>

#include "acl/acl_dump.h"
#include "acl/acl_prof.h"
#include "acl/acl_rt_memory_soma.h"
#include "profiling/aprof_pub.h"

namespace {

constexpr AbiRow rows[] = {
	SIZE(aclrtMemPoolProps, 56),
	ALIGN(aclrtMemPoolProps, 8),
	OFFSET(aclrtMemPoolProps, allocType, 0),
	OFFSET(aclrtMemPoolProps, handleType, 4),
	OFFSET(aclrtMemPoolProps, location, 8),
	OFFSET(aclrtMemPoolProps, maxSize, 16),
	OFFSET(aclrtMemPoolProps, reserved, 24),
	SIZE(aclprofTensor, 48),
	ALIGN(aclprofTensor, 4),
	OFFSET(aclprofTensor, type, 0),
	OFFSET(aclprofTensor, format, 4),
	OFFSET(aclprofTensor, dataType, 8),
	OFFSET(aclprofTensor, shapeDim, 12),
	OFFSET(aclprofTensor, shape, 16),
	SIZE(aclprofTensorInfo, 48),
	ALIGN(aclprofTensorInfo, 8),
	OFFSET(aclprofTensorInfo, opNameId, 0),
	OFFSET(aclprofTensorInfo, opTypeId, 8),
	OFFSET(aclprofTensorInfo, resv, 16),
	OFFSET(aclprofTensorInfo, tensorNum, 20),
	OFFSET(aclprofTensorInfo, kernelType, 24),
	OFFSET(aclprofTensorInfo, blockNums, 28),
	OFFSET(aclprofTensorInfo, stream, 32),
	OFFSET(aclprofTensorInfo, tensors, 40),
	SIZE(aclprofEventAttributes, 16),
	ALIGN(aclprofEventAttributes, 8),
	OFFSET(aclprofEventAttributes, version, 0),
	OFFSET(aclprofEventAttributes, size, 2),
	OFFSET(aclprofEventAttributes, messageType, 4),
	OFFSET(aclprofEventAttributes, message, 8),
	SIZE(MsprofApi, 40),
	ALIGN(MsprofApi, 8),
	OFFSET(MsprofApi, level, 2),
	OFFSET(MsprofApi, type, 4),
	OFFSET(MsprofApi, threadId, 8),
	OFFSET(MsprofApi, beginTime, 16),
	OFFSET(MsprofApi, endTime, 24),
	OFFSET(MsprofApi, itemId, 32),
	SIZE(acldumpChunk, 4120),
	ALIGN(acldumpChunk, 8),
	OFFSET(acldumpChunk, fileName, 0),
	OFFSET(acldumpChunk, bufLen, 4096),
	OFFSET(acldumpChunk, isLastChunk, 4100),
	OFFSET(acldumpChunk, offset, 4104),
	OFFSET(acldumpChunk, flag, 4112),
	OFFSET(acldumpChunk, dataBuf, 4116),
	SIZE(acldumpTensorInfo, 456),
	ALIGN(acldumpTensorInfo, 8),
	OFFSET(acldumpTensorInfo, type, 0),
	OFFSET(acldumpTensorInfo, tensorSize, 8),
	OFFSET(acldumpTensorInfo, format, 16),
	OFFSET(acldumpTensorInfo, dataType, 20),
	OFFSET(acldumpTensorInfo, tensorAddr, 24),
	OFFSET(acldumpTensorInfo, addrType, 32),
	OFFSET(acldumpTensorInfo, placement, 36),
	OFFSET(acldumpTensorInfo, argsOffset, 40),
	OFFSET(acldumpTensorInfo, shapeNum, 44),
	OFFSET(acldumpTensorInfo, originShapeNum, 48),
	OFFSET(acldumpTensorInfo, shape, 56),
	OFFSET(acldumpTensorInfo, originShape, 256),
};

TEST(AbiLayoutParts, Rows)
{
	expect_rows(rows);
}

} // namespace
