// SPDX-License-Identifier: MIT
/**
 * DOC: A worker inside of the program
 *
 * With kernels=inline the firmware loads this library into the program, and calls unpu_kernel_serve() in a thread
 * for each worker. Nothing is confined, and the program keeps its signal handlers. So for a debugger, a sanitizer
 * or the system, a fault of a kernel is a fault of the program.
 */
#include "kernels/worker/session.h"

namespace worker {

/* class Program - the program that has the firmware in it. */
class Program final : public Home {
public:
	bool is_program() const override { return true; }
};

} // namespace worker

/* unpu_kernel_serve() - serves the firmware at the other end of @socket until the firmware closes its end. It closes
 * @socket then. */
extern "C" __attribute__((visibility("default"))) int unpu_kernel_serve(int socket)
{
	worker::Program program;
	return worker::Session(program, socket).run();
}
