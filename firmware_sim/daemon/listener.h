// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <sys/types.h>

#include "base/shm.h"

namespace fwd {

/** class Listener - the socket at a path. It is gone from there when this object goes. */
class Listener {
public:
	/** open() - makes the socket, in place of one that nobody listens at any more.
	 * @group: whose members may connect; -1: the owner alone
	 * @why: receives a sentence when the result is not OK
	 * Return: IN_USE when a live process listens there, NO_PERMISSION, INVALID_ARGUMENT. */
	static base::Result<std::unique_ptr<Listener>> open(const std::string &path, gid_t group,
							    std::string &why);
	~Listener();

	int fd() const { return socket_.get(); }

private:
	explicit Listener(std::string path) : path_(std::move(path)) {}
	base::Status bind_path(gid_t group, std::string &why);

	std::string path_;
	base::Fd socket_;
	dev_t device_ = 0; /* of the file */
	ino_t inode_ = 0;  /* 0: not made */
};

} // namespace fwd
