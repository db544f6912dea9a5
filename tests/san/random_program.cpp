// SPDX-License-Identifier: MIT
/**
 * DOC: random programs of several streams
 */
#include <algorithm>
#include <random>

#include "tests/san/reference.h"

namespace san::test {

namespace {

/* class Dice - small numbers, the same for the same seed on every machine. */
class Dice {
public:
	explicit Dice(uint64_t seed) : engine_(seed) {}
	int below(int n) { return static_cast<int>(engine_() % static_cast<uint64_t>(n)); }
	bool once_in(int n) { return below(n) == 0; }

private:
	std::mt19937_64 engine_;
};

Step::Use random_use(Dice &dice)
{
	static constexpr Access ACCESSES[] = {Access::READ,  Access::READ,	 Access::WRITE,
					      Access::WRITE, Access::READ_WRITE, Access::REDUCE};
	Step::Use use{0, 0, 1, ACCESSES[dice.below(6)]};
	if (dice.once_in(3)) {
		use.rows = 2 + dice.below(3);
		use.first = dice.below(PITCH);
		use.count = 1 + dice.below(PITCH - use.first);
	} else {
		use.first = dice.below(BYTES);
		use.count = 1 + dice.below(std::min(16, BYTES - use.first));
	}
	return use;
}

Step random_step(Dice &dice, const RandomProgram &program)
{
	Step step;
	step.stream = dice.below(static_cast<int>(program.streams.size()));
	step.event = dice.below(program.events);
	const int kind = dice.below(100);
	using What = Step::What;
	step.what = kind < 45	? What::COMMAND
		    : kind < 52 ? What::RECORD
		    : kind < 76 ? What::WAIT
		    : kind < 84 ? What::HOST_ACCESS
		    : kind < 88 ? What::SYNC_STREAM
		    : kind < 92 ? What::SYNC_EVENT
		    : kind < 93 ? What::SYNC_DEVICE
				: What::LAUNCH_CALLBACK;
	if (step.what == What::COMMAND || step.what == What::HOST_ACCESS) {
		for (int i = dice.below(2); i >= 0; i--)
			step.uses.push_back(random_use(dice));
	}
	return step;
}

} // namespace

RandomProgram random_program(uint64_t seed)
{
	Dice dice(seed);
	RandomProgram program;
	const bool cuda = dice.once_in(2);
	program.profile = cuda ? Profile::CUDA : Profile::ASCENDCL;
	const int streams = 2 + dice.below(4);
	for (int i = 0; i < streams; i++) {
		const uint16_t kind = dice.once_in(3) ? STREAM_NON_BLOCKING : 0;
		program.streams.push_back(i == 0 && cuda ? uint16_t{STREAM_LEGACY} : kind);
	}
	program.events = 1 + dice.below(4);
	const int steps = 5 + dice.below(45);
	std::vector<int> launched;
	for (int i = 0; i < steps; i++) {
		program.steps.push_back(random_step(dice, program));
		if (program.steps.back().what == Step::What::LAUNCH_CALLBACK)
			launched.push_back(static_cast<int>(program.steps.size()) - 1);
		/* A host function runs some time after it was launched. */
		if (launched.empty() || !dice.once_in(4))
			continue;
		Step body;
		body.what = Step::What::RUN_CALLBACK;
		body.event = launched.front();
		body.uses.push_back(random_use(dice));
		launched.erase(launched.begin());
		program.steps.push_back(body);
	}
	return program;
}

} // namespace san::test
