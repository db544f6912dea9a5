// SPDX-License-Identifier: MIT
/**
 * DOC: Fault injection for ranks
 *
 * The ranks of one machine run at nearly the same pace, so tests would see few different interleavings. With
 * UNPU_HCCL_CHAOS each rank pseudo-randomly delays calls and packets, fails in the middle of a call, or kills
 * its process. The seed makes each run repeatable.
 */
#include "fault_injector.h"

#include <csignal>
#include <sstream>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/os/calls/waits.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Status;

bool read_faults(const std::string &text, FaultSettings &settings)
{
	constexpr uint64_t MOST = 1000000;
	std::stringstream words(text);
	std::string word;
	if (!std::getline(words, word, ':') || !base::read_number(word, settings.seed))
		return false;
	while (std::getline(words, word, ':')) {
		const size_t at = word.find('=');
		const std::string key = word.substr(0, at);
		uint64_t *field = key == "delay_us"    ? &settings.delay_us
				  : key == "packet_us" ? &settings.packet_us
				  : key == "fail"      ? &settings.fail
				  : key == "kill"      ? &settings.kill
						       : nullptr;
		if (!field || at == std::string::npos ||
		    !base::read_number(word.substr(at + 1), *field) || *field > MOST)
			return false;
	}
	settings.is_on = true;
	return true;
}

/* Draws the next pseudo-random number: splitmix64 of the seed, the rank, and the number of earlier draws. */
uint64_t FaultInjector::draw(uint64_t below)
{
	uint64_t bits = (settings_.seed << 32) + (uint64_t{rank_} << 24) + ++draws_;
	bits = (bits + 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
	bits = (bits ^ (bits >> 30)) * 0x94d049bb133111ebull;
	bits ^= bits >> 31;
	return below == 0 ? 0 : bits % below;
}

static void pause_us(uint64_t time)
{
	if (time != 0)
		base::calls::sleep_until(base::deadline_after(time * 1000));
}

void FaultInjector::begin_call()
{
	pause_us(draw(settings_.delay_us + 1));
	packets_left_ = draw(1000) < settings_.fail ? draw(8) : UINT64_MAX;
	if (draw(1000) < settings_.kill)
		(void)raise(SIGKILL);
}

Status FaultInjector::before_packet()
{
	if (draw(8) == 0)
		pause_us(draw(settings_.packet_us + 1));
	if (packets_left_-- != 0)
		return Status::OK;
	return set_error(
		Status::NO_RESOURCE,
		fmt::format("UNPU_HCCL_CHAOS with the seed {} ends the call of rank {} here",
			    settings_.seed, rank_));
}

} // namespace umd
