// SPDX-License-Identifier: MIT
#pragma once

namespace fw {

/**
 * class Pace - how long a device that polls leaves the rings alone between two looks.
 *
 * Behind a producer that goes on, each packet would cross over alone, at the price of a line there
 * and one back; after a pause several cross together. A producer that waits for each packet loses by
 * the same pause. Which of the two it is shows in how soon the next packet comes, and in how many are
 * there after a pause; since a producer whose lines are taken away each time is as slow as one that
 * waits, a pause is tried now and then.
 */
class Pace {
public:
	/** worked() - so many looks in a row came to something, the last one perhaps not. */
	void worked(unsigned looks)
	{
		if (looks_ != 0) {
			/* Who waits for an answer is not back so soon. */
			streams_ = streams_ || looks_ <= SOON_LOOKS;
			looks_ = packets_ = 0;
		}
		empty_ = 0;
		packets_ += looks;
	}

	/** found_nothing() - a turn found nothing. @runners: how many are polled.
	 * Return: pauses before the next turn; none until all have been looked at. */
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

	unsigned packets_ = 0; /* about, since the rings were empty */
	unsigned empty_ = 0;   /* turns that found nothing, since each ring was looked at */
	unsigned looks_ = 0;   /* at all rings in vain, since one had something */
	unsigned singles_ = 0; /* turns after a packet that came alone */
	bool tried_ = false;   /* the last pause was a try */
	bool streams_ = true;  /* packets come without anybody waiting for the last one */
};

} // namespace fw
