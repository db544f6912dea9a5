// SPDX-License-Identifier: MIT
/*
 * DOC: No runtime
 *
 * For a program that has the front end without a runtime: the launch of other operators than Add and Mul, the single
 * objects of the process, and strict mode, which is off.
 */
#pragma once

#include "umd/acl/dump/dump.h"
#include "umd/acl/operator_names.h"
#include "umd/core/process/check.h"
#include "umd/core/process/process.h"
#include "umd/core/task/launch.h"

namespace umd {

void *Process::keep(Slot &slot, void *made)
{
	slot.object = made;
	return made;
}

constinit std::atomic<bool> operators_watched{false};

base::Status launch_nothing(void *)
{
	return base::Status::OK;
}

base::Status launch_tensor(void *, uint16_t, uint32_t, std::span<const uint64_t>)
{
	return base::Status::NOT_SUPPORTED;
}

base::Status launch_watched_tensor(void *, uint16_t, uint32_t, std::span<const uint64_t>,
				   const std::shared_ptr<const DumpOperator> &)
{
	return base::Status::NOT_SUPPORTED;
}

uint32_t check::mode = 0;

base::Status check::misuse(base::Status, const std::string &)
{
	return base::Status::OK;
}

} // namespace umd
