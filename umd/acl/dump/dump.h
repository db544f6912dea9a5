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

#include "base/status.h"
#include "base/sync/mutex.h"
#include "drv/channel/channel.h"
#include "umd/core/process/process.h"

namespace umd {

struct DeviceState;
struct FaultInfo;
struct Stream;
class DumpFile;

/** struct DumpTensor - an operand as the program described it. */
struct DumpTensor {
	/** enum class Role - how the operator uses the tensor. */
	enum class Role { INPUT, OUTPUT, WORKSPACE };

	Role role = Role::INPUT;
	uint32_t index = 0;	 /* index among the operands of its role */
	uint32_t dtype = 0;	 /* enum unpu_dtype, or UNPU_DTYPE_F64 */
	int32_t type_number = 0; /* the front end's number of the type */
	int32_t format = 0;	 /* the front end's number of the format */
	std::vector<int64_t> dims;
	std::vector<int64_t> strides; /* in elements */
	std::vector<int64_t> storage; /* dims of the memory of which the tensor is a view */
	int64_t offset = 0;	      /* offset of the first element in that memory, in elements */
	uint64_t address = 0;	      /* address of the first element */
	/* argument of the operator's function; for updates of the address */
	uint32_t argument = 0;
	uint32_t member = 0; /* index in the argument, if that is a list */
};

/** struct DumpOperator - an operator with its attributes and operands, as the program described it. */
struct DumpOperator {
	std::string type;
	std::string name;
	std::vector<std::pair<std::string, double>> attributes;
	std::vector<DumpTensor> tensors;
};

/** struct DumpOrigin - the model of a file to which an operator belongs. @folder: of this run of the model, below that
 * of the device */
struct DumpOrigin {
	std::string model, folder;
};

/** struct DumpModel - a model of a file whose nodes are dumped. @layers: their names; empty: all */
struct DumpModel {
	std::string name;
	std::vector<std::string> layers;
};

/** struct DumpChoice - which data of which operators is dumped. */
struct DumpChoice {
	std::string folder; /* "" if a taker receives all pieces */
	bool inputs = false;
	bool outputs = true;
	bool statistics = false;	/* write statistics instead of elements */
	bool overflow = false;		/* only dump operators that overflowed */
	std::vector<std::string> names; /* types or names of operators; empty: all */
	bool operators = true;		/* dump operators that belong to no model */
	std::vector<DumpModel> models;
};

/** struct DumpPiece - a piece of a file, for a program that receives the dumps in a callback. */
struct DumpPiece {
	const char *file;
	int64_t offset;
	const std::byte *bytes;
	size_t size;
	bool is_last;
};

/* Return: whether the program took the piece. */
using DumpTaker = std::function<bool(const DumpPiece &)>;

/** struct DumpLoss - counts the files that could not be written. */
struct DumpLoss {
	uint64_t files = 0;
	std::string first; /* why the first of these files could not be written */
};

/** struct DumpPlan - a choice of start_data(). It lives until all work that was launched under it is done. */
struct DumpPlan {
	DumpChoice choice;
	std::string folder; /* a subfolder of choice.folder only for this plan */
	base::Mutex mutex{"DumpPlan::mutex"};
	DumpLoss loss GUARDED_BY(mutex);
};

/** struct DumpRun - one launch of an operator. */
struct DumpRun {
	std::shared_ptr<const DumpOperator> op;
	std::shared_ptr<DumpPlan> plan; /* nullptr: the data of the launch is not dumped */
	DeviceState *device = nullptr;
	uint64_t handle = 0; /* id of the stream */
	uint32_t stream = 0; /* number of the task */
	uint32_t task = 0;
	std::string stem; /* prefix of the file names */
	std::string statistics;
	bool is_incomplete = false; /* the host function for the inputs could not be submitted */
};

/* Whether a service of Dumps is on, so that operator launches have to pass a DumpOperator. */
extern constinit std::atomic<bool> operators_watched;

/**
 * class Dumps - writes the inputs and outputs of operators to files. Host functions in the operator's stream,
 * before and after it, read the data. So the data is the correct one in stream order, and no launch has to
 * wait.
 * Context: any thread.
 */
class Dumps {
public:
	static Dumps &get() { return Process::own<Dumps>(); }

	/** start_data() - dumps operators that are launched from now on; replaces an earlier choice. */
	void start_data(const DumpChoice &choice);
	/** stop_data() - ends that; operators launched before are still dumped. Return: the losses so far. */
	DumpLoss stop_data();
	/** data_folder() - folder of the present choice, or "". */
	std::string data_folder();
	bool overflow_only();

	/** set_taker() - passes the pieces of all files to @taker instead of writing files. An empty @taker
	 * ends that. Waits until no other thread is inside a call of the former taker. Calls of a taker never
	 * overlap. */
	void set_taker(DumpTaker taker);
	bool has_taker() const { return has_taker_.load(); }

	/** start_faults() - from now on writes the inputs of operators that fail below @folder. */
	base::Status start_faults(const std::string &folder);
	void stop_faults();
	/** fault_folder() - the folder of start_faults(), or "". */
	std::string fault_folder();

	/** start_descriptions() - from now on writes one file to @folder for each operator and shape that is
	 * launched. Return: false if it had been started already. */
	bool start_descriptions(const std::string &folder);
	/** stop_descriptions() - ends that. Return: false if it was not started. */
	bool stop_descriptions();

	/** wants_model() - whether nodes of the model @name have to be launched one by one, each between begin() and
	 * end(). */
	bool wants_model(const std::string &name);

	/** begin(), end() - called before and after the launch of an operator on a stream.
	 * @origin: nullptr: it belongs to no model
	 * Return: the argument for end(); nullptr if there is nothing to do after the launch. */
	std::shared_ptr<DumpRun> begin(Stream &stream, std::shared_ptr<const DumpOperator> op,
				       const DumpOrigin *origin = nullptr);
	void end(Stream &stream, const std::shared_ptr<DumpRun> &run);

	/** run() - the host function number @number, which begin() or end() has launched. */
	void run(uint64_t number);

	/** pending() - how many host functions have not run yet. */
	size_t pending();

private:
	/* A host function in a stream. */
	struct Pending {
		std::shared_ptr<DumpRun> run;
		bool is_after = false;
		bool is_submitted = false;
		drv::Fence fence{};
	};

	/* The latest launches, whose inputs can still be written if they fail. */
	static constexpr size_t MOST_LAUNCHES = 4096;
	static constexpr size_t MOST_DESCRIPTIONS = 4096;
	static constexpr size_t FIRST_SWEEP = 1024;

	void update() REQUIRES(mutex_);
	bool submit(Stream &stream, const std::shared_ptr<DumpRun> &run, bool after);
	void sweep() REQUIRES(mutex_);
	void note(const std::shared_ptr<DumpRun> &run);
	void describe(const DumpOperator &op);
	void fail(const FaultInfo &fault);
	void write_phase(DumpRun &run, bool after);
	void write_tensor(DumpRun &run, const DumpTensor &tensor);
	void write_statistics(DumpRun &run, const DumpTensor &tensor);
	void finish(DumpRun &run, DumpFile &file);
	const DumpTaker *taker_of(const DumpRun &run);
	bool give(const DumpPiece &piece);

	base::Mutex mutex_{"Dumps::mutex_"};
	std::shared_ptr<DumpPlan> plan_ GUARDED_BY(mutex_);
	std::unordered_map<uint64_t, Pending> pending_ GUARDED_BY(mutex_);
	uint64_t next_ GUARDED_BY(mutex_) = 1;
	size_t next_sweep_ GUARDED_BY(mutex_) = FIRST_SWEEP;
	std::deque<std::shared_ptr<DumpRun>> launches_ GUARDED_BY(mutex_);
	std::string fault_folder_ GUARDED_BY(mutex_);
	std::string description_folder_ GUARDED_BY(mutex_);
	std::set<std::string> described_ GUARDED_BY(mutex_);

	/* Held while the program's taker runs, which may block for any time. */
	base::RecursiveMutex taking_{"Dumps::taking_", base::HeldOver::WORK};
	std::shared_ptr<DumpTaker> taker_ GUARDED_BY(taking_);
	std::atomic<bool> has_taker_{false};
	const DumpTaker give_ = [this](const DumpPiece &piece) { return give(piece); };
};

} // namespace umd
