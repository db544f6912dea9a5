// SPDX-License-Identifier: MIT
/*
 * DOC: clients whose kernels attack
 *
 *	unpu_hostile_kernels FIRMWARE-SIM [--seconds N] [--only NAME]
 *
 * Each attack runs beside a good client, which checks its results. The program ends with 0 when each attack failed, and
 * the firmware ends in order. How long the good client waits depends on the machine, so the program only prints it.
 */
#include <cstdio>

#include <CLI/CLI.hpp>

#include "attacks.h"
#include "folder.h"
#include "tests/adversarial/attacker/firmware.h"
#include "tests/adversarial/attacker/good_client.h"

namespace {

bool run_all(const std::string &program, const std::string &only, double seconds)
{
	const Folder folder;
	attack::Ground ground{folder.file("firmware"), seconds};
	attacker::Firmware firmware;
	attacker::GoodClient client;
	if (!firmware.start(program, ground.socket, {"--quota-memory", "256M"}) ||
	    !client.start(ground.socket)) {
		printf("the firmware can't be started\n");
		return false;
	}
	ground.firmware = firmware.pid();
	bool is_good = true;
	for (const attack::Attack &one : attack::attacks()) {
		if (!only.empty() && only != one.name)
			continue;
		(void)client.take_waits();
		const std::string wrong = one.run(ground);
		printf("%-10s the good client waits %.1f ms at worst%s%s\n", one.name,
		       static_cast<double>(client.take_waits().worst_ns) / 1e6,
		       wrong.empty() ? "" : "; WRONG: ", wrong.c_str());
		is_good = is_good && wrong.empty();
	}
	is_good = client.stop() && is_good;
	return firmware.end() && is_good;
}

} // namespace

int main(int argc, char **argv)
{
	std::string program, only;
	double seconds = 2;
	CLI::App app("Attacks a firmware-sim by kernels, beside a good client.");
	app.add_option("firmware", program, "The firmware-sim to start")->required();
	app.add_option("--only", only, "One attack; all if not given");
	app.add_option("--seconds", seconds, "Of each attack that takes time");
	CLI11_PARSE(app, argc, argv);
	setvbuf(stdout, nullptr, _IOLBF, 0);
	return run_all(program, only, seconds) ? 0 : 1;
}
