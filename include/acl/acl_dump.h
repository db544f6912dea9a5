/* SPDX-License-Identifier: MIT */
/*
 * DOC: Dumps
 *
 * Dumps write data and arguments of operators to files, or pass them to a callback of the program.
 * acl/acl_rt.h states the
 * rules for all functions.
 */
#ifndef ACL_ACL_DUMP_H
#define ACL_ACL_DUMP_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Size of a path in bytes, with its terminating zero; maximum dimensions of a shape. */
#define ACL_DUMP_MAX_FILE_PATH_LENGTH 4096
#define ACL_DUMP_MAX_SHAPE_NUM 25

/* Kind of operators whose arguments aclopStartDumpArgs() writes. */
#define ACL_OP_DUMP_OP_AICORE_ARGS 0x00000001U

/** enum acldumpType - kinds of dumps. */
typedef enum acldumpType {
	AIC_ERR_BRIEF_DUMP = 1,
	AIC_ERR_NORM_DUMP = 2,
	AIC_ERR_DETAIL_DUMP = 3,
	DATA_DUMP = 4,
	OVERFLOW_DUMP = 5,
} acldumpType;

/** enum acldumpTensorType - the role of a tensor in its operator. */
typedef enum acldumpTensorType {
	ACL_DUMP_TENSOR_INPUT = 0,
	ACL_DUMP_TENSOR_OUTPUT = 1,
	ACL_DUMP_TENSOR_WORKSPACE = 2,
} acldumpTensorType;

/** enum acldumpTensorAddressType - what the address of a tensor points to. */
typedef enum acldumpTensorAddressType {
	ACL_DUMP_ADDR_PTR = 0,
	ACL_DUMP_ADDR_PTR_PTR = 1,
	ACL_DUMP_ADDR_RAW = 2,
} acldumpTensorAddressType;

/** enum acldumpTensorPlacement - where a tensor is. */
typedef enum acldumpTensorPlacement {
	ACL_DUMP_PLACEMENT_DEVICE = 0,
	ACL_DUMP_PLACEMENT_HOST = 1,
	ACL_DUMP_PLACEMENT_END = 2,
} acldumpTensorPlacement;

/**
 * struct acldumpChunk - a piece of a dump
 * @fileName: the file that the piece belongs to
 * @bufLen: bytes at @dataBuf
 * @isLastChunk: 1 for the last piece of the file
 * @offset: offset in the file, or -1 for its end
 * @flag: 0
 * @dataBuf: the piece
 */
typedef struct acldumpChunk {
	char fileName[ACL_DUMP_MAX_FILE_PATH_LENGTH];
	uint32_t bufLen;
	uint32_t isLastChunk;
	int64_t offset;
	int32_t flag;
	__extension__ uint8_t dataBuf[0];
} acldumpChunk;

/**
 * struct acldumpTensorInfo - a tensor to be dumped
 * @type: its role in its operator
 * @tensorSize: bytes
 * @format: an aclFormat
 * @dataType: an aclDataType
 * @tensorAddr: its address
 * @addrType: what @tensorAddr points to
 * @placement: where it is
 * @argsOffset: its position among the operator's arguments
 * @shapeNum: dimensions of @shape in use
 * @originShapeNum: dimensions of @originShape in use
 * @shape: its shape in memory
 * @originShape: the shape that the program uses
 */
typedef struct acldumpTensorInfo {
	acldumpTensorType type;
	size_t tensorSize;
	int32_t format;
	int32_t dataType;
	int64_t *tensorAddr;
	acldumpTensorAddressType addrType;
	acldumpTensorPlacement placement;
	uint32_t argsOffset;
	uint32_t shapeNum;
	uint32_t originShapeNum;
	uint64_t shape[ACL_DUMP_MAX_SHAPE_NUM];
	uint64_t originShape[ACL_DUMP_MAX_SHAPE_NUM];
} acldumpTensorInfo;

/**
 * acldumpRegCallback() - registers a function of the program that gets dumped data instead of a file
 * @messageCallback: the function; it gets a chunk and the size of the chunk with its data, and returns
 * 0. The library makes one call at a time and stops the operator's stream during the call.
 * @flag: 0
 *
 * Context: any thread; waits until a running call of the previous function returns.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError
acldumpRegCallback(int32_t (*const messageCallback)(const acldumpChunk *, int32_t), int32_t flag);

/**
 * acldumpUnregCallback() - undoes acldumpRegCallback()
 *
 * Context: any thread; waits until a running call of the function returns, unless it is called from
 * inside the function.
 */
ACL_FUNC_VISIBILITY void acldumpUnregCallback(void);

/**
 * aclopStartDumpArgs() - starts to write types, shapes and attributes of operators to files
 * @dumpType: ACL_OP_DUMP_OP_AICORE_ARGS
 * @path: folder for the files, relative to the folder of the executable; created if it does not exist
 *
 * Context: any thread; may block on the folder.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_DUMP_ALREADY_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclopStartDumpArgs(uint32_t dumpType, const char *path);

/**
 * aclopStopDumpArgs() - undoes aclopStartDumpArgs()
 * @dumpType: ACL_OP_DUMP_OP_AICORE_ARGS
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_DUMP_NOT_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclopStopDumpArgs(uint32_t dumpType);

/**
 * acldumpGetPath() - the folder of a kind of dump
 * @dumpType: the kind
 *
 * Context: any thread; never blocks.
 * Return: text owned by the library until the thread's next call; NULL when this kind is off.
 */
ACL_FUNC_VISIBILITY const char *acldumpGetPath(acldumpType dumpType);

/**
 * acldumpSaveExceptionInfo() - writes tensors to files in the folder for dumps of faults
 * @fileName: how the names of the files begin; without '/'
 * @userTag: text of the program to write into the .json file; may be NULL
 * @tensors: array of @tensorCount
 * @tensorCount: elements, > 0
 *
 * Each tensor is a .npy file, and a .json file describes all of them. It is meant for callbacks of exceptions, and
 * works in any other place.
 *
 * Context: any thread; may block on the files.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_WRITE_FILE, or ACL_ERROR_DUMP_NOT_RUN when faults are not dumped.
 */
ACL_FUNC_VISIBILITY aclError acldumpSaveExceptionInfo(const char *fileName, const char *userTag,
						      const acldumpTensorInfo *tensors,
						      size_t tensorCount);

/**
 * acldumpGetExceptionInfoPath() - the folder for dumps of faults
 * @path: out, ends in a zero byte
 * @maxLen: bytes at @path
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_DUMP_NOT_RUN when faults are not dumped.
 */
ACL_FUNC_VISIBILITY aclError acldumpGetExceptionInfoPath(char *path, size_t maxLen);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_DUMP_H */
