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
 * class Contents - copies of pinned memory whose contents the runtime compares: with the bytes at the time of
 * the call, or with a pattern.
 *
 * A difference is a mistake of the program only if nothing else may have changed the bytes between the call
 * and the copy: a host function, or a command that runs before the copy and whose end the host did not know.
 * A trace does not describe some steps completely. A copy after such a step is judged only if the host knew
 * that the step had ended.
 */
class Contents {
public:
	Contents(const Memory &memory, const Bounds &bounds) : memory_(memory), bounds_(bounds) {}

	/** note_opaque() - notes a step of a stream that the trace does not describe completely. @knows: a
	 * function that tells whether the host of the step's client knows a moment. Steps that it knows have
	 * ended, and are dropped. */
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

	/** note_teller() - notes a step that writes memory which the host may poll. So the host may learn
	 * without a call that everything before the step has ended. */
	void note_teller(uint32_t client, const Moment &moment);
	/** is_any_open() - whether there is a copy that has begun and has not ended. */
	bool is_any_open() const { return !copies_.empty(); }

	/** begin() - a copy or a graph launch is submitted whose sources will be compared.
	 * @host: what the host knew at the call. @operands: the operands of the copy; those that it reads are
	 * the sources
	 * @is_held: the copy waits for something that was not in the trace at the call
	 * @graph: number of the graph for a launch; else 0 */
	void begin(const CommandPointer &copy, const Moment &host,
		   const std::vector<Operand> &operands, bool is_held, uint64_t graph = 0);

	/** may_tell() - whether a step after @moment may have told the host that @moment has ended. */
	bool may_tell(const Moment &moment) const;

	/** find() - the copy of this number that may still be in flight. Return: nullptr if there is none, or
	 * if the host itself may have to let it go on. */
	CommandPointer find(uint64_t number) const;

	/** note_reported() - a finding names this command, and already explains why the bytes may differ. */
	void note_reported(uint64_t number);

	/** struct Mistake - result of end(). @copy: the copy, or nullptr if there is no mistake. @graph:
	 * number of the graph if @copy is a launch, or 0 */
	struct Mistake {
		CommandPointer copy;
		uint64_t graph = 0;
	};

	/** end() - judges a COMPARED record. @host: what the host of its client knows
	 * @is_known: a function that tells whether some host knows that a moment has ended */
	Mistake end(const Record &record, const Moment &host,
		    const std::function<bool(const Moment &)> &is_known);

	/** reset_history() - the judge has forgotten accesses. No copy is judged until the host has waited for
	 * each stream of @unknown (client and number). note_known() - the host has waited for one of them. */
	void reset_history(std::set<std::pair<uint32_t, uint32_t>> unknown);
	void note_known(uint32_t client, uint32_t stream) { unknown_.erase({client, stream}); }

	/** unjudged() - number of copies that are not judged. */
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
		bool is_held = false;	  /* it waits for something that comes later in the trace */
		bool is_sure = false;	  /* nothing except the host can have changed the source */
		bool is_reported = false; /* see note_reported() */
	};

	bool is_after_opaque(const Command &copy, const Moment &host) const;
	bool may_be_written(const Command &copy, const Moment &host, const Operand &source) const;
	bool is_judged_after(const Copy &copy, const Record &record, const Moment &host) const;

	const Memory &memory_;
	const Bounds &bounds_;
	std::unordered_map<uint64_t, Copy> copies_; /* indexed by the number of the command */
	static constexpr size_t MIN_OPAQUE = 64;
	std::vector<Step> opaque_;
	/* beyond this number, steps that have ended are dropped */
	size_t most_opaque_ = MIN_OPAQUE;
	bool has_lost_steps_ = false;
	std::set<std::pair<uint32_t, uint32_t>> unknown_;
	uint64_t unjudged_ = 0;
};

} // namespace san
