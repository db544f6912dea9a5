/* SPDX-License-Identifier: MIT */
/*
 * DOC: Collective communication
 *
 * Operations of several devices together, the ranks of a communicator. Each rank calls the same operations in
 * the same order, with the same count, type, reduction and root; where ranks differ, all of them fail.
 *
 * An operation is work of its stream: the call returns at once, its failure is reported by the synchronisation
 * of the stream, and a capture records it. Buffers are memory of the communicator's device. Operations of one
 * communicator run in the order of their calls, on any of its streams.
 *
 * Return values are those of enum HcclResult. aclGetRecentErrMsg() has a sentence for each failure. All
 * functions may be called by any thread, unless their text says otherwise.
 */
#ifndef HCCL_H
#define HCCL_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_rt.h"
#include "hccl/hccl_memory.h"
#include "hccl/hccl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * HcclGetRootInfo() - makes the place where the ranks of a new communicator find each other
 * @rootInfo: receives it; the program carries its bytes to all ranks
 *
 * Each place serves one communicator. It is given up when HCCL_CONNECT_TIMEOUT has passed.
 * Return: HCCL_E_PTR; HCCL_E_PARA for a malformed setting; HCCL_E_UNAVAIL, also where no allowed port is free.
 */
ACL_FUNC_VISIBILITY HcclResult HcclGetRootInfo(HcclRootInfo *rootInfo);

/**
 * HcclCommInitRootInfo() - joins a communicator on the current device
 * @nRanks: number of ranks
 * @rootInfo: from HcclGetRootInfo() of rank 0
 * @rank: number of the caller, from 0 on
 * @comm: receives the communicator; HcclCommDestroy() ends it
 *
 * Context: blocks until all ranks have called it, at most HCCL_CONNECT_TIMEOUT seconds. Ranks of one process call it
 * from a thread each.
 * Return: HCCL_E_PARA where ranks differ or two have one device; HCCL_E_TIMEOUT with the missing ranks named;
 * HCCL_E_TCP_CONNECT where nobody listens at the address in @rootInfo; HCCL_E_REMOTE, HCCL_E_TCP_TRANSFER or
 * HCCL_E_RUNTIME if another rank or the host ends during the call; HCCL_E_NOT_SUPPORT where ranks have devices of
 * different firmwares and this machine has no UCX.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo *rootInfo,
						    uint32_t rank, HcclComm *comm);

/**
 * HcclCommInitRootInfoConfig() - the same with settings
 * @nRanks: number of ranks
 * @rootInfo: from HcclGetRootInfo() of rank 0
 * @rank: number of the caller, from 0 on
 * @config: settings; see HcclCommConfigInit()
 * @comm: receives the communicator; HcclCommDestroy() ends it
 *
 * Return: as HcclCommInitRootInfo().
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks,
							  const HcclRootInfo *rootInfo,
							  uint32_t rank,
							  const HcclCommConfig *config,
							  HcclComm *comm);

/**
 * HcclCommInitClusterInfo() - joins the communicator of a rank table
 * @clusterInfo: path of the table, a JSON file
 * @rank: number of the caller, from 0 on
 * @comm: receives the communicator; HcclCommDestroy() ends it
 *
 * Context: as HcclCommInitRootInfo().
 * Return: HCCL_E_OPEN_FILE_FAILURE; HCCL_E_PARA for a malformed table, or one that has another machine's address for
 * rank 0, which calls; HCCL_E_UNAVAIL where its port is not free; else as HcclCommInitRootInfo().
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommInitClusterInfo(const char *clusterInfo, uint32_t rank,
						       HcclComm *comm);

/**
 * HcclCommInitClusterInfoConfig() - the same with settings
 * @clusterInfo: path of the table, a JSON file
 * @rank: number of the caller, from 0 on
 * @config: settings; see HcclCommConfigInit()
 * @comm: receives the communicator; HcclCommDestroy() ends it
 *
 * Return: as HcclCommInitClusterInfo().
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommInitClusterInfoConfig(const char *clusterInfo, uint32_t rank,
							     HcclCommConfig *config,
							     HcclComm *comm);

/**
 * HcclCommInitAll() - makes a communicator of several devices of this process
 * @ndev: number of devices
 * @devices: their numbers, each once; rank i has the i-th
 * @comms: receives @ndev communicators, one for each rank
 *
 * The program has set each of the devices, or the call makes their primary contexts.
 * Return: as HcclCommInitRootInfo().
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommInitAll(uint32_t ndev, int32_t *devices, HcclComm *comms);

/**
 * HcclCreateSubCommConfig() - makes a communicator of some ranks of another one
 * @comm: the other one
 * @rankNum: number of ranks
 * @rankIds: their numbers in @comm, each once; NULL for a rank that takes no part
 * @subCommId: number of the new communicator, the same on all its ranks
 * @subCommRankId: number of the caller in the new communicator: its place in @rankIds
 * @config: settings; see HcclCommConfigInit()
 * @subComm: receives the communicator; HcclCommDestroy() ends it
 *
 * Context: blocks until all ranks of @rankIds have called it.
 * Return: as HcclCommInitRootInfo().
 */
ACL_FUNC_VISIBILITY HcclResult HcclCreateSubCommConfig(HcclComm *comm, uint32_t rankNum,
						       uint32_t *rankIds, uint64_t subCommId,
						       uint32_t subCommRankId,
						       HcclCommConfig *config, HcclComm *subComm);

/**
 * HcclCommDestroy() - ends a communicator
 * @comm: the communicator
 *
 * Context: waits at most two seconds for its operations, and two for connections to other firmwares. Operations that
 * other ranks have not joined then end with an error.
 * Return: HCCL_E_AGAIN while another thread uses it, or while operations are under way that all ranks have joined.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommDestroy(HcclComm comm);

/**
 * HcclGetRankSize() - the number of ranks
 * @comm: the communicator
 * @rankSize: receives it
 *
 * Return: HCCL_E_PARA, HCCL_E_PTR.
 */
ACL_FUNC_VISIBILITY HcclResult HcclGetRankSize(HcclComm comm, uint32_t *rankSize);

/**
 * HcclGetRankId() - the number of this rank
 * @comm: the communicator
 * @rank: receives it
 *
 * Return: HCCL_E_PARA, HCCL_E_PTR.
 */
ACL_FUNC_VISIBILITY HcclResult HcclGetRankId(HcclComm comm, uint32_t *rank);

/**
 * HcclGetCommName() - the name of a communicator, the same on all ranks
 * @comm: the communicator
 * @commName: receives it; COMM_NAME_MAX_LENGTH bytes
 *
 * Return: HCCL_E_PARA, HCCL_E_PTR.
 */
ACL_FUNC_VISIBILITY HcclResult HcclGetCommName(HcclComm comm, char *commName);

/**
 * HcclCommGetHandleWithName() - finds a communicator of this process by its name
 * @commName: the name
 * @comm: receives it; of several ranks the one with the lowest number
 *
 * Return: HCCL_E_NOT_FOUND.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommGetHandleWithName(const char *commName, HcclComm *comm);

/**
 * HcclSetConfig() - changes a setting of the process
 * @config: the setting
 * @configValue: its value
 *
 * Results are deterministic whatever the setting is.
 * Return: HCCL_E_PARA.
 */
ACL_FUNC_VISIBILITY HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue);

/**
 * HcclGetConfig() - reads a setting of the process
 * @config: the setting
 * @configValue: receives its value
 *
 * Return: HCCL_E_PARA.
 */
ACL_FUNC_VISIBILITY HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue *configValue);

/**
 * HcclGetCommConfigCapability() - how many fields of enum HcclCommConfigCapability the library honours.
 *
 * Return: their number.
 */
ACL_FUNC_VISIBILITY uint32_t HcclGetCommConfigCapability(void);

/**
 * HcclGetCommAsyncError() - the failure of a communicator, if it has failed
 * @comm: the communicator
 * @asyncError: receives it: HCCL_E_REMOTE when a rank has ended, HCCL_E_PARA when ranks differ,
 * 	HCCL_E_TIMEOUT
 *
 * Waits for nothing.
 * Return: HCCL_E_PARA, HCCL_E_PTR.
 */
ACL_FUNC_VISIBILITY HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult *asyncError);

/**
 * HcclGetErrorString() - what a result means, in English
 * @code: the result
 *
 * Return: a constant text; never NULL.
 */
ACL_FUNC_VISIBILITY const char *HcclGetErrorString(HcclResult code);

/**
 * HcclCommSuspend() - makes a communicator take no operations
 * @comm: the communicator
 *
 * Operations return HCCL_E_SUSPENDING until HcclCommResume(). Those that were called before go on;
 * aclrtDeviceTaskAbort() drops them. Calls of other ranks are not affected. Thread safe; does not wait.
 *
 * Return: HCCL_E_AGAIN while another thread calls an operation of @comm; HCCL_E_PTR, HCCL_E_PARA for what is no
 * communicator.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommSuspend(HcclComm comm);

/**
 * HcclCommResume() - begins anew with a communicator whose operations were aborted
 * @comm: the communicator; suspended or not
 *
 * All ranks call it, each after aclrtDeviceTaskAbort() or when its operations have ended. It returns when all have.
 * A device whose tasks were aborted takes none until aclrtRepairError(), before or after this call.
 * From then on the communicator is as it was made: no operation of before counts, and graphs that were captured stay
 * usable. Another thread must not call operations of @comm meanwhile.
 *
 * Return: HCCL_E_AGAIN while operations of @comm are under way; HCCL_E_TIMEOUT if a rank does not call it within
 * HCCL_CONNECT_TIMEOUT; HCCL_E_REMOTE if a rank has ended or destroyed @comm; what @comm has failed with before;
 * HCCL_E_PTR, HCCL_E_PARA for what is no communicator.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommResume(HcclComm comm);

/**
 * HcclGroupStart() - begins a group: sends and receives of this thread are submitted together at its end
 *
 * Groups may be nested; the outermost counts.
 * Return: HCCL_SUCCESS.
 */
ACL_FUNC_VISIBILITY HcclResult HcclGroupStart(void);

/**
 * HcclGroupEnd() - ends a group
 *
 * Return: HCCL_E_PARA without a begun group; the first failure of a submission.
 */
ACL_FUNC_VISIBILITY HcclResult HcclGroupEnd(void);

/**
 * HcclAllReduce() - reduces the data of all ranks, for all ranks
 * @sendBuf: this rank's data
 * @recvBuf: gets the result
 * @count: elements
 * @dataType: their type
 * @op: how two elements are combined
 * @comm: the communicator
 * @stream: a stream of its device; NULL: the default one
 *
 * Both buffers may be the same. The result is r0 op r1 op r2 ..., computed from the left and rounded after each
 * step, on each rank the same bits.
 * Return: HCCL_E_PARA, HCCL_E_PTR, HCCL_E_NOT_SUPPORT; HCCL_E_REMOTE and HCCL_E_TIMEOUT after such a failure.
 */
ACL_FUNC_VISIBILITY HcclResult HcclAllReduce(void *sendBuf, void *recvBuf, uint64_t count,
					     HcclDataType dataType, HcclReduceOp op, HcclComm comm,
					     aclrtStream stream);

/**
 * HcclReduce() - the same for rank @root alone
 * @sendBuf: this rank's data
 * @recvBuf: gets the result
 * @count: elements
 * @dataType: their type
 * @op: how two elements are combined
 * @root: number of the rank that gives or gets the data
 * @comm: the communicator
 * @stream: a stream of its device; NULL: the default one
 *
 * Other ranks' @recvBuf is not used. That of @root may be its @sendBuf.
 * Return: HCCL_E_PARA, HCCL_E_PTR, HCCL_E_NOT_SUPPORT; HCCL_E_REMOTE and HCCL_E_TIMEOUT after such a failure.
 */
ACL_FUNC_VISIBILITY HcclResult HcclReduce(void *sendBuf, void *recvBuf, uint64_t count,
					  HcclDataType dataType, HcclReduceOp op, uint32_t root,
					  HcclComm comm, aclrtStream stream);

/**
 * HcclBroadcast() - copies the data of rank @root to all ranks
 * @buf: the data of the root; gets them on other ranks
 * @count: elements
 * @dataType: their type
 * @root: number of the rank that gives or gets the data
 * @comm: the communicator
 * @stream: a stream of its device; NULL: the default one
 *
 * Return: as HcclAllReduce().
 */
ACL_FUNC_VISIBILITY HcclResult HcclBroadcast(void *buf, uint64_t count, HcclDataType dataType,
					     uint32_t root, HcclComm comm, aclrtStream stream);

/**
 * HcclAllGather() - joins the data of all ranks, for all ranks
 * @sendBuf: this rank's data
 * @recvBuf: gets the data of all ranks, in their order
 * @sendCount: elements of each rank
 * @dataType: their type
 * @comm: the communicator
 * @stream: a stream of its device; NULL: the default one
 *
 * @sendBuf may be its own place in @recvBuf.
 * Return: as HcclAllReduce().
 */
ACL_FUNC_VISIBILITY HcclResult HcclAllGather(void *sendBuf, void *recvBuf, uint64_t sendCount,
					     HcclDataType dataType, HcclComm comm,
					     aclrtStream stream);

/**
 * HcclReduceScatter() - reduces the data of all ranks, and gives each rank one part
 * @sendBuf: as many parts as there are ranks
 * @recvBuf: gets part number rank of the result
 * @recvCount: elements of a part
 * @dataType: their type
 * @op: how two elements are combined
 * @comm: the communicator
 * @stream: a stream of its device; NULL: the default one
 *
 * @recvBuf may be its own place in @sendBuf. The order of the reduction is that of HcclAllReduce().
 * Return: HCCL_E_PARA, HCCL_E_PTR, HCCL_E_NOT_SUPPORT; HCCL_E_REMOTE and HCCL_E_TIMEOUT after such a failure.
 */
ACL_FUNC_VISIBILITY HcclResult HcclReduceScatter(void *sendBuf, void *recvBuf, uint64_t recvCount,
						 HcclDataType dataType, HcclReduceOp op,
						 HcclComm comm, aclrtStream stream);

/**
 * HcclScatter() - gives each rank a part of the data of rank @root
 * @sendBuf: on the root, as many parts as there are ranks
 * @recvBuf: gets part number rank
 * @recvCount: elements of a part
 * @dataType: their type
 * @root: number of the rank that gives or gets the data
 * @comm: the communicator
 * @stream: a stream of its device; NULL: the default one
 *
 * Return: as HcclAllReduce().
 */
ACL_FUNC_VISIBILITY HcclResult HcclScatter(void *sendBuf, void *recvBuf, uint64_t recvCount,
					   HcclDataType dataType, uint32_t root, HcclComm comm,
					   aclrtStream stream);

/**
 * HcclAllGatherV() - HcclAllGather() with another count for each rank
 * @sendBuf: this rank's data
 * @sendCount: its elements
 * @recvBuf: gets the data of all ranks
 * @recvCounts: uint64_t for each rank: its elements; copied
 * @recvDispls: uint64_t for each rank: where its elements go, in elements; copied
 * @dataType: their type
 * @comm: the communicator
 * @stream: a stream of its device; NULL: the default one
 *
 * Return: as HcclAllReduce().
 */
ACL_FUNC_VISIBILITY HcclResult HcclAllGatherV(void *sendBuf, uint64_t sendCount, void *recvBuf,
					      const void *recvCounts, const void *recvDispls,
					      HcclDataType dataType, HcclComm comm,
					      aclrtStream stream);

/**
 * HcclReduceScatterV() - HcclReduceScatter() with another count for each rank
 * @sendBuf: the parts
 * @sendCounts: uint64_t for each rank: elements of its part; copied
 * @sendDispls: uint64_t for each rank: where its part begins, in elements; copied
 * @recvBuf: gets part number rank of the result
 * @recvCount: its elements
 * @dataType: their type
 * @op: how two elements are combined
 * @comm: the communicator
 * @stream: a stream of its device; NULL: the default one
 *
 * Return: HCCL_E_PARA, HCCL_E_PTR, HCCL_E_NOT_SUPPORT; HCCL_E_REMOTE and HCCL_E_TIMEOUT after such a failure.
 */
ACL_FUNC_VISIBILITY HcclResult HcclReduceScatterV(void *sendBuf, const void *sendCounts,
						  const void *sendDispls, void *recvBuf,
						  uint64_t recvCount, HcclDataType dataType,
						  HcclReduceOp op, HcclComm comm,
						  aclrtStream stream);

/**
 * HcclAlltoAll() - sends a part to each rank
 * @sendBuf: as many parts as there are ranks
 * @sendCount: elements of a part
 * @sendType: their type
 * @recvBuf: gets the parts, in the order of the ranks
 * @recvCount: as @sendCount
 * @recvType: as @sendType
 * @comm: the communicator
 * @stream: a stream of its device; NULL: the default one
 *
 * Return: as HcclAllReduce().
 */
ACL_FUNC_VISIBILITY HcclResult HcclAlltoAll(const void *sendBuf, uint64_t sendCount,
					    HcclDataType sendType, const void *recvBuf,
					    uint64_t recvCount, HcclDataType recvType,
					    HcclComm comm, aclrtStream stream);

/**
 * HcclAlltoAllV() - the same with a count for each part
 * @sendBuf: the parts
 * @sendCounts: uint64_t for each rank: elements for it; copied
 * @sdispls: uint64_t for each rank: where these begin, in elements; copied
 * @sendType: their type
 * @recvBuf: gets the parts
 * @recvCounts: uint64_t for each rank: elements of it; copied
 * @rdispls: uint64_t for each rank: where they go, in elements; copied
 * @recvType: as @sendType
 * @comm: the communicator
 * @stream: a stream of its device; NULL: the default one
 *
 * Return: as HcclAllReduce().
 */
ACL_FUNC_VISIBILITY HcclResult HcclAlltoAllV(const void *sendBuf, const void *sendCounts,
					     const void *sdispls, HcclDataType sendType,
					     const void *recvBuf, const void *recvCounts,
					     const void *rdispls, HcclDataType recvType,
					     HcclComm comm, aclrtStream stream);

/**
 * HcclAlltoAllVC() - the same with the counts of all ranks
 * @sendBuf: the parts, without gaps
 * @sendCountMatrix: uint64_t for each pair of ranks: at i * ranks + j, elements from rank i to rank j;
 * 	copied
 * @sendType: their type
 * @recvBuf: gets the parts, without gaps
 * @recvType: as @sendType
 * @comm: the communicator
 * @stream: a stream of its device; NULL: the default one
 *
 * Return: as HcclAllReduce().
 */
ACL_FUNC_VISIBILITY HcclResult HcclAlltoAllVC(const void *sendBuf, const void *sendCountMatrix,
					      HcclDataType sendType, const void *recvBuf,
					      HcclDataType recvType, HcclComm comm,
					      aclrtStream stream);

/**
 * HcclBarrier() - lets the stream go on when the streams of all ranks have come here
 * @comm: the communicator
 * @stream: a stream of its device; NULL: the default one
 *
 * Return: as HcclAllReduce().
 */
ACL_FUNC_VISIBILITY HcclResult HcclBarrier(HcclComm comm, aclrtStream stream);

/**
 * HcclSend() - sends a message to a rank, which receives it by HcclRecv()
 * @sendBuf: the message
 * @count: elements
 * @dataType: their type
 * @destRank: number of the other rank
 * @comm: the communicator
 * @stream: a stream of its device; NULL: the default one
 *
 * It is done when the other rank has received the message.
 * Return: as HcclAllReduce().
 */
ACL_FUNC_VISIBILITY HcclResult HcclSend(void *sendBuf, uint64_t count, HcclDataType dataType,
					uint32_t destRank, HcclComm comm, aclrtStream stream);

/**
 * HcclRecv() - receives a message of a rank
 * @recvBuf: gets it
 * @count: elements
 * @dataType: their type
 * @srcRank: number of the other rank
 * @comm: the communicator
 * @stream: a stream of its device; NULL: the default one
 *
 * Return: as HcclAllReduce().
 */
ACL_FUNC_VISIBILITY HcclResult HcclRecv(void *recvBuf, uint64_t count, HcclDataType dataType,
					uint32_t srcRank, HcclComm comm, aclrtStream stream);

/**
 * HcclBatchSendRecv() - sends and receives messages, none of which waits for another
 * @sendRecvInfo: the messages; at most one in each direction for each rank; copied
 * @itemNum: their number
 * @comm: the communicator
 * @stream: a stream of its device; NULL: the default one
 *
 * A message to the caller itself is received in the same batch.
 * Return: as HcclAllReduce().
 */
ACL_FUNC_VISIBILITY HcclResult HcclBatchSendRecv(HcclSendRecvItem *sendRecvInfo, uint32_t itemNum,
						 HcclComm comm, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* HCCL_H */
