// SPDX-License-Identifier: MIT
#pragma once

#include "base/schedule.h"
#include "options.h"

namespace hal {

/**
 * asked_schedule() - the plan that UNPU_SCHEDULE gives to devices of @options; nullptr: none.
 * @why: receives a sentence when the result is not OK
 * Return: INVALID_ARGUMENT, also for a backend whose devices can't explore.
 */
base::Result<std::shared_ptr<const base::SchedulePlan>> asked_schedule(const Options &options,
								       std::string &why);

} // namespace hal
