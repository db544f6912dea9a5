// SPDX-License-Identifier: MIT
#pragma once

#include <acl/acl.h>

#include <cstdint>
#include <initializer_list>

namespace storm {

/** class Program - a program that has loaded the image: a stream and a page of device memory. It ends the process
 * with a sentence if a call fails that must not. */
class Program {
public:
	Program();
	~Program();
	Program(const Program &) = delete;
	Program &operator=(const Program &) = delete;

	/** run() - launches the kernel @name and waits. @limit_us: 0: none. Return: the result of the wait */
	aclError run(const char *name, uint32_t blocks, std::initializer_list<uint64_t> args,
		     uint64_t limit_us = 0) const;

	uint64_t *memory = nullptr; /* of the device */

	/** read() - copies words of @memory to the host. write() - the other way. */
	void read(uint64_t *to, size_t words) const;
	void write(const uint64_t *from, size_t words) const;

	static constexpr size_t WORDS = 512;

private:
	aclrtStream stream_ = nullptr;
	aclrtBinHandle binary_ = nullptr;
};

/** be_bad() - runs @kernels bad kernels, each of which has to fail. Return: how many did not. */
unsigned be_bad(unsigned seed, unsigned kernels);

/** struct Daemon - what the firmware of this test has at one moment. */
struct Daemon {
	/** look() - at the firmware that has the same parent as this process. */
	static Daemon look();

	unsigned workers = 0;
	unsigned threads = 0;
	unsigned files = 0;
	uint64_t anonymous_kb = 0;
	uint64_t shared_kb = 0;
};

} // namespace storm
