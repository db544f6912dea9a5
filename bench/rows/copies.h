// SPDX-License-Identifier: MIT
#pragma once

#include "harness/round.h"
#include "process/client.h"

namespace bench {

/** class Copies - copies of 8 bytes to 256 MiB beside memcpy() of the same size. Its buffers live
 * over all rounds, since getting them costs more than copying them. */
class Copies {
public:
	explicit Copies(const Client &client);
	~Copies();
	Copies(const Copies &) = delete;
	Copies &operator=(const Copies &) = delete;

	void run(const Effort &effort, Round &round) const;

private:
	void pin();
	Summary in_halves(void (*way)(void *to, const void *from, size_t bytes), size_t bytes,
			  const Plan &plan) const;
	void run_size(size_t bytes, const Effort &effort, Round &round) const;
	void run_page(const Effort &effort, Round &round) const;

	const Client &client_;
	size_t most_bytes_ = 0;
	void *device_ = nullptr;
	void *pinned_ = nullptr;
	void *source_ = nullptr; /* ordinary memory */
	void *target_ = nullptr; /* ordinary memory */
};

} // namespace bench
