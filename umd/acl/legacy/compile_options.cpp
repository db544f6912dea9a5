// SPDX-License-Identifier: MIT
/**
 * DOC: Options of the compiler of legacy operators
 *
 * Nothing is compiled, so the options have no effect. Frameworks set options when they start, and query some
 * of them.
 */
#include <array>
#include <cstring>
#include <mutex>
#include <string>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"
#include "base/sync/mutex.h"
#include "umd/acl/front.h"
#include "umd/core/process/process.h"

using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::set_error;

namespace {

constexpr size_t OPTIONS = ACL_OP_DEBUG_OPTION + 1;

struct CompileOptions {
	CompileOptions() { values[ACL_OP_JIT_COMPILE] = "disable"; }

	base::Mutex mutex{"CompileOptions::mutex"};
	std::array<std::string, OPTIONS> values GUARDED_BY(mutex);
};

CompileOptions &options()
{
	return umd::Process::own<CompileOptions>();
}

Status check_option(aclCompileOpt opt)
{
	if (opt >= ACL_PRECISION_MODE && opt <= ACL_OP_DEBUG_OPTION)
		return Status::OK;
	return set_error(
		Status::INVALID_ENUM,
		fmt::format(
			"opt is {}; it must be ACL_PRECISION_MODE (0) to ACL_OP_DEBUG_OPTION (16)",
			static_cast<int>(opt)));
}

} // namespace

aclError aclSetCompileopt(aclCompileOpt opt, const char *value)
{
	TRY(check_option(opt));
	if (!value)
		return acl_return(null_argument("value"));
	CompileOptions &all = options();
	std::lock_guard lock(all.mutex);
	all.values[opt] = value;
	return ACL_SUCCESS;
}

size_t aclGetCompileoptSize(aclCompileOpt opt)
{
	if (check_option(opt) != Status::OK)
		return 0;
	CompileOptions &all = options();
	std::lock_guard lock(all.mutex);
	return all.values[opt].size() + 1;
}

aclError aclGetCompileopt(aclCompileOpt opt, char *value, size_t length)
{
	TRY(check_option(opt));
	if (!value)
		return acl_return(null_argument("value"));
	CompileOptions &all = options();
	std::lock_guard lock(all.mutex);
	const std::string &text = all.values[opt];
	if (length <= text.size())
		return acl_return(
			set_error(Status::INVALID_ARGUMENT,
				  fmt::format("length is {}; the value has {} bytes with its zero",
					      length, text.size() + 1)));
	memcpy(value, text.c_str(), text.size() + 1);
	return ACL_SUCCESS;
}
