// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernel_job.h"
#include "workers.h"

namespace fw {

/** class KernelTexts - the output of a client's kernels, and messages about failed kernels. */
class KernelTexts {
public:
	/** add() - takes the output and the failure of @job. Return: bytes of output. */
	uint64_t add(KernelJob &job);

	/** add_failure() - stores a message about the packet with the cookie of @head. */
	void add_failure(unpu_kernel_output head, std::string sentence);

	/** take_output() - takes records that fit into @bytes: at most TOKEN_BYTES of them, or a single
	 * longer one.
	 * Return: ARRAY_TOO_SMALL if not even one record fits. */
	base::Status take_output(uint64_t bytes, std::vector<std::byte> &taken);

	/** copy_failure() - copies the record and the message about the launch with @cookie. */
	base::Status copy_failure(uint64_t cookie, std::byte *to, uint64_t bytes,
				  uint64_t &stored) const;

	std::string load_failure; /* message about the last failed load */

private:
	struct Failed {
		unpu_kernel_output head;
		std::string sentence;
	};

	uint64_t add_some(OutputPiece &piece, uint64_t room);

	std::deque<std::vector<std::byte>> output_; /* pieces */
	uint64_t taken_bytes_ = 0; /* bytes of the first piece that were taken so far */
	uint64_t output_bytes_ = 0;
	std::deque<Failed> failed_;
};

/** struct ImageCopy - copies an image from the client's memory to a file. Context of run(): any thread. */
struct ImageCopy {
	void run();

	Hold source;
	base::Mapping writer;
	uint64_t bytes = 0;
};

/** struct ClientKernels - the images of a client, its worker and its texts. */
struct ClientKernels {
	std::shared_ptr<Workers::Supervisor> supervisor; /* nullptr: no image was loaded yet */
	uint64_t untold = 0; /* address from which on it does not know the mappings yet */
	std::map<uint32_t, std::shared_ptr<KernelImage>> images;
	uint32_t last_image = 0;
	KernelTexts texts;
	std::unordered_map<uint32_t, uint64_t> printed; /* printed bytes, by timeline */
};

} // namespace fw
