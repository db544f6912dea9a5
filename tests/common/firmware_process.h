// SPDX-License-Identifier: MIT
/*
 * DOC: a firmware that one test starts
 *
 * Some tests need a firmware-sim with options of their own, or kill it. The binary is next to this
 * program, as it is next to the libraries in an installed toolkit.
 */
#ifndef UNPU_TESTS_CONFORMANCE_FIRMWARE_PROCESS_H
#define UNPU_TESTS_CONFORMANCE_FIRMWARE_PROCESS_H

#include <sys/types.h>

#include <string>
#include <vector>

#include "folder.h"

namespace conformance {

/* A firmware-sim that listens; up and ready when the constructor is done, gone after the destructor. */
class Firmware {
public:
	explicit Firmware(const std::vector<std::string> &options);
	~Firmware();
	Firmware(const Firmware &) = delete;
	Firmware &operator=(const Firmware &) = delete;

	bool ready() const { return ready_; }
	/* What reaches it: "unix:PATH". */
	const std::string &device_string() const { return device_string_; }
	pid_t pid() const { return pid_; }

	/* Ends it by a signal. Returns its exit code, or minus the signal it died of. */
	int end(int signal);

	/* Starts one like it at the same path, after its end. */
	void start_again();

private:
	const Folder folder_;
	std::vector<std::string> arguments_;
	std::string device_string_;
	pid_t pid_ = -1;
	bool ready_ = false;
};

} // namespace conformance

#endif
