// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "drv/channel.h"
#include "umd/process.h"

namespace umd {

struct DeviceState;
struct FaultInfo;
struct Stream;
class DumpFile;

/** struct DumpTensor - an operand as the program described it. */
struct DumpTensor {
	/** enum class Role - what it is for its operator. */
	enum class Role { INPUT, OUTPUT, WORKSPACE };

	Role role = Role::INPUT;
	uint32_t index = 0;	 /* among the operands of its role */
	uint32_t dtype = 0;	 /* enum unpu_dtype */
	int32_t type_number = 0; /* the front end's number of the type */
	int32_t format = 0;	 /* the front end's number */
	std::vector<int64_t> dims;
	std::vector<int64_t> strides; /* in elements */
	std::vector<int64_t> storage; /* dims of the memory that the tensor is a view of */
	int64_t offset = 0;	      /* in elements, of the first one in that memory */
	uint64_t address = 0;	      /* of the first element */
};

/** struct DumpOperator - what an operator is called with. */
struct DumpOperator {
	std::string type;
	std::string name;
	std::vector<std::pair<std::string, double>> attributes;
	std::vector<DumpTensor> tensors;
};

/** struct DumpChoice - which data of which operators is dumped. */
struct DumpChoice {
	std::string folder; /* "" when a taker is to get all */
	bool inputs = false;
	bool outputs = true;
	bool statistics = false;	/* instead of the elements */
	bool overflow = false;		/* only operators that overflowed */
	std::vector<std::string> names; /* types or names of operators; empty: all */
};

/** struct DumpPiece - a piece of a file, for a program that takes dumps itself. */
struct DumpPiece {
	const char *file;
	int64_t offset;
	const std::byte *bytes;
	size_t size;
	bool last;
};

/* Return: whether the program took the piece. */
using DumpTaker = std::function<bool(const DumpPiece &)>;

/** struct DumpLoss - what could not be written. */
struct DumpLoss {
	uint64_t files = 0;
	std::string first; /* why the first of them could not */
};

/** struct DumpPlan - a choice while it is in force, and for the work that was launched meanwhile. */
struct DumpPlan {
	DumpChoice choice;
	std::string folder;		      /* one of its own in that of the choice */
	base::Mutex mutex{"DumpPlan::mutex"}; /* protects the following */
	DumpLoss loss;
};

/** struct DumpRun - one launch of an operator. */
struct DumpRun {
	std::shared_ptr<const DumpOperator> op;
	std::shared_ptr<DumpPlan> plan; /* nullptr: its data is not dumped */
	DeviceState *device = nullptr;
	uint64_t handle = 0; /* of the stream */
	uint32_t stream = 0; /* its number */
	uint32_t task = 0;
	std::string stem; /* of the names of the files */
	std::string statistics;
	bool incomplete = false; /* its inputs could not be asked for */
};

/* Whether operators have to be described, because one of the services of Dumps is on. */
extern constinit std::atomic<bool> operators_watched;

/**
 * class Dumps - the services that write what operators were given and what they made of it. Data is
 * read by host functions in the operator's stream, before and after it, so that it is the stream's
 * order that counts and no launch waits. Context: any thread.
 */
class Dumps {
public:
	static Dumps &get() { return Process::own<Dumps>(); }

	/** start_data() - dumps operators that are described from now on; replaces a choice. */
	void start_data(const DumpChoice &choice);
	/** stop_data() - what was launched is still dumped. Return: what was lost so far. */
	DumpLoss stop_data();
	/** data_folder() - of the choice in force, or "". */
	std::string data_folder();
	bool overflow_only();

	/** set_taker() - the program takes the pieces of all files instead; an empty one takes that
	 * back. Returns when no call of the former one is under way, but for the caller's own. One
	 * call is made at a time. */
	void set_taker(DumpTaker taker);
	bool has_taker() const { return has_taker_.load(); }

	/** start_faults() - what operators that fail were given is written below @folder. */
	base::Status start_faults(const std::string &folder);
	void stop_faults();
	/** fault_folder() - or "". */
	std::string fault_folder();

	/** start_descriptions() - one file in @folder for each operator and shape that is launched.
	 * Return: false when that is on already. */
	bool start_descriptions(const std::string &folder);
	/** stop_descriptions() - Return: false when it was off. */
	bool stop_descriptions();

	/** begin(), end() - around the launch of an operator into a stream.
	 * Return: what end() takes, nullptr where there is nothing to do after the launch. */
	std::shared_ptr<DumpRun> begin(Stream &stream, std::shared_ptr<const DumpOperator> op);
	void end(Stream &stream, const std::shared_ptr<DumpRun> &run);

	/** run() - a host function that begin() or end() has launched. */
	void run(uint64_t number);

	/** pending() - host functions that have not run yet. */
	size_t pending();

private:
	/* A host function in a stream. */
	struct Pending {
		std::shared_ptr<DumpRun> run;
		bool after = false;
		bool submitted = false;
		drv::Fence fence{};
	};

	/* Operators whose failure can still be told. */
	static constexpr size_t MOST_LAUNCHES = 4096;
	static constexpr size_t MOST_DESCRIPTIONS = 4096;
	static constexpr size_t FIRST_SWEEP = 1024;

	void update();
	bool submit(Stream &stream, const std::shared_ptr<DumpRun> &run, bool after);
	void sweep();
	void note(const std::shared_ptr<DumpRun> &run);
	void describe(const DumpOperator &op);
	void fail(const FaultInfo &fault);
	void write_phase(DumpRun &run, bool after);
	void write_tensor(DumpRun &run, const DumpTensor &tensor);
	void write_statistics(DumpRun &run, const DumpTensor &tensor);
	void finish(DumpRun &run, DumpFile &file);
	const DumpTaker *taker_of(const DumpRun &run);
	bool give(const DumpPiece &piece);

	base::Mutex mutex_{"Dumps::mutex_"}; /* protects the following, up to the taker's */
	std::shared_ptr<DumpPlan> plan_;
	std::unordered_map<uint64_t, Pending> pending_;
	uint64_t next_ = 1;
	size_t next_sweep_ = FIRST_SWEEP;
	std::deque<std::shared_ptr<DumpRun>> launches_;
	std::string fault_folder_;
	std::string description_folder_;
	std::set<std::string> described_;

	/* Held while the program's function runs, whatever that waits for; protects the next. */
	base::RecursiveMutex taking_{"Dumps::taking_", base::HeldOver::WORK};
	std::shared_ptr<DumpTaker> taker_;
	std::atomic<bool> has_taker_{false};
	const DumpTaker give_ = [this](const DumpPiece &piece) { return give(piece); };
};

} // namespace umd
