// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL notifies and counters
 */
#include "umd/core/event/notify.h"
#include "umd/acl/memory/sharing.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/memory/made.h"
#include "umd/core/process/process.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::Notify;
using umd::null_argument;
using umd::Process;
using umd::set_error;

template <class Table>
static Result<Notify *> find(const Table &table, const void *handle, const char *name)
{
	if (!handle)
		return null_argument(name);
	if (Notify *notify = table.get(handle))
		return notify;
	TRY(Process::check_fork());
	return set_error(Status::INVALID_HANDLE,
			 fmt::format("{} {} is not live: it was destroyed, or is something else",
				     name, fmt::ptr(handle)));
}

static Result<Notify *> find_notify(const void *handle)
{
	return find(Notify::table(), handle, "notify");
}

static Result<Notify *> find_counter(const void *handle)
{
	return find(Notify::counters(), handle, "cntNotify");
}

aclError aclrtCreateNotify(aclrtNotify *notify, uint64_t flag)
{
	if (!notify)
		return acl_return(null_argument("notify"));
	auto context = TRY(Contexts::get().current());
	auto made = TRY(umd::create_notify(*context, false, flag));
	*notify = Notify::table().pointer(*made);
	umd::check::made(*notify, "a notify", 0, __builtin_return_address(0));
	return ACL_SUCCESS;
}

aclError aclrtDestroyNotify(aclrtNotify notify)
{
	auto found = TRY(find_notify(notify));
	if (!umd::destroy_notify(*found, notify))
		return acl_return(find_notify(notify).status());
	umd::check::gone(notify);
	return ACL_SUCCESS;
}

aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream)
{
	auto found = TRY(find_notify(notify));
	auto on = TRY(umd::find_stream(stream, true));
	return acl_return(umd::record_notify(*found, *on, UNPU_SIGNAL_SET, 1));
}

aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout)
{
	auto found = TRY(find_notify(notify));
	auto on = TRY(umd::find_stream(stream, true));
	unpu_sem_wait wait{};
	wait.op = UNPU_WAIT_GE;
	wait.value = 1;
	wait.timeout_ns = timeout * base::NS_PER_S;
	wait.flags = UNPU_WAIT_CLEAR;
	return acl_return(umd::wait_notify(*found, *on, wait));
}

aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t *notifyId)
{
	if (!notifyId)
		return acl_return(null_argument("notifyId"));
	auto found = TRY(find_notify(notify));
	*notifyId = found->sem;
	return ACL_SUCCESS;
}

aclError aclrtNotifyBatchReset(aclrtNotify *notifies, size_t num)
{
	if (!notifies)
		return acl_return(null_argument("notifies"));
	if (num == 0)
		return acl_return(set_error(Status::NULL_POINTER, "num is 0; it must be positive"));
	/* Check every handle before the first reset, so that a bad handle resets nothing. A reset
	 * itself can still fail after others succeeded. */
	for (size_t i = 0; i < num; i++)
		TRY(find_notify(notifies[i]));
	for (size_t i = 0; i < num; i++) {
		auto found = TRY(find_notify(notifies[i]));
		TRY(umd::clear_notify(*found));
	}
	return ACL_SUCCESS;
}

aclError aclrtNotifyGetExportKey(aclrtNotify notify, char *key, size_t len, uint64_t flags)
{
	constexpr uint64_t ANY = ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION;
	if (!key)
		return acl_return(null_argument("key"));
	auto found = TRY(find_notify(notify));
	if (len <= umd::KEY_DIGITS)
		return acl_return(set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("len is {}; a key takes {} bytes", len, umd::KEY_DIGITS + 1)));
	TRY(umd::check_share_flags(flags, ANY));
	auto made = TRY(umd::export_notify(*found, flags == ANY));
	umd::give_key(key, made);
	return ACL_SUCCESS;
}

aclError aclrtNotifyImportByKey(aclrtNotify *notify, const char *key, uint64_t flags)
{
	if (!notify || !key)
		return acl_return(null_argument(notify ? "key" : "notify"));
	TRY(umd::check_share_flags(flags, ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS));
	auto context = TRY(Contexts::get().current());
	auto read = TRY(umd::read_key(key, UNPU_EXPORT_NOTIFY));
	auto made = TRY(umd::import_notify(*context, read));
	*notify = Notify::table().pointer(*made);
	umd::check::made(*notify, "an imported notify", 0, __builtin_return_address(0));
	return ACL_SUCCESS;
}

aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t *pid, size_t num)
{
	auto found = TRY(find_notify(notify));
	auto pids = TRY(umd::read_pids(pid, num));
	return acl_return(umd::allow_notify(*found, pids));
}

aclError aclrtCntNotifyCreate(aclrtCntNotify *cntNotify, uint64_t flag)
{
	if (!cntNotify)
		return acl_return(null_argument("cntNotify"));
	auto context = TRY(Contexts::get().current());
	auto made = TRY(umd::create_notify(*context, true, flag));
	*cntNotify = Notify::counters().pointer(*made);
	umd::check::made(*cntNotify, "a cntNotify", 0, __builtin_return_address(0));
	return ACL_SUCCESS;
}

aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify)
{
	auto found = TRY(find_counter(cntNotify));
	if (!umd::destroy_notify(*found, cntNotify))
		return acl_return(find_counter(cntNotify).status());
	umd::check::gone(cntNotify);
	return ACL_SUCCESS;
}

static Result<unpu_signal_op> signal_op(aclrtCntNotifyRecordMode mode)
{
	switch (mode) {
	case ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE:
		return UNPU_SIGNAL_SET;
	case ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE:
		return UNPU_SIGNAL_ADD;
	case ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE:
		return UNPU_SIGNAL_OR;
	case ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE:
		return UNPU_SIGNAL_AND;
	}
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("info->mode is {}; it must be 0 (set), 1 (add), 2 (or) or 4 "
				     "(and)",
				     static_cast<int>(mode)));
}

aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream,
			      aclrtCntNotifyRecordInfo *info)
{
	if (!info)
		return acl_return(null_argument("info"));
	auto found = TRY(find_counter(cntNotify));
	auto on = TRY(umd::find_stream(stream, true));
	auto op = TRY(signal_op(info->mode));
	return acl_return(umd::record_notify(*found, *on, op, info->value));
}

static Result<unpu_wait_op> wait_op(aclrtCntNotifyWaitMode mode)
{
	switch (mode) {
	case ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE:
		return UNPU_WAIT_LT;
	case ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE:
		return UNPU_WAIT_EQ;
	case ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE:
		return UNPU_WAIT_GT;
	case ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE:
		return UNPU_WAIT_GE;
	case ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE:
		return UNPU_WAIT_MASK;
	}
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("info->mode is {}; it must be 0 (less), 1 (equal), 2 "
				     "(bigger), 3 (bigger or equal) or 4 (bits set)",
				     static_cast<int>(mode)));
}

aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify, aclrtStream stream,
				       aclrtCntNotifyWaitInfo *info)
{
	if (!info)
		return acl_return(null_argument("info"));
	auto found = TRY(find_counter(cntNotify));
	auto on = TRY(umd::find_stream(stream, true));
	auto op = TRY(wait_op(info->mode));
	if (info->isClear > 1)
		return acl_return(set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("info->isClear is {}; it must be 0 or 1", info->isClear)));
	unpu_sem_wait wait{};
	wait.op = op;
	wait.value = info->value;
	wait.timeout_ns = info->timeout * base::NS_PER_S;
	wait.flags = info->isClear ? UNPU_WAIT_CLEAR : 0;
	return acl_return(umd::wait_notify(*found, *on, wait));
}

aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream)
{
	auto found = TRY(find_counter(cntNotify));
	auto on = TRY(umd::find_stream(stream, true));
	return acl_return(umd::record_notify(*found, *on, UNPU_SIGNAL_SET, 0));
}

aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t *notifyId)
{
	if (!notifyId)
		return acl_return(null_argument("notifyId"));
	auto found = TRY(find_counter(cntNotify));
	*notifyId = found->sem;
	return ACL_SUCCESS;
}
