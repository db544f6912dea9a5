// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "san/judge/accesses.h"
#include "san/judge/graphs.h"
#include "san/judge/reporter.h"
#include "san/memory/results.h"

namespace san {

/** struct Summary - counts of what a judge has seen. */
struct Summary {
	uint64_t records = 0;
	uint64_t commands = 0; /* number of commands, graph launches and accesses by the host */
	uint64_t findings = 0; /* number of findings, repeats included */
	/* pairs of strided operands whose comparison took too long; not reported */
	uint64_t undecided = 0;
	uint64_t forgotten = 0;	 /* accesses dropped because of the bound on memory */
	uint64_t unknown = 0;	 /* operands in memory unknown to the trace */
	uint64_t uncompared = 0; /* copies of pinned memory whose contents were not compared */
	/* copies to pinned memory whose end the host never waited for; see Results */
	uint64_t unawaited = 0;
	bool has_kernels = false; /* kernels of the program */
	uint64_t problems = 0;	  /* impossible records */
	std::string problem;	  /* error message about the first of them */
};

/**
 * class Judge - decides from the records of a trace what the program did wrong.
 *
 * It judges by the order that the API guarantees for these calls, not by the order in which commands happened
 * to run. If a stream waits for something that no call has done yet, the judge holds the stream. It judges
 * the later records of that stream when the trace has the missing call. The judge does not trust records: it
 * counts an impossible record, and ignores it.
 *
 * Context: one thread. The use of memory depends on the objects that exist at one time, not on the length of
 * the trace. Options::bounds limits it.
 */
class Judge {
public:
	/** @follower: is told of the order; may be nullptr, and else must outlive the judge */
	Judge(Options options, Reporter::Sink sink, Follower *follower = nullptr);
	Judge(const Judge &) = delete;
	Judge &operator=(const Judge &) = delete;

	/** take() - judges the next record of the trace. */
	void take(const Record &record);

	/** finish() - ends the trace. Streams that still wait would wait forever, which is reported. */
	void finish();

	Summary summary() const;

private:
	using Client = Actors::Client;
	/* struct Body - a host function that a stream has to run. */
	struct Body {
		CommandPointer command;
		uint32_t client = 0;
		uint32_t stream = 0;
		bool blocks = false;
	};
	using Thread = std::pair<uint32_t, uint32_t>; /* client and thread */
	/* struct Waiter - a stream or a thread of the host, as a node in the search for deadlocks. */
	struct Waiter {
		Stream *stream = nullptr; /* nullptr: it is a thread */
		Thread thread;
		auto operator<=>(const Waiter &) const = default;
	};

	/* struct Blocked - a thread that waits, and what its wait covers. */
	struct Blocked {
		Record record;
		/* indexed by the number of the stream */
		std::map<uint32_t, std::shared_ptr<Covered>> streams;
		/* for an event by value: the record; nullptr: the latest one */
		GenerationPointer generation;
	};

	void complain(const char *why);
	void judge(const Record &record, Client &client);
	std::shared_ptr<Command> make_command(const Record &record);

	/* judge.cpp: calls of the host */
	void take_call(const Record &record, Client &client);
	void take_memory_call(const Record &record, Client &client);
	void take_graph_call(const Record &record);
	void take_callback_call(const Record &record, Client &client);
	void take_order_call(const Record &record, Client &client);
	void check_callback(const Record &record);
	void access(const Record &record, Client &client);
	/* Whether there is an unfinished copy for which a COMPARED record may still come. */
	bool watches_contents() const { return contents_.is_any_open() || results_.is_any_open(); }
	void take_touched(const Record &record);
	void take_compared(const Record &record, const Client &client);
	void allocate(const Record &record, const CommandPointer &command, bool in_stream);
	void unmap(const Record &record, const CommandPointer &command);
	void free(const Record &record, const CommandPointer &command, bool in_stream);
	void map(const Record &record);
	BlockPointer block_at(const Record &record) const;

	/* bounds.cpp: how the judge stays within its bounds on memory */
	bool is_full() const;
	void reset_history();
	void make_slot(Client &client);
	void make_room(Stream &stream);

	/* queue.cpp: records that have a place in a stream */
	void queue(const Record &record, Client &client);
	bool resolve(Held &held);
	bool run(Stream &stream, Held &held, bool forced);
	bool run_kind(Stream &stream, Held &held, bool forced);
	bool is_held_by_legacy(const Stream &stream, const Held &held);
	bool run_event(Stream &stream, Held &held, bool forced);
	void run_record(Stream &stream, Held &held);
	bool run_wait(Stream &stream, Held &held, bool forced);
	void check_reset(const Stream &stream, const Held &held, const Command &reset);
	GenerationPointer flag_of(const Stream &stream, const Held &held);
	void run_reset(Stream &stream, Held &held);
	void check_waits(const Generation &generation, const Command &reset, uint64_t event);
	bool run_latch(Stream &stream, Held &held, bool forced);
	void run_command(Stream &stream, Held &held);
	void run_staged(Stream &stream, Held &held);
	void run_callback(Stream &stream, Held &held);
	void note_opaque(const Stream &stream);
	bool is_result(const Record &record) const;
	bool tells_host(const Stream &stream, const std::vector<Operand> &operands,
			uint16_t flags) const;
	void hold(Stream &stream, Held &&held);
	void let_go(Stream &stream);
	void progress();
	void force(Stream &stream);
	void force_before(Stream &stream, uint64_t order);
	void force_event(const Event &event);
	bool is_flag_event(uint64_t number) const;

	/* waiters.cpp: what a wait tells the host */
	void block(const Record &record, const Client &client);
	void note_thread(const Record &record);
	void know_stream(const Record &record, Client &client, Stream &stream);
	void know_device(const Record &record, Client &client);
	void know_event(const Record &record, Client &client, const Event &event);
	void know_bytes(const Record &record, Client &client);
	std::vector<Moment> writers_of(const Record &acquire, const Client &client) const;
	void force_writers(const Record &acquire, const Client &client);
	void know_results(const Client &client, uint32_t number, bool is_apart);
	void know_end(const Record &record);
	const Moment &end_of(Stream &stream, const Covered &covered);

	/* launches.cpp: launches of graphs */
	bool run_launch(Stream &stream, Held &held, bool forced);
	void note_contents(const Stream &stream, const Held &held, Graph &graph);
	bool run_nodes(Stream &stream, Held &held, const Graph &graph, bool forced);
	void run_node(Stream &stream, const Held &held, const Graph &graph, uint32_t node);
	uint32_t end_wait(Stream &stream, Launch &launch, const Graph &graph, bool forced);
	void use_flag(Event &event, const Graph::Exchange &exchange,
		      const std::shared_ptr<Command> &command);
	bool is_over(const Graph::Exchange &wait, Stream &stream);

	/* waiters.cpp: waits and deadlocks */
	bool next(const Waiter &waiter, Waiter &other, std::string &text) const;
	bool next_of_stream(Stream &stream, Waiter &other, std::string &text) const;
	bool next_of_thread(const Waiter &waiter, Waiter &other, std::string &text) const;
	Stream *holder(const GenerationPointer &generation) const;
	Stream *holder_of_flag(uint64_t event) const;
	Stream *setter_of_flag(uint64_t event) const;
	Stream *recorder_of(const Held &wait) const;
	Stream *signaller(uint64_t latch) const;
	bool will_signal(const Held &launch, uint64_t latch) const;
	uint64_t awaited(const Held &held, uint32_t &site) const;
	void check_dropped(Stream &stream);
	bool check_circle(const Waiter &start, const Command &command,
			  std::set<const Stream *> *members);
	std::string waiter_text(const Waiter &waiter) const;
	std::string at(const Record &record) const;

	Options options_;
	Follower *const follower_;
	mutable Actors actors_;
	Memory memory_;
	Contents contents_;
	Results results_;
	Events events_;
	Reporter reporter_;
	Accesses accesses_;
	mutable Graphs graphs_;
	std::unordered_map<uint64_t, Latch> latches_;
	std::unordered_map<uint64_t, Published> published_;
	std::unordered_map<uint64_t, Body> bodies_;
	std::map<Thread, uint64_t> running_; /* thread -> the host function that it runs */
	std::map<Thread, Blocked> blocked_;  /* threads that wait */
	std::map<Thread, Blocked> over_;     /* threads whose latest record has ended their wait */
	size_t holding_ = 0;		     /* number of streams that hold records */
	size_t held_parts_ = 0;		     /* number of held records and their operands */
	bool lost_latches_ = false;	     /* some signals were forgotten */
	bool has_advanced_ = false;	     /* a held launch has run at least one node */
	uint64_t order_ = 0;
	uint64_t named_events_ = 0;
	Summary summary_;
};

} // namespace san
