// SPDX-License-Identifier: MIT
/*
 * DOC: Pass: dead launches
 *
 * Removes launches whose results nobody reads, or only the computation of shapes, which is done already. A choice of
 * which nothing is left is gone, too, and what computes its word with it.
 */
#include <algorithm>

#include "lower.h"

namespace models {

namespace {

/* class Marker - finds the launches that are needed, from the last one to the first. */
class Marker {
public:
	explicit Marker(const Program &program)
		: program_(program), is_read_(program.buffers.size()),
		  live_(program.launches.size() + 1), next_(program.choices.size())
	{
	}

	/* run() - Return: for each launch, how many of those from it on are needed */
	std::vector<uint32_t> run()
	{
		read_words(program_.launches.size());
		for (size_t k = program_.launches.size(); k-- > 0;) {
			live_[k] = live_[k + 1] + (mark(program_.launches[k]) ? 1 : 0);
			read_words(k);
		}
		return std::move(live_);
	}

private:
	/* Before launch @k, the device reads the words of the choices that begin there. */
	void read_words(size_t k)
	{
		for (; next_ > 0 && program_.choices[next_ - 1].first == k; next_--) {
			const Choice &choice = program_.choices[next_ - 1];
			if (live_[choice.first] != live_[choice.end])
				is_read_[choice.buffer] = true;
		}
	}

	bool mark(const Launch &launch)
	{
		const bool is_live = std::ranges::any_of(launch.addresses, [&](const auto &each) {
			return each.is_written &&
			       (is_read_[each.buffer] ||
				program_.buffers[each.buffer].space == Space::OUTPUT);
		});
		for (const Relocation &address : launch.addresses)
			if (is_live && !address.is_written)
				is_read_[address.buffer] = true;
		return is_live;
	}

	const Program &program_;
	std::vector<bool> is_read_;
	std::vector<uint32_t> live_;
	size_t next_; /* choices from here on begin at a launch that was looked at */
};

} // namespace

void drop_dead(Program &program)
{
	const std::vector<uint32_t> live = Marker(program).run();
	const auto now = [&live](uint32_t k) { return live[0] - live[k]; };
	for (Choice &choice : program.choices) {
		choice.first = now(choice.first);
		choice.middle = now(choice.middle);
		choice.end = now(choice.end);
	}
	std::erase_if(program.choices,
		      [](const Choice &choice) { return choice.first == choice.end; });
	size_t kept = 0;
	for (size_t k = 0; k < program.launches.size(); k++) {
		if (live[k] == live[k + 1])
			continue;
		if (kept != k)
			program.launches[kept] = std::move(program.launches[k]);
		kept++;
	}
	program.launches.resize(kept);
}

} // namespace models
