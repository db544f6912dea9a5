// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL copies in batches
 *
 * The whole batch is checked before the first copy, so a refused batch copies nothing. The entries of a
 * batch have no order among themselves.
 */
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/copy/copy.h"
#include "umd/core/device/devices.h"
#include "umd/core/memory/nearest.h"
#include "umd/core/memory/released.h"
#include "umd/core/process/check.h"
#include "umd/core/process/thread_state.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::null_argument;
using umd::set_error;
using umd::Side;
using umd::Stream;
using umd::ThreadState;

namespace {

/* struct Batch - the arguments of one batch call. */
struct Batch {
	const char *call;
	void **dsts;
	size_t *dest_maxs;
	void **srcs;
	size_t *sizes;
	size_t count;
	aclrtMemcpyBatchAttr *attrs;
	size_t *indexes;
	size_t attr_count;
};

Status check_arrays(const Batch &batch)
{
	const struct {
		const char *name;
		const void *array;
	} arrays[] = {
		{"dsts", batch.dsts},	{"destMaxs", batch.dest_maxs},	 {"srcs", batch.srcs},
		{"attrs", batch.attrs}, {"attrsIndexes", batch.indexes},
	};
	for (const auto &entry : arrays) {
		if (!entry.array)
			return null_argument(entry.name);
	}
	if (batch.attr_count == 0 || batch.attr_count > batch.count)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("numAttrs is {}; it must be 1 to numBatches ({})",
					     batch.attr_count, batch.count));
	return Status::OK;
}

bool is_host(aclrtMemLocationType type)
{
	return type == ACL_MEM_LOCATION_TYPE_HOST || type == ACL_MEM_LOCATION_TYPE_UNREGISTERED ||
	       type == ACL_MEM_LOCATION_TYPE_HOST_NUMA;
}

Status check_index(const Batch &batch, size_t i)
{
	const size_t wanted = i == 0 ? 0 : batch.indexes[i - 1] + 1;
	bool good = i == 0 ? batch.indexes[i] == 0 : batch.indexes[i] >= wanted;
	if (!good || batch.indexes[i] >= batch.count)
		return set_error(
			Status::INVALID_ENUM,
			fmt::format("attrsIndexes[{}] is {}; the first must be 0, each the "
				    "index of a copy and greater than the one before",
				    i, batch.indexes[i]));
	return Status::OK;
}

/* @first: index of the first copy for which it holds; @here: the thread's context, or nullptr */
Status check_device(size_t i, size_t first, const aclrtMemLocation &location,
		    const umd::Context *here)
{
	if (is_host(location.type) ||
	    (here && location.id == static_cast<uint32_t>(here->state->index)))
		return Status::OK;
	auto count = TRY(umd::Devices::get().device_count());
	if (location.id < count)
		return Status::OK;
	return set_error(
		Status::INVALID_DEVICE,
		fmt::format("attrs[{}], of copy {}, names device {}, but the devices are 0 to {}",
			    i, first, location.id, count - 1));
}

/* Checks one entry of attrs. All must copy in the direction of attrs[0]. */
Status check_place(const Batch &batch, size_t i, const umd::Context *here)
{
	const aclrtMemcpyBatchAttr &attr = batch.attrs[i];
	TRY(check_device(i, batch.indexes[i], attr.dstLoc, here));
	TRY(check_device(i, batch.indexes[i], attr.srcLoc, here));
	for (uint8_t byte : attr.rsv) {
		if (byte != 0)
			return set_error(Status::INVALID_ENUM,
					 fmt::format("attrs[{}].rsv is reserved; it must be 0", i));
	}
	if (is_host(attr.dstLoc.type) == is_host(attr.srcLoc.type))
		return set_error(Status::INVALID_ENUM,
				 fmt::format("attrs[{}] copies from location type {} to {}; one "
					     "must be the host and the other the device",
					     i, static_cast<int>(attr.srcLoc.type),
					     static_cast<int>(attr.dstLoc.type)));
	if (is_host(attr.dstLoc.type) != is_host(batch.attrs[0].dstLoc.type))
		return set_error(
			Status::INVALID_ENUM,
			fmt::format("attrs[{}], of copy {}, and attrs[0] copy in different "
				    "directions; a batch has one",
				    i, batch.indexes[i]));
	return Status::OK;
}

/* Whether both ends of a copy lie in memory that the program asked for, not in the slack of an allocation. */
Status check_asked(const Batch &batch, size_t i)
{
	const std::string at = fmt::format("[{}]", i);
	TRY(umd::check::check_end(batch.call, ("dsts" + at).c_str(), batch.dsts[i],
				  batch.sizes[i]));
	return umd::check::check_end(batch.call, ("srcs" + at).c_str(), batch.srcs[i],
				     batch.sizes[i]);
}

/* @here: the thread's context, or nullptr */
Status check_entry(const Batch &batch, size_t i, const umd::Context *here)
{
	if (batch.sizes[i] == 0)
		return Status::OK;
	if (!batch.dsts[i] || !batch.srcs[i])
		return set_error(Status::NULL_POINTER,
				 fmt::format("{}[{}] is NULL", batch.dsts[i] ? "srcs" : "dsts", i));
	if (batch.sizes[i] > batch.dest_maxs[i])
		return set_error(
			Status::INVALID_ENUM,
			fmt::format("sizes[{}] is {}, which is more than destMaxs[{}] ({})", i,
				    batch.sizes[i], i, batch.dest_maxs[i]));
	bool to_host = is_host(batch.attrs[0].dstLoc.type);
	Side to = umd::side_of(batch.dsts[i], here);
	Side from = umd::side_of(batch.srcs[i], here);
	if ((to == Side::MANAGED || (to == Side::HOST) == to_host) &&
	    (from == Side::MANAGED || (from == Side::DEVICE) == to_host))
		return umd::check::is_on() ? check_asked(batch, i) : Status::OK;
	const std::string at = fmt::format("[{}]", i);
	TRY(umd::ReleasedMemory::check(("dsts" + at).c_str(), batch.dsts[i], Status::INVALID_ENUM));
	TRY(umd::ReleasedMemory::check(("srcs" + at).c_str(), batch.srcs[i], Status::INVALID_ENUM));
	return set_error(Status::INVALID_ENUM,
			 fmt::format("copy {} does not go from {}, as attrs say", i,
				     to_host ? "device to host" : "host to device"));
}

/* Return: false when every entry has 0 bytes. */
Result<bool> check(const Batch &batch, size_t &failed)
{
	if (!batch.sizes || batch.count == 0)
		return set_error(Status::NULL_POINTER,
				 batch.sizes ? "numBatches is 0; it must be positive"
					     : "sizes is NULL");
	bool empty = true;
	for (size_t i = 0; i < batch.count; i++)
		empty = empty && batch.sizes[i] == 0;
	if (empty)
		return false;
	TRY(check_arrays(batch));
	for (size_t i = 0; i < batch.attr_count; i++)
		TRY(check_index(batch, i));
	const umd::ContextHold here = Contexts::hold_context(ThreadState::mine().context);
	for (size_t i = 0; i < batch.attr_count; i++) {
		Status status = check_place(batch, i, here.get());
		if (status != Status::OK) {
			failed = batch.indexes[i];
			return status;
		}
	}
	for (size_t i = 0; i < batch.count; i++) {
		Status status = check_entry(batch, i, here.get());
		if (status != Status::OK) {
			failed = i;
			return status;
		}
	}
	return true;
}

/* Copies the entries that have bytes. @copy: copies one entry */
template <class Copy> Status copy_entries(const Batch &batch, size_t &failed, const Copy &copy)
{
	for (size_t i = 0; i < batch.count; i++) {
		if (batch.sizes[i] == 0)
			continue;
		Status status = copy(batch.dsts[i], batch.srcs[i], batch.sizes[i]);
		if (status != Status::OK) {
			failed = i;
			return status;
		}
	}
	return Status::OK;
}

aclError copy_now(const Batch &batch, size_t &failed)
{
	failed = SIZE_MAX;
	auto needed = TRY(check(batch, failed));
	if (!needed)
		return ACL_SUCCESS;
	auto context = TRY(Contexts::get().current());
	return acl_return(
		copy_entries(batch, failed, [&](void *dst, const void *src, size_t bytes) {
			return umd::copy_now(context, batch.call, dst, src, bytes);
		}));
}

aclError copy_async(const Batch &batch, umd::Call call, size_t &failed, aclrtStream stream)
{
	failed = SIZE_MAX;
	auto needed = TRY(check(batch, failed));
	auto found = TRY(umd::find_stream(stream, true));
	if (!needed)
		return ACL_SUCCESS;
	umd::MoveList list(*found, call);
	Status status = copy_entries(batch, failed, [&](void *dst, const void *src, size_t bytes) {
		return list.add({dst, src, bytes});
	});
	Status flushed = list.flush();
	return acl_return(status != Status::OK ? status : flushed);
}

} // namespace

aclError aclrtMemcpyBatch(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
			  size_t numBatches, aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
			  size_t numAttrs, size_t *failIndex)
{
	if (!failIndex)
		return acl_return(null_argument("failIndex"));
	return copy_now({"aclrtMemcpyBatch", dsts, destMaxs, srcs, sizes, numBatches, attrs,
			 attrsIndexes, numAttrs},
			*failIndex);
}

aclError aclrtMemcpyBatchV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
			    size_t numBatches, aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
			    size_t numAttrs)
{
	size_t failed;
	return copy_now({"aclrtMemcpyBatchV2", dsts, destMaxs, srcs, sizes, numBatches, attrs,
			 attrsIndexes, numAttrs},
			failed);
}

aclError aclrtMemcpyBatchAsync(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
			       size_t numBatches, aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
			       size_t numAttrs, size_t *failIndex, aclrtStream stream)
{
	if (!failIndex)
		return acl_return(null_argument("failIndex"));
	return copy_async({"aclrtMemcpyBatchAsync", dsts, destMaxs, srcs, sizes, numBatches, attrs,
			   attrsIndexes, numAttrs},
			  umd::Call::MEMCPY_BATCH, *failIndex, stream);
}

aclError aclrtMemcpyBatchAsyncV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
				 size_t numBatches, aclrtMemcpyBatchAttr *attrs,
				 size_t *attrsIndexes, size_t numAttrs, aclrtStream stream)
{
	size_t failed;
	return copy_async({"aclrtMemcpyBatchAsyncV2", dsts, destMaxs, srcs, sizes, numBatches,
			   attrs, attrsIndexes, numAttrs},
			  umd::Call::MEMCPY_BATCH_V2, failed, stream);
}
