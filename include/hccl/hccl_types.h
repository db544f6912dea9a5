/* SPDX-License-Identifier: MIT */
/*
 * DOC: Types of collective communication
 *
 * The numbers and layouts that programs and hccl/hccl.h share.
 */
#ifndef HCCL_TYPES_H
#define HCCL_TYPES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** typedef HcclComm - a communicator: one rank's membership in a group of ranks; opaque. */
typedef void *HcclComm;

/** enum HcclResult - what each function returns. */
typedef enum {
	HCCL_SUCCESS = 0,
	HCCL_E_PARA = 1,	/* an argument is wrong, or ranks called different operations */
	HCCL_E_PTR = 2,		/* a required pointer is NULL */
	HCCL_E_MEMORY = 3,	/* memory is wrong, or there is none */
	HCCL_E_INTERNAL = 4,	/* the library is at fault, or the communicator was destroyed */
	HCCL_E_NOT_SUPPORT = 5, /* not supported here */
	HCCL_E_NOT_FOUND = 6,	/* nothing has that name */
	HCCL_E_UNAVAIL = 7,	/* a resource is in use, or used up */
	HCCL_E_SYSCALL = 8,	/* a system call failed */
	HCCL_E_TIMEOUT = 9,	/* a rank did not come in time */
	HCCL_E_OPEN_FILE_FAILURE = 10,
	HCCL_E_TCP_CONNECT = 11, /* no connection to the root rank */
	HCCL_E_ROCE_CONNECT = 12,
	HCCL_E_TCP_TRANSFER = 13, /* the connection to the root rank ended */
	HCCL_E_ROCE_TRANSFER = 14,
	HCCL_E_RUNTIME = 15, /* a call of the runtime failed */
	HCCL_E_DRV = 16,
	HCCL_E_PROFILING = 17,
	HCCL_E_CCE = 18,
	HCCL_E_NETWORK = 19,
	HCCL_E_AGAIN = 20,	/* busy: call again later */
	HCCL_E_REMOTE = 21,	/* another rank has ended */
	HCCL_E_SUSPENDING = 22, /* the communicator is suspended */
	HCCL_E_OPRETRY_FAIL = 23,
	HCCL_E_OOM = 24, /* no device memory is left */
	HCCL_E_IN_STATUS = 1041,
	HCCL_E_RESERVED = 1042,
} HcclResult;

/** enum HcclReduceOp - how a reduction combines two elements. */
typedef enum {
	HCCL_REDUCE_SUM = 0,
	HCCL_REDUCE_PROD = 1,
	HCCL_REDUCE_MAX = 2,
	HCCL_REDUCE_MIN = 3,
	HCCL_REDUCE_RESERVED = 4,
} HcclReduceOp;

/** enum HcclDataType - the type of an element. */
typedef enum {
	HCCL_DATA_TYPE_INT8 = 0,
	HCCL_DATA_TYPE_INT16 = 1,
	HCCL_DATA_TYPE_INT32 = 2,
	HCCL_DATA_TYPE_FP16 = 3,
	HCCL_DATA_TYPE_FP32 = 4,
	HCCL_DATA_TYPE_INT64 = 5,
	HCCL_DATA_TYPE_UINT64 = 6,
	HCCL_DATA_TYPE_UINT8 = 7,
	HCCL_DATA_TYPE_UINT16 = 8,
	HCCL_DATA_TYPE_UINT32 = 9,
	HCCL_DATA_TYPE_FP64 = 10,
	HCCL_DATA_TYPE_BFP16 = 11,
	HCCL_DATA_TYPE_INT128 = 12, /* not supported */
	HCCL_DATA_TYPE_HIF8 = 14,
	HCCL_DATA_TYPE_FP8E4M3 = 15,
	HCCL_DATA_TYPE_FP8E5M2 = 16,
	HCCL_DATA_TYPE_FP8E8M0 = 17,
	HCCL_DATA_TYPE_RESERVED = 255,
} HcclDataType;

/** enum HcclSendRecvType - the direction of one item of HcclBatchSendRecv(). */
typedef enum {
	HCCL_SEND = 0,
	HCCL_RECV = 1,
	HCCL_SEND_RECV_RESERVED = 2,
} HcclSendRecvType;

/**
 * struct HcclSendRecvItem - one message of HcclBatchSendRecv()
 * @sendRecvType: its direction
 * @buf: device memory, read by a send and written by a receive
 * @count: elements
 * @dataType: their type
 * @remoteRank: the other rank
 */
typedef struct HcclSendRecvItemDef {
	HcclSendRecvType sendRecvType;
	void *buf;
	uint64_t count;
	HcclDataType dataType;
	uint32_t remoteRank;
} HcclSendRecvItem;

/** HCCL_ROOT_INFO_BYTES - size of HcclRootInfo. */
#define HCCL_ROOT_INFO_BYTES 4108

/**
 * struct HcclRootInfo - how the ranks of a communicator find each other
 * @internal: bytes of HcclGetRootInfo(), which the program carries to each rank
 */
typedef struct HcclRootInfoDef {
	char internal[HCCL_ROOT_INFO_BYTES];
} HcclRootInfo;

/** enum HcclConfig - a setting of the process. */
typedef enum {
	HCCL_DETERMINISTIC =
		0, /* 0: off, 1: fixed order, 2: strict; results are always strict here */
	HCCL_CONFIG_RESERVED = 1,
} HcclConfig;

/** union HcclConfigValue - its value. */
typedef union {
	int32_t value;
} HcclConfigValue;

/** enum HcclCommConfigCapability - fields of HcclCommConfig, in the order in which versions gained them. */
typedef enum {
	HCCL_COMM_CONFIG_BUFFER_SIZE = 0,
	HCCL_COMM_CONFIG_DETERMINISTIC = 1,
	HCCL_COMM_CONFIG_COMM_NAME = 2,
	HCCL_COMM_CONFIG_OP_EXPANSION_MODE = 3,
	HCCL_COMM_CONFIG_SUPPORT_INIT_BY_ENV = 4,
	HCCL_COMM_CONFIG_WORLD_RANKID = 5,
	HCCL_COMM_CONFIG_JOBID = 6,
	HCCL_COMM_CONFIG_ACLGRAPH_ZEROCOPY_ENABLE = 7,
	HCCL_COMM_CONFIG_EXEC_TIMEOUT = 8,
	HCCL_COMM_CONFIG_ALGO = 9,
	HCCL_COMM_CONFIG_RETRY = 10,
	HCCL_COMM_CONFIG_BUFFER_NAME = 11,
	HCCL_COMM_CONFIG_RESERVED,
} HcclCommConfigCapability;

#define HCCL_COMM_CONFIG_INFO_BYTES 24
#define HCCL_COMM_CONFIG_MAGIC_WORD 0xf0f0f0f0
#define HCCL_COMM_CONFIG_VERSION 6
#define HCCL_COMM_CONFIG_NOT_SET 0xffffffff
#define HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET HCCL_COMM_CONFIG_NOT_SET
#define HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET HCCL_COMM_CONFIG_NOT_SET
#define HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET (-1)
/** COMM_NAME_MAX_LENGTH, UDI_MAX_LENGTH - bytes of these texts with their 0. */
#define COMM_NAME_MAX_LENGTH 128
#define UDI_MAX_LENGTH 128
#define HCCL_COMM_DEFAULT_BUFFSIZE 200
#define HCCL_COMM_DEFAULT_DETERMINISTIC 0

/**
 * struct HcclCommConfig - settings of a communicator; HcclCommConfigInit() fills in the defaults
 * @reserved: size, magic and version; they tell the library which fields the program knows
 * @hcclBufferSize: most device memory of a rank for messages of others, in MB
 * @hcclDeterministic: accepted; results are always deterministic
 * @hcclCommName: name of the communicator; "": the library makes one
 * @hcclUdi: the program's own text; ignored
 * @hcclOpExpansionMode: ignored
 * @hcclRdmaTrafficClass: ignored
 * @hcclRdmaServiceLevel: ignored
 * @hcclWorldRankID: ignored
 * @hcclJobID: ignored
 * @aclGraphZeroCopyEnable: ignored
 * @reserved1: zero
 * @hcclExecTimeOut: how long an operation waits for other ranks, in seconds; 0: for ever, -1: as the
 *	environment says
 */
typedef struct HcclCommConfigDef {
	char reserved[HCCL_COMM_CONFIG_INFO_BYTES];
	uint32_t hcclBufferSize;
	uint32_t hcclDeterministic;
	char hcclCommName[COMM_NAME_MAX_LENGTH];
	char hcclUdi[UDI_MAX_LENGTH];
	uint32_t hcclOpExpansionMode;
	uint32_t hcclRdmaTrafficClass;
	uint32_t hcclRdmaServiceLevel;
	uint32_t hcclWorldRankID;
	uint64_t hcclJobID;
	uint8_t aclGraphZeroCopyEnable;
	uint8_t reserved1[3];
	int32_t hcclExecTimeOut;
} HcclCommConfig;

/** HcclCommConfigInit() - writes the defaults. */
static inline void HcclCommConfigInit(HcclCommConfig *config)
{
	const struct {
		size_t size;
		uint32_t magic;
		uint32_t version;
		uint64_t reserved;
	} head = {sizeof(HcclCommConfig), HCCL_COMM_CONFIG_MAGIC_WORD, HCCL_COMM_CONFIG_VERSION, 0};

	memset(config, 0, sizeof(*config));
	memcpy(config->reserved, &head, sizeof(head));
	config->hcclBufferSize = HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET;
	config->hcclDeterministic = HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET;
	config->hcclRdmaTrafficClass = HCCL_COMM_CONFIG_NOT_SET;
	config->hcclRdmaServiceLevel = HCCL_COMM_CONFIG_NOT_SET;
	config->hcclExecTimeOut = HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET;
}

/** typedef HcclCommSymWindow - a window of symmetric memory; opaque, and never made here. */
typedef void *HcclCommSymWindow;

#ifdef __cplusplus
}
#endif

#endif /* HCCL_TYPES_H */
