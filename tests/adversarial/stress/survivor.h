// SPDX-License-Identifier: MIT
/*
 * DOC: a client that stays, whichever interface it uses
 */
#ifndef UNPU_TESTS_STRESS_SURVIVOR_H
#define UNPU_TESTS_STRESS_SURVIVOR_H

#include <random>
#include <vector>

#include "board.h"

namespace stress {

enum class End { GOOD, LOST, WRONG, FAILED };

#define STRESS_TRY(...) \
	do { \
		const End end_ = (__VA_ARGS__); \
		if (end_ != End::GOOD) \
			return end_; \
	} while (0)
#define STRESS_CALL(...) STRESS_TRY(judge((__VA_ARGS__), #__VA_ARGS__))

class Survivor {
public:
	Survivor(Board &board, Seat &seat, unsigned seed)
		: random_(seed), board_(board), seat_(seat)
	{
	}
	virtual ~Survivor() = default;

	/* run() - until the board says stop. Returns the exit code. */
	int run();

protected:
	static constexpr size_t kBytes = size_t{32} << 10;

	/* init() - once; open() - a device, and what a round needs. */
	virtual bool init() = 0;
	virtual bool open() = 0;
	/* The kinds of rounds: host_ becomes @value by tasks, and by a graph; and objects come and go. */
	virtual End work(unsigned char value) = 0;
	virtual End replay(unsigned char value) = 0;
	virtual End rebuild() = 0;
	/* synchronise() - with the device. Returns the code. */
	virtual int synchronise() = 0;
	/* after_death() - what calls say now that the device is lost. */
	virtual std::vector<int> after_death() = 0;
	/* lost() - the code that they have to say. */
	virtual int lost() const = 0;
	virtual const char *why() = 0;
	/* drop() - what does not go with the device. */
	virtual void drop() = 0;
	virtual bool reset() = 0;
	virtual void finish() = 0;

	End judge(int code, const char *call);
	/* look() - whether all of host_ is @value. */
	End look(int value);
	bool firmware_died() const { return board_.killed.load() != known_; }

	std::mt19937 random_;
	std::vector<unsigned char> host_ = std::vector<unsigned char>(kBytes);

private:
	End round();
	/* one_of_each() - a round of each kind, so that everything which is created once exists. */
	End one_of_each();
	bool come_back();
	void count(std::atomic<uint64_t> Seat::*what) { (seat_.*what)++; }
	void note_time(uint64_t since_ns);

	Board &board_;
	Seat &seat_;
	uint64_t known_ = 0; /* deaths of the firmware that were dealt with */
};

} // namespace stress

#endif
