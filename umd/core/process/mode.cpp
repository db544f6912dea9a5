// SPDX-License-Identifier: MIT
/**
 * DOC: Strict mode
 */
#include "mode.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/os/calls/transfers.h"
#include "hal/options.h"

namespace umd::check {

uint32_t mode;

void begin_if_asked()
{
	const std::string wanted = hal::environment("UNPU_CHECK");
	const bool is_error = wanted == "error";
	const bool is_off = wanted.empty() || wanted == "off" || wanted == "0";
	if (wanted == "0" || (!is_off && !is_error && wanted != "warn"))
		base::calls::warn(fmt::format(
			"unpu: UNPU_CHECK is '{}'; it must be off, warn or error; this run takes "
			"{}\n",
			wanted, is_off ? "off" : "warn"));
	if (is_off)
		return;
	base::store_relaxed(mode, static_cast<uint32_t>(is_error ? Mode::ERROR : Mode::WARN));
}

static double read_hang_limit()
{
	constexpr double USUAL_S = 10;
	constexpr double MOST_S = 1e6;
	const std::string text = hal::environment("UNPU_HANG_S");
	char *end = nullptr;
	const double seconds = strtod(text.c_str(), &end);
	if (!text.empty() && *end == '\0' && seconds >= 0)
		return std::min(seconds, MOST_S);
	if (!text.empty())
		base::calls::warn(
			fmt::format("unpu: UNPU_HANG_S is '{}'; it must be a number of seconds, "
				    "0 or more; this run takes {}\n",
				    text, USUAL_S));
	return USUAL_S;
}

double hang_limit_s()
{
	static const double limit_s = read_hang_limit();
	return limit_s;
}

} // namespace umd::check
