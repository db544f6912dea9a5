// SPDX-License-Identifier: MIT
/**
 * DOC: What kernels print
 *
 * The device keeps what kernels print until a synchronisation takes it. It counts the bytes in the line of
 * each channel, so that a synchronisation without output costs one load. While calls are recorded, the
 * accesses of kernels are fetched in the same way.
 */
#include "kernel_output.h"

#include <cstdio>
#include <cstring>
#include <mutex>

#include "base/os/calls/without_signals.h"
#include "base/sync/mutex.h"
#include "umd/core/process/process.h"
#include "umd/core/record/observer.h"

namespace umd {

/* The most output that one request fetches. A block prints at most 1 MiB, and its output is never divided. */
static constexpr uint64_t OUTPUT_BYTES = (uint64_t{1} << 20) + 65536;

/* Processes the next part of the output. Return: its size; 0 if the rest is not a valid part. */
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
		recorder::observer.note_kernel_accesses(head.cookie, text + sizeof(head),
							head.bytes);
		return sizeof(head) + padded;
	}
	const base::calls::WithoutSignals whole;
	fwrite(text + sizeof(head), 1, head.bytes, stdout);
	if (head.dropped)
		fprintf(stdout, "\n[unpu: block %u printed more than is kept]\n", head.block);
	return sizeof(head) + padded;
}

namespace {

/* class KernelPrinter - prints the output of kernels. There is one in a process, so that the texts of two
 * threads do not mix. */
class KernelPrinter {
public:
	/* Takes all output of the device. */
	void print(drv::Device &device)
	{
		std::lock_guard lock(mutex_);
		bool is_any = false;
		while (print_some(device))
			is_any = true;
		/* Flushes stdout, because the program may end without doing so. */
		if (is_any) {
			const base::calls::WithoutSignals whole;
			fflush(stdout);
		}
	}

private:
	bool print_some(drv::Device &device) REQUIRES(mutex_);

	/* Held while the device answers, so that the texts stay in order. */
	base::Mutex mutex_{"KernelPrinter::mutex_", base::HeldOver::ANSWERS};
};

/* Prints some of the output. Return: whether there was any. */
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
