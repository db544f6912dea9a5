// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL memory and events shared between processes
 */
#include "sharing.h"
#include "umd/core/context/contexts.h"
#include "umd/core/event/event.h"
#include "umd/core/memory/ipc_memory.h"
#include "umd/core/memory/made.h"

using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::Event;
using umd::IpcMemory;
using umd::null_argument;
using umd::set_error;

aclError aclrtDeviceGetBareTgid(int32_t *pid)
{
	if (!pid)
		return acl_return(null_argument("pid"));
	auto context = TRY(Contexts::get().current());
	*pid = static_cast<int32_t>(umd::process_id(context->device()));
	return ACL_SUCCESS;
}

aclError aclrtIpcMemGetExportKey(void *devPtr, size_t size, char *key, size_t len, uint64_t flags)
{
	constexpr uint64_t ANY = ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;
	if (!devPtr || !key)
		return acl_return(null_argument(devPtr ? "key" : "devPtr"));
	if (size == 0)
		return acl_return(
			set_error(Status::NULL_POINTER, "size is 0; it must be positive"));
	if (len != umd::KEY_DIGITS + 1)
		return acl_return(
			set_error(Status::INVALID_ARGUMENT, fmt::format("len is {}; it must be {}",
									len, umd::KEY_DIGITS + 1)));
	TRY(umd::check_share_flags(flags, ANY));
	auto made = TRY(IpcMemory::get().export_range(devPtr, size, flags == ANY));
	umd::give_key(key, made);
	return ACL_SUCCESS;
}

aclError aclrtIpcMemSetImportPid(const char *key, int32_t *pid, size_t num)
{
	if (!key)
		return acl_return(null_argument("key"));
	auto read = TRY(umd::read_key(key, UNPU_EXPORT_MEMORY));
	auto pids = TRY(umd::read_pids(pid, num));
	return acl_return(IpcMemory::get().allow(read, pids));
}

aclError aclrtIpcMemImportByKey(void **devPtr, const char *key, uint64_t flags)
{
	if (!devPtr || !key)
		return acl_return(null_argument(devPtr ? "key" : "devPtr"));
	TRY(umd::check_share_flags(flags, ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS));
	auto context = TRY(Contexts::get().current());
	auto read = TRY(umd::read_key(key, UNPU_EXPORT_MEMORY));
	Status status = IpcMemory::get().import(*context->open, read, devPtr);
	if (status == Status::OK && umd::check::is_on()) {
		const auto address = reinterpret_cast<uint64_t>(*devPtr);
		umd::check::taken(*devPtr, "imported device memory",
				  context->device().memory().lookup(address).bytes,
				  __builtin_return_address(0));
	}
	return acl_return(status);
}

aclError aclrtIpcMemClose(const char *key)
{
	if (!key)
		return acl_return(null_argument("key"));
	auto read = TRY(umd::read_key(key, UNPU_EXPORT_MEMORY));
	const void *imported = umd::check::is_on() ? IpcMemory::get().imported_at(read) : nullptr;
	const Status status = IpcMemory::get().close(read);
	if (status == Status::OK && imported)
		umd::check::gone(imported);
	return acl_return(status);
}

/* The devices have one link, which is always on, so the attribute is checked and has no effect. */
aclError aclrtIpcMemSetAttr(const char *key, aclrtIpcMemAttrType type, uint64_t attr)
{
	if (!key)
		return acl_return(null_argument("key"));
	if (type != ACL_RT_IPC_MEM_ATTR_ACCESS_LINK)
		return acl_return(set_error(Status::INVALID_ENUM,
					    fmt::format("type is {}; it must be "
							"ACL_RT_IPC_MEM_ATTR_ACCESS_LINK (0)",
							static_cast<int>(type))));
	auto read = TRY(umd::read_key(key, UNPU_EXPORT_MEMORY));
	TRY(IpcMemory::get().exported(read));
	if (attr > ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH)
		return acl_return(
			set_error(Status::INVALID_ARGUMENT,
				  fmt::format("attr is {}; a link is a number from 0 to 3", attr)));
	if (attr != ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS)
		return acl_return(
			set_error(Status::LINK_NOT_SUPPORTED,
				  fmt::format("attr is {}; the devices have no link but HCCS ({})",
					      attr, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS)));
	return ACL_SUCCESS;
}

/* The handle holds the key, followed by zeros. */
static_assert(sizeof(unpu_export_key) <= sizeof(aclrtIpcEventHandle));

aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle *handle)
{
	if (!handle)
		return acl_return(null_argument("handle"));
	auto found = TRY(umd::find_event(event, "event"));
	auto key = TRY(umd::event_key(*found));
	*handle = {};
	memcpy(handle->reserved, &key, sizeof(key));
	return ACL_SUCCESS;
}

aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent *event)
{
	if (!event)
		return acl_return(null_argument("event"));
	auto context = TRY(Contexts::get().current());
	unpu_export_key key;
	memcpy(&key, handle.reserved, sizeof(key));
	if (key.kind != UNPU_EXPORT_EVENT)
		return acl_return(set_error(Status::INVALID_ARGUMENT,
					    "handle did not come from aclrtIpcGetEventHandle; pass "
					    "what that call wrote"));
	auto made = TRY(umd::open_event(*context, key));
	*event = Event::table().pointer(*made);
	umd::check::made(*event, "an imported event", 0, __builtin_return_address(0));
	return ACL_SUCCESS;
}
