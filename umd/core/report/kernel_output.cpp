// SPDX-License-Identifier: MIT
/**
 * DOC: What kernels print
 *
 * The device keeps what kernels print until a synchronisation takes it. It counts the bytes in the line of each
 * channel, so that a synchronisation without output costs one load. What kernels have accessed comes in the same way,
 * while calls are recorded.
 */
#include "kernel_output.h"

#include <cstdio>
#include <cstring>
#include <mutex>

#include "base/os/calls/without_signals.h"
#include "base/sync/mutex.h"
#include "kernel_operands.h"
#include "umd/core/process/process.h"

namespace umd {

/* One request takes so much output. A block prints at most 1 MiB, and its output is never divided. */
static constexpr uint64_t OUTPUT_BYTES = (uint64_t{1} << 20) + 65536;

/* Return: the bytes of the text that this part used; 0 if the rest is no part. */
static size_t take_part(const char *text, size_t bytes)
{
	unpu_kernel_output head;
	if (bytes < sizeof(head))
		return 0;
	memcpy(&head, text, sizeof(head));
	const size_t padded = (size_t{head.bytes} + 7) & ~size_t{7};
	if (padded > bytes - sizeof(head))
		return 0;
	if (head.core == UNPU_KERNEL_OBSERVED) {
		note_kernel_accesses(head.cookie, text + sizeof(head), head.bytes);
		return sizeof(head) + padded;
	}
	const base::calls::WithoutSignals whole;
	fwrite(text + sizeof(head), 1, head.bytes, stdout);
	if (head.dropped)
		fprintf(stdout, "\n[unpu: block %u printed more than is kept]\n", head.block);
	return sizeof(head) + padded;
}

namespace {

/* class KernelPrinter - one for the process, so that the texts of two threads do not mix. */
class KernelPrinter {
public:
	/* Takes all output of the device. */
	void print(drv::Device &device)
	{
		std::lock_guard lock(mutex_);
		bool is_any = false;
		while (print_some(device))
			is_any = true;
		/* The program may end without flushing it. */
		if (is_any) {
			const base::calls::WithoutSignals whole;
			fflush(stdout);
		}
	}

private:
	bool print_some(drv::Device &device) REQUIRES(mutex_);

	/* Held while the device answers, because the texts have an order. */
	base::Mutex mutex_{"KernelPrinter::mutex_", base::HeldOver::ANSWERS};
};

/* Return: whether there was something. */
bool KernelPrinter::print_some(drv::Device &device)
{
	auto text = device.kernel_text(UNPU_KERNEL_TEXT_OUTPUT, OUTPUT_BYTES);
	if (!text || text->empty())
		return false;
	size_t at = 0;
	while (const size_t used = take_part(text->data() + at, text->size() - at))
		at += used;
	return true;
}

} // namespace

void print_kernel_output(drv::Device &device)
{
	Process::own<KernelPrinter>().print(device);
}

} // namespace umd
