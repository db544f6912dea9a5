// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <sys/types.h>

#include "base/os/shm.h"

namespace fwd {

/** class Listener - the listening socket at a path. The destructor removes the socket file. */
class Listener {
public:
	/** open() - makes the socket; replaces a stale socket file whose process has ended.
	 * @group: its members may connect; -1: only the owner may
	 * @why: receives an error message if the result is not OK
	 * Return: IN_USE when a live process listens there, NO_PERMISSION, INVALID_ARGUMENT. */
	static base::Result<std::unique_ptr<Listener>> open(const std::string &path, gid_t group,
							    std::string &why);
	~Listener();

	int fd() const { return socket_.get(); }

private:
	explicit Listener(std::string path) : path_(std::move(path)) {}
	base::Status bind_path(gid_t group, std::string &why);
	base::Status name_file(const std::string &hidden, gid_t group, std::string &why);

	std::string path_;
	base::Fd socket_;
	dev_t device_ = 0; /* device of the socket file */
	ino_t inode_ = 0;  /* inode of the socket file; 0: not created */
};

} // namespace fwd
