/* SPDX-License-Identifier: MIT */
/*
 * DOC: Tensor channels
 *
 * Sets of tensors go through named channels between the program and a device. acl/acl_rt.h states the
 * rules for all functions.
 */
#ifndef ACL_ACL_TDT_H
#define ACL_ACL_TDT_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum acltdtTensorType - kinds of items. */
typedef enum acltdtTensorType {
	ACL_TENSOR_DATA_UNDEFINED = -1,
	ACL_TENSOR_DATA_TENSOR = 0,
	ACL_TENSOR_DATA_END_OF_SEQUENCE = 1,
	ACL_TENSOR_DATA_ABNORMAL = 2,
	ACL_TENSOR_DATA_SLICE_TENSOR = 3,
	ACL_TENSOR_DATA_END_TENSOR = 4,
} acltdtTensorType;

/** typedef acltdtDataItem - a tensor that goes through a channel; opaque. */
typedef struct acltdtDataItem acltdtDataItem;

/** typedef acltdtDataset - tensors that go through a channel together; opaque. */
typedef struct acltdtDataset acltdtDataset;

/** typedef acltdtChannelHandle - a channel between program and device; opaque. */
typedef struct acltdtChannelHandle acltdtChannelHandle;

/**
 * acltdtGetTensorTypeFromItem() - the kind of an item
 * @dataItem: the item
 *
 * Context: any thread; never blocks.
 * Return: the kind; ACL_TENSOR_DATA_UNDEFINED for NULL.
 */
ACL_FUNC_VISIBILITY acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem *dataItem);

/**
 * acltdtGetDataTypeFromItem() - the element type of an item
 * @dataItem: the item
 *
 * Context: any thread; never blocks.
 * Return: the type; ACL_DT_UNDEFINED for NULL.
 */
ACL_FUNC_VISIBILITY aclDataType acltdtGetDataTypeFromItem(const acltdtDataItem *dataItem);

/**
 * acltdtGetDataAddrFromItem() - the data of an item
 * @dataItem: the item
 *
 * Context: any thread; never blocks.
 * Return: its address; the creator of the item owns it; NULL for NULL.
 */
ACL_FUNC_VISIBILITY void *acltdtGetDataAddrFromItem(const acltdtDataItem *dataItem);

/**
 * acltdtGetDataSizeFromItem() - bytes of an item's data
 * @dataItem: the item
 *
 * Context: any thread; never blocks.
 * Return: bytes; 0 for NULL.
 */
ACL_FUNC_VISIBILITY size_t acltdtGetDataSizeFromItem(const acltdtDataItem *dataItem);

/**
 * acltdtGetDimNumFromItem() - how many dimensions an item has
 * @dataItem: the item
 *
 * Context: any thread; never blocks.
 * Return: the number; 0 for NULL.
 */
ACL_FUNC_VISIBILITY size_t acltdtGetDimNumFromItem(const acltdtDataItem *dataItem);

/**
 * acltdtGetSliceInfoFromItem() - which part of a divided tensor an item is
 * @dataItem: the item
 * @sliceNum: out, parts
 * @sliceId: out, index of this part
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtGetSliceInfoFromItem(const acltdtDataItem *dataItem,
							size_t *sliceNum, size_t *sliceId);

/**
 * acltdtGetDimsFromItem() - the dimensions of an item
 * @dataItem: the item
 * @dims: out, array of @dimNum
 * @dimNum: elements of the array, at least as many as the item has
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtGetDimsFromItem(const acltdtDataItem *dataItem, int64_t *dims,
						   size_t dimNum);

/**
 * acltdtCreateDataItem() - describes data that goes through a channel
 * @tdtType: kind of the item
 * @dims: array of @dimNum, copied
 * @dimNum: dimensions
 * @dataType: type of the elements
 * @data: the data; stays the caller's and must outlive the item
 * @size: bytes at @data
 *
 * Context: any thread; never blocks.
 * Return: the item, owned by the caller until acltdtDestroyDataItem(), or NULL.
 */
ACL_FUNC_VISIBILITY acltdtDataItem *acltdtCreateDataItem(acltdtTensorType tdtType,
							 const int64_t *dims, size_t dimNum,
							 aclDataType dataType, void *data,
							 size_t size);

/**
 * acltdtDestroyDataItem() - destroys an item, not its data
 * @dataItem: the item
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtDestroyDataItem(acltdtDataItem *dataItem);

/**
 * acltdtCreateDataset() - makes an empty set of items
 *
 * Context: any thread; never blocks.
 * Return: the set, owned by the caller until acltdtDestroyDataset(), or NULL.
 */
ACL_FUNC_VISIBILITY acltdtDataset *acltdtCreateDataset(void);

/**
 * acltdtDestroyDataset() - destroys a set; items that were added stay the caller's
 * @dataset: the set
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtDestroyDataset(acltdtDataset *dataset);

/**
 * acltdtGetDataItem() - an item of a set
 * @dataset: the set
 * @index: which
 *
 * Context: any thread; never blocks.
 * Return: the item, owned by its creator; NULL for NULL or an index out of range.
 */
ACL_FUNC_VISIBILITY acltdtDataItem *acltdtGetDataItem(const acltdtDataset *dataset, size_t index);

/**
 * acltdtAddDataItem() - adds an item to a set
 * @dataset: the set
 * @dataItem: the item, which stays the caller's and must outlive the set
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_FEATURE_UNSUPPORTED for a set that was received.
 */
ACL_FUNC_VISIBILITY aclError acltdtAddDataItem(acltdtDataset *dataset, acltdtDataItem *dataItem);

/**
 * acltdtGetDatasetSize() - how many items a set has
 * @dataset: the set
 *
 * Context: any thread; never blocks.
 * Return: the number; 0 for NULL.
 */
ACL_FUNC_VISIBILITY size_t acltdtGetDatasetSize(const acltdtDataset *dataset);

/**
 * acltdtGetDatasetName() - the name of the channel that a set was sent through
 * @dataset: the set
 *
 * Context: any thread; never blocks.
 * Return: text owned by the set; NULL for NULL.
 */
ACL_FUNC_VISIBILITY const char *acltdtGetDatasetName(const acltdtDataset *dataset);

/**
 * acltdtStopChannel() - wakes all threads that wait on a channel; later calls on it fail
 * @handle: the channel
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtStopChannel(acltdtChannelHandle *handle);

/**
 * acltdtCreateChannel() - opens a channel to a device
 * @deviceId: the device
 * @name: name of the channel
 *
 * Context: any thread; never blocks.
 * Return: the channel, owned by the caller until acltdtDestroyChannel(), or NULL.
 */
ACL_FUNC_VISIBILITY acltdtChannelHandle *acltdtCreateChannel(uint32_t deviceId, const char *name);

/**
 * acltdtCreateChannelWithCapacity() - opens a channel that holds a number of sets
 * @deviceId: the device
 * @name: name of the channel
 * @capacity: sets, 2 at least
 *
 * Context: any thread; never blocks.
 * Return: the channel, owned by the caller until acltdtDestroyChannel(), or NULL.
 */
ACL_FUNC_VISIBILITY acltdtChannelHandle *acltdtCreateChannelWithCapacity(uint32_t deviceId,
									 const char *name,
									 size_t capacity);

/**
 * acltdtDestroyChannel() - closes a channel
 * @handle: the channel
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtDestroyChannel(acltdtChannelHandle *handle);

/**
 * acltdtCleanChannel() - drops all sets that a channel holds
 * @handle: the channel
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtCleanChannel(acltdtChannelHandle *handle);

/**
 * acltdtSendTensor() - sends a set through a channel
 * @handle: the channel
 * @dataset: the set; its data is copied
 * @timeout: milliseconds to wait for room, -1 for no limit, 0 to return at once
 *
 * Context: any thread; may block up to @timeout.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_QUEUE_FULL.
 */
ACL_FUNC_VISIBILITY aclError acltdtSendTensor(const acltdtChannelHandle *handle,
					      const acltdtDataset *dataset, int32_t timeout);

/**
 * acltdtReceiveTensor() - receives a set from a channel
 * @handle: the channel
 * @dataset: out, an empty set; the set owns the received items
 * @timeout: milliseconds to wait, -1 for no limit, 0 to return at once
 *
 * Context: any thread; may block up to @timeout.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_QUEUE_EMPTY.
 */
ACL_FUNC_VISIBILITY aclError acltdtReceiveTensor(const acltdtChannelHandle *handle,
						 acltdtDataset *dataset, int32_t timeout);

/**
 * acltdtQueryChannelSize() - how many sets a channel holds
 * @handle: the channel
 * @size: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acltdtQueryChannelSize(const acltdtChannelHandle *handle,
						    size_t *size);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_TDT_H */
