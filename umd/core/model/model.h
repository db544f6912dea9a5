// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/sync/biased_lock.h"
#include "drv/packet/fence.h"
#include "umd/core/device/device_state.h"
#include "umd/core/graph/graph_exec.h"
#include "umd/core/handle/handle.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/process.h"

namespace umd {

class Capture;
class Subscription;
struct Condition;
struct ModelStream;
struct ModelTask;
struct Stream;
struct TaskGroup;

/** struct TaskNote - what a program attached to a captured task. */
struct TaskNote {
	std::vector<std::byte> info;
	std::string text; /* the text, in JSON */
};

/** struct Model - a captured graph, a body of a conditional task of such a graph, or a graph built of
 * streams. */
struct Model {
	enum class State {
		CAPTURING,
		BUILDING,
		ENDING, /* a thread in end_build() loads its graph */
		READY,
		PARTED, /* built, but a stream was unbound later */
		GONE,	/* destroyed */
	};

	using Members = std::vector<uint64_t>; /* handles of the streams */

	/* A stream of a built model. */
	struct Bound {
		uint64_t stream; /* handle of the stream */
		bool is_head;	 /* its tasks run from the start of an execution */
		bool has_ended;
	};

	struct Callback {
		void (*fn)(void *);
		void *data;
	};

	/* A change that update_model() will apply. */
	struct Change {
		uint32_t node;
		GraphTask task;
		unpu_operator op;
	};

	HandleWord handle;
	uint32_t id = 0; /* of next_model_number() */

	base::BiasedLock lock{"Model::lock", base::HeldOver::ANSWERS};
	Context *context = nullptr;
	uint64_t context_handle = 0; /* detects that @context was reused for another context */
	DeviceRef device;
	State state GUARDED_BY(lock) = State::CAPTURING;
	std::shared_ptr<const Members> members
		GUARDED_BY(lock); /* streams that took part; nullptr: none */
	bool is_built = false;	  /* made from streams, not by a capture */
	std::vector<Bound> bound GUARDED_BY(lock);
	uint32_t streams = 0; /* how many streams took part */

	/* Protected by TaskSink::mutex while the model is captured, and by @lock after that. */
	Graph *graph = nullptr; /* @making, the graph of @exec, or a body in the parent's graph */
	std::unique_ptr<Graph> making;	 /* without a parent: the graph until the capture ends */
	std::shared_ptr<GraphExec> exec; /* set in READY, if there is no parent */
	Model *parent = nullptr;	 /* the model whose conditional task runs this one */
	Capture *capture = nullptr;	 /* the capture under way */
	/* number of captures under way in models inside of this one */
	uint32_t inner_captures = 0;
	std::vector<Model *> inner;
	std::vector<Condition *> conditions;
	std::vector<TaskGroup *> groups;
	std::unordered_map<uint32_t, TaskNote> notes; /* indexed by node */

	std::shared_ptr<Subscription> subscription GUARDED_BY(lock);
	std::string name GUARDED_BY(lock);
	std::vector<Callback> on_destroy GUARDED_BY(lock);
	std::vector<ModelStream *> stream_views GUARDED_BY(lock);
	std::vector<ModelTask *> task_views GUARDED_BY(lock); /* indexed by node */
	std::vector<Change> changes GUARDED_BY(lock);
	/* Copies of operators for the program, by node; the program has pointers to them. */
	std::unordered_map<uint32_t, unpu_operator> shown GUARDED_BY(lock);
	std::unordered_map<uint32_t, std::vector<uint64_t>> shown_tensors GUARDED_BY(lock);

	/** top() - the outermost model, which is the one that is executed. */
	Model &top() { return parent ? parent->top() : *this; }

	using Table = HandleTable<Model, Kind::MODEL>;
	/** table() - all models of the process. */
	static Table &table();
};

inline Model::Table &Model::table()
{
	return Process::own<Table>();
}

/** find_model() - the model of an API handle. Return: NULL_POINTER, INVALID_HANDLE. */
base::Result<Model *> find_model(const void *handle);

/** find_model_by_id() - the model with number @id, or nullptr. */
Model *find_model_by_id(uint32_t id);

/** next_model_number() - a number that no model of this process had, also none of a file; it is never 0.
 * The model has it until forget_number(). */
uint32_t next_model_number();

/** has_model_number() - whether a model has @id, also one of a file. */
bool has_model_number(uint32_t id);

/** make_model() - creates an empty model in state CAPTURING in @context. Return: NO_RESOURCE. */
base::Result<Model *> make_model(Context &context);

/** launch_model() - appends one execution to @stream.
 * Return: the fence of its end; MODEL_CAPTURED, MODEL_CONTEXT, STREAM_CAPTURED, NOT_SUPPORTED for a model in
 * another. */
base::Result<drv::Fence> launch_model(Model &model, Stream &stream);

/** forget_number() - from now on no model has @id. */
void forget_number(uint32_t id);

/** refuse_inner() - Return: NOT_SUPPORTED for a model that belongs to a conditional task, else OK.
 * @what: the refused operation, for the error message */
base::Status refuse_inner(const Model &model, const char *what);

/** refuse_destroyed_model() - refuses a destroyed model. Return: INVALID_HANDLE; sets the error message. */
base::Status refuse_destroyed_model();

/** name_model() - sets the name of a model. @name: at most MODEL_NAME_BYTES including the final zero. Return:
 * INVALID_ARGUMENT. */
constexpr size_t MODEL_NAME_BYTES = 512;
base::Status name_model(Model &model, const char *name);
std::string model_name(Model &model);

/** on_model_destroy() - adds a function that runs as @fn(@data) when the model is destroyed. */
base::Status on_model_destroy(Model &model, void (*fn)(void *), void *data);
/** off_model_destroy() - removes @fn. Return: INVALID_ARGUMENT if it was not added. */
base::Status off_model_destroy(Model &model, void (*fn)(void *));

/** require_ready() - checks the state of a model. Return: OK in state READY; MODEL_CAPTURED during the
 * capture; MODEL_NOT_READY while it is built or after a stream of it was unbound. */
base::Status require_ready(const Model &model) REQUIRES(model.lock);

} // namespace umd
