// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl.h"
#include "umd/core/device/fault_watch.h"
#include "umd/core/kernel/kernel_launch.h"
#include "umd/core/process/plain_object.h"

/* The fault that the callback of the program may query. */
struct rtExceptionInfo : umd::PlainObject<umd::Kind::EXCEPTION> {
	static constexpr const char *NAME = "exception info";

	umd::FaultInfo fault;
	std::shared_ptr<umd::KernelMemory> args; /* answers to queries of the program */
};

namespace umd {

/* class ToldException - gives a fault a handle while the callback of the program runs. */
class ToldException {
public:
	explicit ToldException(const FaultInfo &fault) : info_(make_plain<rtExceptionInfo>())
	{
		if (info_)
			info_->fault = fault;
		now_ = &fault;
	}
	ToldException(const ToldException &) = delete;
	ToldException &operator=(const ToldException &) = delete;
	~ToldException()
	{
		now_ = nullptr;
		if (!info_)
			return;
		info_->args.reset();
		Process::own<PlainTable<rtExceptionInfo>>().destroy(*info_);
	}

	/* handle() - the handle; NULL if there are too many. */
	aclrtExceptionInfo *handle() const { return info_ ? handle_of(*info_) : nullptr; }

	/* now() - the fault whose callback the calling thread runs; nullptr: none */
	static const FaultInfo *now() { return now_; }

private:
	static inline constinit thread_local const FaultInfo *now_ = nullptr;

	rtExceptionInfo *const info_;
};

} // namespace umd
