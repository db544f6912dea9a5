// SPDX-License-Identifier: MIT
#pragma once

namespace fw {

/**
 * class Pace - adaptive back-off of the polling device thread.
 *
 * If the producer streams packets, the thread pauses longer between two polls, so that several packets
 * share one cache-line transfer in each direction. If the producer waits for each completion, a pause
 * only adds latency. The class tells the two apart by how soon the next packet arrives and by how many
 * packets arrive during a pause. Polling too often slows a streaming producer down until it looks like
 * a waiting one, so the thread tries one long pause after every TRIED_EACH decisions for a short one.
 */
class Pace {
public:
	/** worked() - of @looks polls in a row, all but perhaps the last found work. */
	void worked(unsigned looks)
	{
		if (looks_ != 0) {
			/* A producer that waits for each completion cannot submit again so soon. */
			streams_ = streams_ || looks_ <= SOON_LOOKS;
			looks_ = packets_ = 0;
		}
		empty_ = 0;
		packets_ += looks;
	}

	/** found_nothing() - a turn found nothing. @runners: number of runners in the run queue.
	 * Return: number of pauses before the next turn; 0 until every runner was polled. */
	unsigned found_nothing(unsigned runners)
	{
		if (++empty_ < runners)
			return 0;
		empty_ = 0;
		if (looks_++ != 0)
			return 1;
		streams_ = (streams_ || tried_) && packets_ > FEW_PACKETS;
		tried_ = !streams_ && ++singles_ % TRIED_EACH == 0;
		return streams_ || tried_ ? CAUGHT_UP_PAUSES : 1;
	}

	static constexpr unsigned CAUGHT_UP_PAUSES = 8;

private:
	static constexpr unsigned SOON_LOOKS = 1;
	static constexpr unsigned FEW_PACKETS = 2;
	static constexpr unsigned TRIED_EACH = 32;

	unsigned packets_ = 0; /* approximate count since the rings were empty */
	unsigned empty_ = 0;   /* empty turns in the current pass over the runners */
	unsigned looks_ = 0;   /* passes in a row that found all rings empty */
	unsigned singles_ = 0; /* times that the long pause was not chosen */
	bool tried_ = false;   /* the last long pause was a trial */
	bool streams_ = true;  /* the producer does not wait for each completion */
};

} // namespace fw
