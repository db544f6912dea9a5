// SPDX-License-Identifier: MIT
/**
 * DOC: Strict mode
 */
#include "mode.h"

#include <fmt/format.h>

#include "base/os/calls/transfers.h"
#include "hal/options.h"

namespace umd::check {

uint32_t mode;

void begin_if_asked()
{
	const std::string wanted = hal::environment("UNPU_CHECK");
	const bool is_error = wanted == "error";
	if (wanted.empty() || wanted == "off" || wanted == "0")
		return;
	if (!is_error && wanted != "warn" && wanted != "1")
		base::calls::warn(fmt::format(
			"unpu: UNPU_CHECK is '{}'; it must be off, warn or error; this run takes "
			"warn\n",
			wanted));
	base::store_relaxed(mode, static_cast<uint32_t>(is_error ? Mode::ERROR : Mode::WARN));
}

} // namespace umd::check
