// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-kernel-worker
 *
 * The process that runs the kernels of one context. Only a firmware starts it, with a socket as descriptor 3.
 */
#include <csignal>
#include <cstdio>

#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/os/calls/confinement.h"
#include "base/os/calls/files.h"
#include "base/os/thread.h"
#include "confine.h"
#include "kernels/worker/session.h"
#include "sample.h"
#include "signals.h"

namespace worker {

static uint32_t find_image(uint64_t &pc);
static bool is_code(uint64_t pc);
static bool is_memory(uint64_t address);

/* class OwnProcess - a process that ends with its session, and may do nothing but run kernels. */
class OwnProcess final : public Home {
public:
	/* The filter of system calls has the number of the descriptor. */
	int keep_kick(int file) override
	{
		if (file == UNPU_WORKER_KICK)
			return file;
		const int kept = base::calls::replace(file, UNPU_WORKER_KICK);
		base::calls::close(file);
		return kept;
	}
	bool begin() override
	{
		handle_signals(find_image);
		if (!base::is_traced())
			allow_samples(is_code, is_memory);
		return close_files() && prepare_filters();
	}
	void begin_thread() override
	{
		use_signal_stack();
		close_calls_of_thread();
		note_thread_closed();
	}
	bool close(uint32_t threads, uint64_t address_bytes, uint64_t heap_bytes) override
	{
		await_threads_closed(threads - 1);
		return close_calls(address_bytes, heap_bytes);
	}
	void note_message(uint32_t type) override { worker::note_message(type); }
	bool sample(int thread, Sample &sample) override { return sample_thread(thread, sample); }
};

/* That of the firmware's engines while several clients have work. */
static constexpr int KERNELS_NICE = 10;

/* Not destroyed: the helpers never end. */
static Session &session()
{
	static auto *only = new Session(*new OwnProcess, UNPU_WORKER_SOCKET);
	return *only;
}

static uint32_t find_image(uint64_t &pc)
{
	return session().find_image(pc);
}

static bool is_code(uint64_t pc)
{
	return session().find_image(pc) != 0;
}

static bool is_memory(uint64_t address)
{
	return session().is_memory(address);
}

} // namespace worker

int main(int, char **argv)
{
	int kind = 0;
	socklen_t bytes = sizeof(kind);
	if (getsockopt(UNPU_WORKER_SOCKET, SOL_SOCKET, SO_TYPE, &kind, &bytes) != 0 ||
	    kind != SOCK_SEQPACKET) {
		fputs("unpu-kernel-worker: only the firmware starts this program\n", stderr);
		return 2;
	}
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	worker::lay_out(argv);
	/* Kernels of one client do not keep the firmware from serving the others. */
	base::lower_priority(base::nice_value(), worker::KERNELS_NICE);
	/* The start by /proc/self/exe has changed it. */
	(void)prctl(PR_SET_NAME, "unpu-kernel-wor");
	return worker::session().run();
}
