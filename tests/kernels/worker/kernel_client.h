// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "drv/packet/packets.h"
#include "firmware_sim/self_test/self_client.h"
#include "tests/common/abilities.h"
#include "uapi/kernel.h"

namespace kernels {

using base::Status;
using raw::Memory;

/** read_image() - the bytes of an image beside the tests. */
std::vector<std::byte> read_image(const std::string &name);

/** workers() - processes of workers whose parent is this process. */
std::vector<int> workers();

/** struct Printed - text of one block. */
struct Printed {
	unpu_kernel_output head;
	std::string text;
};

/** class KernelClient - a client with a device of its own, memory and a channel. */
class KernelClient {
public:
	explicit KernelClient(uint32_t features = 0, uint64_t memory_bytes = uint64_t{256} << 20,
			      uint64_t quota_bytes = 0);

	/** load() - loads an image. */
	Status load(const std::string &name, uint32_t &image);
	/** load_good() - loads the good image, or what clang made of it, and remembers what its kernels are. */
	void load_good(const std::string &name = "good_image");
	/** load_only() - the same for an image with any number of kernels. */
	void load_only(const std::string &name);

	/** entry() - the number of a kernel of the good image. */
	uint32_t entry(const std::string &name) const;

	/** launch() - appends a launch to the ring. @on: another channel of the client */
	void launch(const std::string &name, uint32_t blocks, const std::vector<uint64_t> &args,
		    uint64_t timeout_ns = 0, self_test::Channel *on = nullptr);
	/** observe() - launches from now on have an observer, and a level of checks. */
	void observe(uint64_t observer, uint32_t check = 1)
	{
		observer_ = observer;
		check_ = check;
	}
	/** run() - launch(), and waits. Return: the status. */
	Status run(const std::string &name, uint32_t blocks, const std::vector<uint64_t> &args = {},
		   uint64_t timeout_ns = 0);

	/** failure() - the sentence about the last launch, or the one with @cookie. */
	std::string failure() { return failure(cookie_); }
	std::string failure(uint64_t cookie);
	/** cookie() - of the last launch. */
	uint64_t cookie() const { return cookie_; }
	/** load_failure() - the sentence about the last load that failed. */
	std::string load_failure();
	/** printed() - takes the output. */
	std::vector<Printed> printed();
	/** output_bytes() - of the timeline's line. */
	uint64_t output_bytes() const;

	Memory memory(uint64_t bytes);
	self_test::Host &host() { return *host_; }
	self_test::Channel &channel() { return *channel_; }
	uint32_t image() const { return image_; }
	const std::vector<unpu_kernel_info> &infos() const { return infos_; }

private:
	Status text(uint32_t kind, uint64_t cookie, uint64_t &bytes);

	std::unique_ptr<self_test::Host> host_;
	std::unique_ptr<self_test::Channel> channel_;
	Memory texts_;
	uint32_t image_ = 0;
	std::vector<unpu_kernel_info> infos_;
	uint64_t cookie_ = 100;
	uint64_t observer_ = 0;
	uint32_t check_ = 0;
};

} // namespace kernels
