// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "connection.h"
#include "hal/options.h"

namespace hal {

/**
 * class SpawnedFirmware - a firmware-sim process that this process has started. No other process can connect
 * to it. It exits with this object or with this process. Context: any thread.
 */
class SpawnedFirmware {
public:
	/** get() - the firmware for @options; starts it unless one of its devices is open.
	 * @why: receives an error message on failure
	 * Return: INVALID_DEVICE without a program to start, NO_RESOURCE, NO_PERMISSION. */
	static base::Result<std::shared_ptr<SpawnedFirmware>> get(const Options &options,
								  std::string &why);
	~SpawnedFirmware();

	/** connect() - makes a connection to the firmware. @why: as above. Return: NO_RESOURCE,
	 * DEVICE_LOST. */
	base::Result<std::unique_ptr<Connection>> connect(std::string &why);

private:
	using Words = std::vector<std::string>;
	SpawnedFirmware(Words command, base::Fd control);
	static Words command(const std::string &program, const Options &options);
	base::Status start(const base::Fd &end, std::string &why);
	base::Fd open_process() const;

	const Words command_;
	Connection control_;
	pid_t owner_; /* a forked child has a copy of this object, but the firmware is not its child */
	pid_t pid_ = -1;
};

} // namespace hal
