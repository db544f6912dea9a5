// SPDX-License-Identifier: MIT
#pragma once

#include "hal/device.h"
#include "hal/host_faults.h"

namespace hal {

/** make_faulty() - wraps @device so that @faults are injected into the host's calls. */
std::unique_ptr<Device> make_faulty(std::unique_ptr<Device> device,
				    std::unique_ptr<HostFaults> faults);

} // namespace hal
