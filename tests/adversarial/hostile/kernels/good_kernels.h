// SPDX-License-Identifier: MIT
#ifndef UNPU_TESTS_HOSTILE_KERNELS_GOOD_KERNELS_H
#define UNPU_TESTS_HOSTILE_KERNELS_GOOD_KERNELS_H

#include <atomic>
#include <thread>

#include "kernel_peer.h"

namespace attack {

/** class GoodKernels - a client whose kernels keep to the rules. It checks what they store. */
class GoodKernels {
public:
	/** start() - false when the firmware does not take it. */
	bool start(const std::string &socket);
	/** stop() - ends the rounds. Return: whether all was right. */
	bool stop();
	void print() const;

private:
	/* run_round() - nullptr, or what is wrong. */
	const char *run_round(uint64_t pattern);

	KernelPeer peer_;
	hostile::Memory memory_;
	std::atomic<bool> stop_{false};
	std::thread thread_;
	uint64_t rounds_ = 0;
	const char *wrong_ = nullptr;
};

} // namespace attack

#endif
