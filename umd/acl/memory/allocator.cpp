// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL allocators that the program registers
 *
 * A program may register its own allocator for a stream. Tasks of a stream allocate no memory here, so
 * the runtime stores the hooks and returns them on request, but never calls them.
 */
#include "acl/acl.h"
#include "allocators.h"

#include "umd/acl/front.h"
#include "umd/core/context/find_stream.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::AllocatorDescription;
using umd::Allocators;
using umd::null_argument;
using umd::set_error;

static Result<AllocatorDescription *> find_description(Allocators &all, const void *desc)
	REQUIRES(all.mutex)
{
	if (!desc)
		return null_argument("allocatorDesc");
	if (AllocatorDescription *found = all.descriptions.get(desc))
		return found;
	return set_error(
		Status::INVALID_ENUM,
		fmt::format("allocatorDesc {} is not live: it was destroyed, or is something "
			    "else",
			    fmt::ptr(desc)));
}

aclrtAllocatorDesc aclrtAllocatorCreateDesc()
{
	Allocators &all = Allocators::get();
	std::lock_guard lock(all.mutex);
	AllocatorDescription *made = all.descriptions.create();
	if (!made) {
		(void)acl_return(
			set_error(Status::NO_RESOURCE,
				  "there are too many descriptions of allocators; destroy some"));
		return nullptr;
	}
	made->hooks = {};
	return all.descriptions.pointer(*made);
}

aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc)
{
	Allocators &all = Allocators::get();
	std::lock_guard lock(all.mutex);
	auto found = TRY(find_description(all, allocatorDesc));
	all.descriptions.destroy(*found);
	return ACL_SUCCESS;
}

template <class Set> static aclError set_hook(aclrtAllocatorDesc desc, const Set &set)
{
	Allocators &all = Allocators::get();
	std::lock_guard lock(all.mutex);
	auto found = TRY(find_description(all, desc));
	set(found->hooks);
	return ACL_SUCCESS;
}

aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocator allocator)
{
	return set_hook(allocatorDesc, [&](auto &hooks) { hooks.object = allocator; });
}

aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc,
					  aclrtAllocatorAllocFunc func)
{
	return set_hook(allocatorDesc, [&](auto &hooks) { hooks.alloc = func; });
}

aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc,
					 aclrtAllocatorFreeFunc func)
{
	return set_hook(allocatorDesc, [&](auto &hooks) { hooks.free = func; });
}

aclError aclrtAllocatorSetAllocAdviseFuncToDesc(aclrtAllocatorDesc allocatorDesc,
						aclrtAllocatorAllocAdviseFunc func)
{
	return set_hook(allocatorDesc, [&](auto &hooks) { hooks.alloc_advise = func; });
}

aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(aclrtAllocatorDesc allocatorDesc,
						     aclrtAllocatorGetAddrFromBlockFunc func)
{
	return set_hook(allocatorDesc, [&](auto &hooks) { hooks.address_of = func; });
}

static Status check_hooks(const umd::AllocatorHooks &hooks)
{
	const char *missing = !hooks.alloc	  ? "SetAllocFunc"
			      : !hooks.free	  ? "SetFreeFunc"
			      : !hooks.address_of ? "SetGetAddrFromBlockFunc"
						  : nullptr;
	if (!missing)
		return Status::OK;
	return set_error(
		Status::INVALID_ENUM,
		fmt::format("allocatorDesc has no function from aclrtAllocator{}ToDesc", missing));
}

aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc)
{
	if (!stream)
		return acl_return(null_argument("stream"));
	auto on = TRY(umd::find_stream(stream, false));
	Allocators &all = Allocators::get();
	std::lock_guard lock(all.mutex);
	auto found = TRY(find_description(all, allocatorDesc));
	Status status = check_hooks(found->hooks);
	if (status == Status::OK)
		all.by_stream.insert_or_assign(
			on->handle, Allocators::Registration{allocatorDesc, found->hooks});
	return acl_return(status);
}

aclError aclrtAllocatorGetByStream(aclrtStream stream, aclrtAllocatorDesc *allocatorDesc,
				   aclrtAllocator *allocator, aclrtAllocatorAllocFunc *allocFunc,
				   aclrtAllocatorFreeFunc *freeFunc,
				   aclrtAllocatorAllocAdviseFunc *allocAdviseFunc,
				   aclrtAllocatorGetAddrFromBlockFunc *getAddrFromBlockFunc)
{
	if (!stream)
		return acl_return(null_argument("stream"));
	if (!allocatorDesc || !allocator || !allocFunc || !freeFunc || !allocAdviseFunc ||
	    !getAddrFromBlockFunc)
		return acl_return(null_argument("one of the places for the answers"));
	Allocators &all = Allocators::get();
	std::lock_guard lock(all.mutex);
	auto found = all.by_stream.find(reinterpret_cast<uint64_t>(stream));
	if (found == all.by_stream.end())
		return acl_return(set_error(Status::INVALID_ENUM,
					    fmt::format("stream {} has no allocator registered; "
							"aclrtAllocatorRegister registers one",
							fmt::ptr(stream))));
	const umd::AllocatorHooks &hooks = found->second.hooks;
	*allocatorDesc = found->second.description;
	*allocator = hooks.object;
	*allocFunc = hooks.alloc;
	*freeFunc = hooks.free;
	*allocAdviseFunc = hooks.alloc_advise;
	*getAddrFromBlockFunc = hooks.address_of;
	return ACL_SUCCESS;
}

aclError aclrtAllocatorUnregister(aclrtStream stream)
{
	if (!stream)
		return acl_return(null_argument("stream"));
	Allocators &all = Allocators::get();
	std::lock_guard lock(all.mutex);
	all.by_stream.erase(reinterpret_cast<uint64_t>(stream));
	return ACL_SUCCESS;
}
