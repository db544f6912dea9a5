/* SPDX-License-Identifier: MIT */
/*
 * DOC: Managed memory
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 *
 * Managed memory has the same address on host and device.
 */
#ifndef ACL_RT_MEMORY_MANAGED_H
#define ACL_RT_MEMORY_MANAGED_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Managed memory is visible to every stream. */
#define ACL_RT_MEM_ATTACH_GLOBAL 0x01U

/** enum aclrtMemManagedAdviseType - hints about how managed memory is used. */
typedef enum aclrtMemManagedAdviseType {
	ACL_MEM_ADVISE_SET_READ_MOSTLY = 0,
	ACL_MEM_ADVISE_UNSET_READ_MOSTLY = 1,
	ACL_MEM_ADVISE_SET_PREFERRED_LOCATION = 2,
	ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 3,
	ACL_MEM_ADVISE_SET_ACCESSED_BY = 4,
	ACL_MEM_ADVISE_UNSET_ACCESSED_BY = 5,
} aclrtMemManagedAdviseType;

/** enum aclrtMemManagedLocationType - where managed memory should be. */
typedef enum aclrtMemManagedLocationType {
	ACL_MEM_LOCATIONTYPE_INVALID = 0,
	ACL_MEM_LOCATIONTYPE_DEVICE = 1,
	ACL_MEM_LOCATIONTYPE_HOST = 2,
	ACL_MEM_LOCATIONTYPE_HOST_NUMA = 3,
	ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT = 4,
} aclrtMemManagedLocationType;

/** enum aclrtMemManagedRangeAttribute - attributes of managed memory. */
typedef enum aclrtMemManagedRangeAttribute {
	ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
	ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
	ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
	ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 4,
	ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 5,
	ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 6,
	ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7,
	ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8,
} aclrtMemManagedRangeAttribute;

/**
 * struct aclrtMemManagedLocation - where managed memory should be
 * @type: kind of location
 * @id: device or NUMA node
 */
typedef struct aclrtMemManagedLocation {
	aclrtMemManagedLocationType type;
	int32_t id;
} aclrtMemManagedLocation;

/**
 * aclrtMemAllocManaged() - allocates memory that has the same address on host and device
 * @ptr: out, owned by the caller until aclrtFree()
 * @size: bytes, > 0; rounded up to 2 MiB
 * @flag: ACL_RT_MEM_ATTACH_GLOBAL
 *
 * Context: any thread; may block while pages are allocated.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemAllocManaged(void **ptr, uint64_t size, uint32_t flag);

/**
 * aclrtMemManagedAdvise() - a hint about how managed memory is used
 * @ptr: the address
 * @size: bytes, a multiple of 2 MiB
 * @advise: the hint
 * @location: the location that the hint names
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedAdvise(const void *const ptr, uint64_t size,
						   aclrtMemManagedAdviseType advise,
						   aclrtMemManagedLocation location);

/**
 * aclrtMemManagedGetAttr() - an attribute of a range of managed memory
 * @attribute: the attribute
 * @ptr: the address
 * @size: bytes, a multiple of 2 MiB
 * @data: out; the value "invalid" when parts of the range differ
 * @dataSize: bytes at @data
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute attribute,
						    const void *ptr, size_t size, void *data,
						    size_t dataSize);

/**
 * aclrtMemManagedGetAttrs() - several attributes of aclrtMemManagedGetAttr() at once
 * @attributes: array of @numAttributes attributes
 * @numAttributes: elements, > 0
 * @ptr: the address
 * @size: bytes, a multiple of 2 MiB
 * @data: array of @numAttributes pointers to the results
 * @dataSizes: array of @numAttributes sizes in bytes
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedGetAttrs(aclrtMemManagedRangeAttribute *attributes,
						     size_t numAttributes, const void *ptr,
						     size_t size, void **data, size_t *dataSizes);

/**
 * aclrtMemManagedPrefetchAsync() - moves managed memory to a location, in a stream's order
 * @ptr: the address
 * @size: bytes, a multiple of 2 MiB
 * @location: the location
 * @flags: 0
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous. Does not change the contents of memory.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedPrefetchAsync(const void *ptr, size_t size,
							  aclrtMemManagedLocation location,
							  uint32_t flags, aclrtStream stream);

/**
 * aclrtMemManagedPrefetchBatchAsync() - several ranges of aclrtMemManagedPrefetchAsync() at once
 * @ptrs: array of @count addresses
 * @sizes: array of @count sizes in bytes
 * @count: elements, > 0
 * @prefetchLocs: array of @numPrefetchLocs locations
 * @prefetchLocIdxs: array of @numPrefetchLocs indexes: the first range that uses the location; the
 * first index is 0, and the indexes increase
 * @numPrefetchLocs: elements, 1 .. @count
 * @flags: 0
 * @stream: a stream of the current context, or NULL
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedPrefetchBatchAsync(
	const void **ptrs, size_t *sizes, size_t count, aclrtMemManagedLocation *prefetchLocs,
	size_t *prefetchLocIdxs, size_t numPrefetchLocs, uint64_t flags, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_MEMORY_MANAGED_H */
