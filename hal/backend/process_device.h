// SPDX-License-Identifier: MIT
#pragma once

#include "hal/device.h"

namespace hal {

/** open_process() - opens a device of a firmware in another process. @why: receives an error message on
 * failure. */
base::Result<std::unique_ptr<Device>> open_process(const Options &options, uint32_t index,
						   std::string &why);

/** look_at_process() - gets the snapshot of a device without attaching to it. @why: as above. */
base::Result<std::string> look_at_process(const Options &options, uint32_t index, std::string &why);

/** probe_process() - asks the firmware about its devices and fills in @options. @why: as above. */
base::Status probe_process(Options &options, std::string &why);

} // namespace hal
