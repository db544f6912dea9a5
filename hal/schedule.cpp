// SPDX-License-Identifier: MIT
/**
 * DOC: The schedule that a program asks for
 *
 * UNPU_SCHEDULE applies to the firmware inside this process, or to the firmware process that this process
 * starts. A firmware that serves several processes has its own option, --schedule.
 */
#include "schedule.h"

namespace hal {

using Plan = std::shared_ptr<const base::SchedulePlan>;

base::Result<Plan> asked_schedule(const Options &options, std::string &why)
{
	const std::string text = environment("UNPU_SCHEDULE");
	if (text.empty())
		return Plan();
	if (options.backend != Backend::THREAD && options.backend != Backend::SPAWN) {
		why = "UNPU_SCHEDULE: only devices of sim: and sim+proc: take a schedule; "
		      "firmware-sim has an option for its own";
		return base::Status::INVALID_ARGUMENT;
	}
	auto plan = base::parse_schedule(text, why);
	if (!plan)
		why = "UNPU_SCHEDULE: " + why;
	return plan;
}

} // namespace hal
