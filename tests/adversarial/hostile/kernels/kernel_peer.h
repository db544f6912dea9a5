// SPDX-License-Identifier: MIT
#ifndef UNPU_TESTS_HOSTILE_KERNELS_KERNEL_PEER_H
#define UNPU_TESTS_HOSTILE_KERNELS_KERNEL_PEER_H

#include "attack.h"
#include "tests/adversarial/hostile/hostile_peer.h"
#include "uapi/kernel.h"

namespace attack {

using base::Status;

/** class KernelPeer - a wire client with the hostile image. */
class KernelPeer {
public:
	/** open() - attaches and loads the image. Return: nullptr, or what went wrong. */
	const char *open(const std::string &socket);

	/** load() - asks for an image of @bytes at @va, or for that of a file. Return: the status. */
	Status load(uint64_t va, uint64_t bytes);
	Status load(const char *file);
	/** unload() - the image that was loaded last. */
	Status unload();

	/** launch() - Return: the value of the timeline when it has ended. */
	uint64_t launch(Command command, std::initializer_list<uint64_t> words = {});
	/** descriptor() - that of such a launch, for a node of a graph. */
	std::vector<uint64_t> descriptor(Command command,
					 std::initializer_list<uint64_t> words = {}) const;
	/** launch_from_memory() - SPIN in a channel of its own; the arguments, as many as there may be, are at @va. */
	uint64_t launch_from_memory(hostile::Channel &channel, uint64_t va);
	/** run() - launch(), and waits. Return: the status. */
	Status run(Command command, std::initializer_list<uint64_t> words = {});
	/** sentence() - about the last launch. load_sentence() - about the last load that failed. */
	std::string sentence();
	std::string load_sentence();

	hostile::Peer &peer() { return *peer_; }
	hostile::Channel &channel() { return channel_; }
	uint64_t out_va() const { return out_.va; }
	const uint64_t *out() const { return out_.as<const uint64_t>(); }

private:
	std::string text(uint32_t kind, uint64_t cookie);

	std::unique_ptr<hostile::Peer> peer_;
	hostile::Channel channel_;
	hostile::Memory out_;
	uint32_t image_ = 0;
	uint64_t cookie_ = 0;
};

} // namespace attack

#endif
