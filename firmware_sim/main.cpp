// SPDX-License-Identifier: MIT
/**
 * DOC: firmware-sim
 *
 * The firmware as a program. Devices live inside the programs that use them, so what is left to do
 * here is to boot one alone and to see whether it keeps to the wire: the question to ask first where
 * a machine and the libraries do not get on.
 */
#include <cstdio>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "self_test.h"
#include "uapi/graph.h"
#include "uapi/regs.h"
#include "uapi/ring.h"

static constexpr const char *NAME = "firmware-sim";

/* How the program ends; its --help says so too. */
static constexpr int EXIT_HELD = 0;
static constexpr int EXIT_CHECK_FAILED = 1;
static constexpr int EXIT_USAGE = 2;
static constexpr int EXIT_NOT_SUPPORTED = 3;

static constexpr const char *EXIT_CODES =
	"Ends with 0 when every check holds, 1 when one failed, 2 when the command line is wrong, "
	"3 when what was asked for is not supported by this build.";

/* As hal has them: what a program gets that asks for nothing. */
static constexpr uint32_t IDLE_POLLS = 2000;
static constexpr size_t SOC_NAME_MAX = sizeof(unpu_bar::soc_name) - 1;

struct Wishes {
	uint64_t memory_bytes = uint64_t{64} << 20;
	std::string soc_name = "Ascend910B3";
	std::string listen;
	uint32_t engines = 1;
	bool self_test = true; /* the one action there is */
};

static std::string version()
{
	struct Piece {
		const char *name;
		size_t bytes;
	};
#define PIECE(type) \
	Piece \
	{ \
#type, sizeof(type) \
	}
	constexpr Piece PIECES[] = {
		PIECE(unpu_bar),	PIECE(unpu_client_status), PIECE(unpu_channel_status),
		PIECE(unpu_call_entry), PIECE(unpu_sem_device),	   PIECE(unpu_sem_host),
		PIECE(unpu_message),	PIECE(unpu_packet),	   PIECE(unpu_operator),
		PIECE(unpu_descriptor), PIECE(unpu_graph_header),  PIECE(unpu_graph_line),
		PIECE(unpu_graph_node), PIECE(unpu_doorbells),	   PIECE(unpu_completion),
		PIECE(unpu_client),
	};
#undef PIECE
	std::string text = fmt::format("wire {}.{}", UNPU_ABI_MAJOR, UNPU_ABI_MINOR);
	for (const Piece &piece : PIECES)
		text += fmt::format("\n  {:<20} {:>9}", piece.name, piece.bytes);
	return text;
}

static std::string check_soc_name(const std::string &name)
{
	if (!name.empty() && name.size() <= SOC_NAME_MAX)
		return {};
	return fmt::format("a name has 1 to {} characters", SOC_NAME_MAX);
}

static int check_device(const Wishes &wishes)
{
	fw::Config config;
	config.memory_bytes = wishes.memory_bytes;
	config.engines = wishes.engines;
	config.idle_polls = IDLE_POLLS;
	config.soc_name = wishes.soc_name.c_str();
	return self_test::run(config) ? EXIT_HELD : EXIT_CHECK_FAILED;
}

int main(int argc, char **argv)
{
	constexpr uint64_t MEMORY_MAX_BYTES = uint64_t{1} << 40;
	constexpr uint32_t ENGINES_MAX = 64;
	Wishes wishes;
	CLI::App app("Boots a simulated device alone and checks it from outside, over the wire.",
		     NAME);
	app.footer(EXIT_CODES);
	app.set_version_flag("--version", version(),
			     "The wire's version and the bytes of its structs");
	app.add_option("--memory", wishes.memory_bytes, "Device memory; 64M if not given")
		->transform(CLI::AsSizeValue(false))
		->check(CLI::Range(self_test::MEMORY_MIN_BYTES, MEMORY_MAX_BYTES))
		->type_name("SIZE");
	app.add_option("--soc", wishes.soc_name, "The chip's name; Ascend910B3 if not given")
		->check(check_soc_name)
		->type_name("NAME");
	app.add_option("--engines", wishes.engines,
		       "Threads for long work, 0 for none; 1 if not given")
		->check(CLI::Range(uint32_t{0}, ENGINES_MAX))
		->type_name("N");
	auto *checks = app.add_flag("--self-test", wishes.self_test,
				    "Run the checks; so it does if no other action is given");
	auto *listen = app.add_option("--listen", wishes.listen,
				      "Serve other programs at a socket; this build does not")
			       ->type_name("PATH")
			       ->excludes(checks);
	try {
		app.parse(argc, argv);
	} catch (const CLI::ParseError &error) {
		return app.exit(error) == 0 ? EXIT_HELD : EXIT_USAGE;
	}
	if (listen->count() == 0)
		return check_device(wishes);
	fmt::print(stderr,
		   "{}: --listen: this build serves programs in their own process only (device "
		   "string sim:)\n",
		   NAME);
	return EXIT_NOT_SUPPORTED;
}
