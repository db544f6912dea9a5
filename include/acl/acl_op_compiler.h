/* SPDX-License-Identifier: MIT */
/*
 * DOC: The compiler of single operators
 *
 * An operator is compiled for the shapes of its call. Options are stored and given back, as frameworks set them when
 * they start; none of them changes what an operator computes.
 */
#ifndef ACL_ACL_OP_COMPILER_H
#define ACL_ACL_OP_COMPILER_H

#include "acl/acl_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum aclCompileType - where an operator's definition comes from. */
typedef enum aclCompileType {
	ACL_COMPILE_SYS = 0,
	ACL_COMPILE_UNREGISTERED = 1,
} aclopCompileType;

/** enum aclCompileOpt - the options of the compiler. */
typedef enum aclCompileOpt {
	ACL_PRECISION_MODE = 0,
	ACL_AICORE_NUM = 1,
	ACL_AUTO_TUNE_MODE = 2,
	ACL_OP_SELECT_IMPL_MODE = 3,
	ACL_OPTYPELIST_FOR_IMPLMODE = 4,
	ACL_OP_DEBUG_LEVEL = 5,
	ACL_DEBUG_DIR = 6,
	ACL_OP_COMPILER_CACHE_MODE = 7,
	ACL_OP_COMPILER_CACHE_DIR = 8,
	ACL_OP_PERFORMANCE_MODE = 9,
	ACL_OP_JIT_COMPILE = 10,
	ACL_OP_DETERMINISTIC = 11,
	ACL_CUSTOMIZE_DTYPES = 12,
	ACL_OP_PRECISION_MODE = 13,
	ACL_ALLOW_HF32 = 14,
	ACL_PRECISION_MODE_V2 = 15,
	ACL_OP_DEBUG_OPTION = 16,
} aclCompileOpt;

/** enum aclOpCompileFlag - for which shapes an operator is compiled. */
typedef enum aclOpCompileFlag {
	ACL_OP_COMPILE_DEFAULT = 0,
	ACL_OP_COMPILE_FUZZ = 1,
} aclOpCompileFlag;

/** typedef aclGraphDumpOption - how the graph of an operator is written. */
typedef struct aclGraphDumpOption aclGraphDumpOption;

/**
 * aclSetCompileopt() - stores an option of the compiler, for the whole process
 * @opt: the option
 * @value: its value, copied
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclSetCompileopt(aclCompileOpt opt, const char *value);

/**
 * aclGetCompileoptSize() - how long the value of an option is
 * @opt: the option
 *
 * Context: any thread; never blocks.
 * Return: bytes, with the zero at the end; 0 for an invalid option.
 */
ACL_FUNC_VISIBILITY size_t aclGetCompileoptSize(aclCompileOpt opt);

/**
 * aclGetCompileopt() - gives the value of an option
 * @opt: the option
 * @value: out, the value; an option that was never set is empty, and ACL_OP_JIT_COMPILE is "disable"
 * @length: room in @value, at least aclGetCompileoptSize()
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL or another @opt, or ACL_ERROR_RT_PARAM_INVALID for too little room.
 */
ACL_FUNC_VISIBILITY aclError aclGetCompileopt(aclCompileOpt opt, char *value, size_t length);

/**
 * aclopSetCompileFlag() - sets for which shapes operators are compiled
 * @flag: for those that are given, or for any
 *
 * Context: any thread; never blocks. It has no effect: operators are compiled for the shapes of their calls.
 * Return: 0, ACL_ERROR_INVALID_PARAM for another @flag.
 */
ACL_FUNC_VISIBILITY aclError aclopSetCompileFlag(aclOpCompileFlag flag);

/**
 * aclopCompile() - compiles an operator
 * @opType: the name of the operator
 * @numInputs: operands that it reads
 * @inputDesc: their descriptions
 * @numOutputs: operands that it writes
 * @outputDesc: their descriptions
 * @attr: the attributes
 * @engineType: the unit
 * @compileFlag: ACL_COMPILE_SYS
 * @opPath: is not read
 *
 * Context: any thread; never blocks.
 * Return: as aclopExecute(); ACL_ERROR_RT_FEATURE_NOT_SUPPORT for an operator of a definition.
 */
ACL_FUNC_VISIBILITY aclError aclopCompile(const char *opType, int numInputs,
					  const aclTensorDesc *const inputDesc[], int numOutputs,
					  const aclTensorDesc *const outputDesc[],
					  const aclopAttr *attr, aclopEngineType engineType,
					  aclopCompileType compileFlag, const char *opPath);

/**
 * aclopCompileAndExecute() - compiles an operator and runs it
 * @opType: the name of the operator
 * @numInputs: operands that it reads
 * @inputDesc: their descriptions
 * @inputs: their memory
 * @numOutputs: operands that it writes
 * @outputDesc: their descriptions
 * @outputs: their memory
 * @attr: the attributes
 * @engineType: the unit
 * @compileFlag: ACL_COMPILE_SYS
 * @opPath: is not read
 * @stream: the stream
 *
 * Context: the function returns when the run is queued; elements of inputs in host memory are read before.
 * Return: as aclopCompile().
 */
ACL_FUNC_VISIBILITY aclError
aclopCompileAndExecute(const char *opType, int numInputs, const aclTensorDesc *const inputDesc[],
		       const aclDataBuffer *const inputs[], int numOutputs,
		       const aclTensorDesc *const outputDesc[], aclDataBuffer *const outputs[],
		       const aclopAttr *attr, aclopEngineType engineType,
		       aclopCompileType compileFlag, const char *opPath, aclrtStream stream);

/**
 * aclopCompileAndExecuteV2() - the same; dims of -1 in descriptions of outputs receive what they are
 * @opType: the name of the operator
 * @numInputs: operands that it reads
 * @inputDesc: their descriptions
 * @inputs: their memory
 * @numOutputs: operands that it writes
 * @outputDesc: their descriptions
 * @outputs: their memory
 * @attr: the attributes
 * @engineType: the unit
 * @compileFlag: ACL_COMPILE_SYS
 * @opPath: is not read
 * @stream: the stream
 *
 * Context: the function returns when the run is queued; elements of inputs in host memory are read before.
 * Return: as aclopCompile().
 */
ACL_FUNC_VISIBILITY aclError
aclopCompileAndExecuteV2(const char *opType, int numInputs, aclTensorDesc *inputDesc[],
			 aclDataBuffer *inputs[], int numOutputs, aclTensorDesc *outputDesc[],
			 aclDataBuffer *outputs[], aclopAttr *attr, aclopEngineType engineType,
			 aclopCompileType compileFlag, const char *opPath, aclrtStream stream);

/**
 * aclGenGraphAndDumpForOp() - writes the graph that an operator is compiled to
 * @opType: the name of the operator
 * @numInputs: operands that it reads
 * @inputDesc: their descriptions
 * @inputs: their memory
 * @numOutputs: operands that it writes
 * @outputDesc: their descriptions
 * @outputs: their memory
 * @attr: the attributes
 * @engineType: the unit
 * @graphDumpPath: the file
 * @graphDumpOpt: how it is written
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError
aclGenGraphAndDumpForOp(const char *opType, int numInputs, const aclTensorDesc *const inputDesc[],
			const aclDataBuffer *const inputs[], int numOutputs,
			const aclTensorDesc *const outputDesc[], aclDataBuffer *const outputs[],
			const aclopAttr *attr, aclopEngineType engineType,
			const char *graphDumpPath, const aclGraphDumpOption *graphDumpOpt);

/**
 * aclCreateGraphDumpOpt() - creates options of aclGenGraphAndDumpForOp()
 *
 * Context: any thread; never blocks.
 * Return: NULL; it is not supported.
 */
ACL_FUNC_VISIBILITY aclGraphDumpOption *aclCreateGraphDumpOpt(void);

/**
 * aclDestroyGraphDumpOpt() - destroys them
 * @graphDumpOpt: the options
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclDestroyGraphDumpOpt(const aclGraphDumpOption *graphDumpOpt);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_OP_COMPILER_H */
