// SPDX-License-Identifier: MIT
#pragma once

#include "base/schedule.h"
#include "options.h"

namespace hal {

/**
 * asked_schedule() - the plan that UNPU_SCHEDULE gives to the devices of @options; nullptr: there is no plan.
 * @why: receives an error message on failure
 * Return: INVALID_ARGUMENT for a wrong plan, and for a backend whose devices can't run a plan.
 */
base::Result<std::shared_ptr<const base::SchedulePlan>> asked_schedule(const Options &options,
								       std::string &why);

} // namespace hal
