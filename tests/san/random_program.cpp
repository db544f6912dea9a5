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

/* The judge remembers so many signals of a word. */
constexpr size_t SIGNALS_MOST = 16;

void make_signal(Dice &dice, int index, std::vector<Word> &words, Step &step)
{
	static constexpr uint16_t OPS[] = {SIGNAL_ADD, SIGNAL_ADD, SIGNAL_OR, SIGNAL_SET};
	step.event = dice.below(static_cast<int>(words.size()));
	Word &word = words[static_cast<size_t>(step.event)];
	if (word.size() == SIGNALS_MOST)
		return;
	step.what = Step::What::SIGNAL;
	step.how = OPS[dice.below(4)];
	/* No word goes back to 0 but by a wait: the judge forgets the signals that such an assignment comes after. */
	step.value = static_cast<uint64_t>(dice.below(3)) + (step.how == SIGNAL_SET ? 1 : 0);
	word.signal(index, step.value, step.how);
}

/* A wait that does not end is left out: what comes after it would never run. */
void make_await(Dice &dice, std::vector<Word> &words, Step &step)
{
	static constexpr uint16_t FLAGS[] = {0, LATCH_AT_LEAST, LATCH_AT_LEAST,
					     LATCH_AT_LEAST | LATCH_CLEAR};
	step.event = dice.below(static_cast<int>(words.size()));
	Word &word = words[static_cast<size_t>(step.event)];
	step.how = FLAGS[dice.below(4)];
	step.value = 1 + static_cast<uint64_t>(dice.below(6));
	const int meeting = word.meeting(step.value, step.how);
	if (meeting < 0)
		return;
	step.what = Step::What::AWAIT;
	if (step.how & LATCH_CLEAR)
		word.clear(meeting);
}

Step random_step(Dice &dice, const RandomProgram &program, std::vector<Word> &words)
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
	if (!words.empty() && dice.once_in(3)) {
		step.what = What::COMMAND;
		if (dice.once_in(2))
			make_signal(dice, static_cast<int>(program.steps.size()), words, step);
		else
			make_await(dice, words, step);
	}
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
	program.words = dice.below(3);
	std::vector<Word> words(static_cast<size_t>(program.words));
	const int steps = 5 + dice.below(45);
	std::vector<int> launched;
	for (int i = 0; i < steps; i++) {
		program.steps.push_back(random_step(dice, program, words));
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
