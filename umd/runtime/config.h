// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace umd {

/** struct InitConfig - what the initialisation file may say. */
struct InitConfig {
	int32_t default_device = -1;
	uint64_t hash = 0; /* of the file's text */
};

/** read_config() - reads the JSON file of aclInit; NULL and "" are the defaults.
 * Return: BAD_FILE, BAD_CONFIG, INVALID_DEVICE-like mistakes as BAD_CONFIG; the sentence is set. */
base::Status read_config(const char *path, InitConfig &config);

} // namespace umd
