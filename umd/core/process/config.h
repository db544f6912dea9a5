// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "settings.h"

namespace umd {

/** struct InitConfig - the settings of the initialisation file. */
struct InitConfig {
	int32_t default_device = -1;
	bool process_errors = false; /* one buffer for the error messages of all threads */
	std::array<std::optional<int64_t>, LIMITS> limits;
	std::string text;
	uint64_t hash = 0; /* hash of the text */
};

/** read_config() - reads the JSON file of an initialisation; NULL and "" are the defaults.
 * Return: BAD_FILE, BAD_CONFIG, BAD_QUEUE_LENGTH; sets the error message. */
base::Status read_config(const char *path, InitConfig &config);

} // namespace umd
