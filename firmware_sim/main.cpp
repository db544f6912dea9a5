// SPDX-License-Identifier: MIT
/**
 * DOC: firmware-sim
 *
 * The firmware as a program. It serves its devices to programs that attach, or it boots one device and
 * runs the self-test. Run the self-test first when the libraries fail on a machine.
 */
#include <memory>

#include <malloc.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "daemon/log.h"
#include "daemon/options.h"
#include "daemon/server.h"
#include "firmware_sim/memory/page_guard.h"
#include "firmware_sim/self_test/self_test.h"

static int check_device(const fwd::Options &options)
{
	constexpr uint64_t CHECK_MEMORY_BYTES = uint64_t{64} << 20;
	fw::Wishes wishes = options.wishes;
	if (wishes.memory_bytes == 0)
		wishes.memory_bytes = CHECK_MEMORY_BYTES;
	if (wishes.engines < 0)
		wishes.engines = 1;
	fw::Config config = fw::configure(wishes);
	config.soc_name = options.soc_name.c_str();
	return self_test::run(config) ? fwd::EXIT_GOOD : fwd::EXIT_CHECK_FAILED;
}

/* Limits the work of the allocator in one call, because all threads wait for it. Without fast bins it never
 * merges very many small pieces in one call. Large blocks have mappings of their own, so free() returns their
 * pages to the kernel. By default, the threshold for such mappings would grow up to 32 MiB, so it is fixed
 * here. */
static void bound_allocator()
{
	constexpr int LARGE_BYTES = 128 << 10;
	mallopt(M_MXFAST, 0);
	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
}

int main(int argc, char **argv)
{
	fwd::Options options;
	int code = fwd::parse_options(argc, argv, options);
	if (code >= 0)
		return code;
	if (!options.serves())
		return check_device(options);
	const auto log = std::make_shared<fwd::Log>(STDERR_FILENO);
	spdlog::set_default_logger(std::make_shared<spdlog::logger>("firmware-sim", log));
	spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%e %n[%P] %l: %v");
	spdlog::set_level(spdlog::level::from_str(options.log_level));
	bound_allocator();
	fw::PageGuard::install();
	code = fwd::Server(options, log).run();
	log->finish();
	return code;
}
