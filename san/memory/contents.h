// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "san/memory/block.h"
#include "san/trace/record.h"

namespace san {

/**
 * class Contents - copies of pinned memory that the runtime compares: with the bytes at the call, or with a pattern.
 *
 * A difference is a mistake of the program only if nothing else may have changed the bytes between the call and the
 * copy: a command that the copy is after, and whose end the host did not know, or a host function. Of some steps a
 * trace does not tell all. A copy that is after such a step is not judged, unless the host knew the step's end.
 */
class Contents {
public:
	Contents(const Memory &memory, const Bounds &bounds) : memory_(memory), bounds_(bounds) {}

	/** note_opaque() - a step of a stream of which the trace does not tell all. @knows: whether the host of the
	 * step's client knows a moment; such steps are over, and are not kept. */
	template <class Knows>
	void note_opaque(uint32_t client, const Moment &moment, Knows &&knows)
	{
		if (opaque_.size() >= most_opaque_) {
			std::erase_if(opaque_, [&](const Step &step) {
				return knows(step.client, step.moment);
			});
			most_opaque_ = std::max(MIN_OPAQUE, 2 * opaque_.size());
		}
		if (opaque_.size() < bounds_.compared)
			opaque_.push_back({client, moment});
		else
			has_lost_steps_ = true;
	}

	/** note_teller() - a step from which the host may learn, without a call, that what is before the step is over:
	 * it writes what the host may poll. */
	void note_teller(uint32_t client, const Moment &moment);
	/** is_any_open() - whether a copy has begun that has not ended. */
	bool is_any_open() const { return !copies_.empty(); }

	/** begin() - a copy, or a launch of a graph, is submitted that will be compared.
	 * @host: what the host knew at the call. @operands: those that it reads are the sources
	 * @is_held: the copy waits for something that was not in the trace at the call
	 * @graph: of a launch; else 0 */
	void begin(const CommandPointer &copy, const Moment &host,
		   const std::vector<Operand> &operands, bool is_held, uint64_t graph = 0);

	/** may_tell() - whether a step that is after @moment may have told the host that it is over. */
	bool may_tell(const Moment &moment) const;

	/** note_reported() - a finding has the command, and says why the bytes may differ. */
	void note_reported(uint64_t number);

	/** struct Mistake - @copy: nullptr if there is none. @graph: of which it is a launch, or 0 */
	struct Mistake {
		CommandPointer copy;
		uint64_t graph = 0;
	};

	/** end() - @record: a COMPARED. @host: what its client's host knows
	 * @is_known: whether some host knows that what is before a moment is over */
	Mistake end(const Record &record, const Moment &host,
		    const std::function<bool(const Moment &)> &is_known);

	/** forget_past() - the judge has forgotten accesses, so copies are judged again when the host has waited for
	 * each stream of @unknown: its client, and its number. note_known() - the host has waited for one. */
	void forget_past(std::set<std::pair<uint32_t, uint32_t>> unknown);
	void note_known(uint32_t client, uint32_t stream) { unknown_.erase({client, stream}); }

	/** unjudged() - copies of which a difference would not be judged. */
	uint64_t unjudged() const { return unjudged_; }

private:
	struct Step {
		uint32_t client;
		Moment moment;
		bool only_tells = false;
	};
	struct Copy {
		CommandPointer command;
		uint64_t graph = 0;
		std::vector<Operand> sources;
		bool is_sure = false;	  /* nothing but the host can have changed the source */
		bool is_reported = false; /* see note_reported() */
	};

	bool is_after_opaque(const Command &copy, const Moment &host) const;
	bool may_be_written(const Command &copy, const Moment &host, const Operand &source) const;
	bool is_judged_after(const Copy &copy, const Record &record, const Moment &host) const;

	const Memory &memory_;
	const Bounds &bounds_;
	std::unordered_map<uint64_t, Copy> copies_; /* by number */
	static constexpr size_t MIN_OPAQUE = 64;
	std::vector<Step> opaque_;
	size_t most_opaque_ = MIN_OPAQUE; /* then those that are over are dropped */
	bool has_lost_steps_ = false;
	std::set<std::pair<uint32_t, uint32_t>> unknown_;
	uint64_t unjudged_ = 0;
};

} // namespace san
