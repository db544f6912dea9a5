// SPDX-License-Identifier: MIT
/**
 * DOC: Mistakes with models of files
 *
 * The model is y = relu(x * w + b) of 2 x 4 floats.
 */
#include "mistakes.h"

#include <acl/acl_mdl.h>

#include <string>

static constexpr size_t kBytes = 32;

/* struct Run - a loaded model with the datasets of a run. */
struct Run {
	Run()
	{
		NEED(aclmdlLoadFromFile((std::string(UNPU_TEST_MODELS) + "/dense.om").c_str(),
					&id));
		for (aclmdlDataset *dataset : {in, out})
			NEED(aclmdlAddDatasetBuffer(
				dataset, aclCreateDataBuffer(make_memory(kBytes), kBytes)));
	}

	/* A graph of one run. */
	aclmdlRI capture(aclrtStream stream) const
	{
		aclmdlRI graph = nullptr;

		NEED(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
		NEED(aclmdlExecuteAsync(id, in, out, stream));
		NEED(aclmdlRICaptureEnd(stream, &graph));
		return graph;
	}

	uint32_t id = 0;
	aclmdlDataset *in = aclmdlCreateDataset(), *out = aclmdlCreateDataset();
};

/* class Gate - what a stream gets behind it waits until the end of the scope. */
class Gate {
public:
	explicit Gate(aclrtStream stream)
	{
		NEED(aclrtCreateEventWithFlag(&event_, ACL_EVENT_SYNC));
		NEED(aclrtStreamWaitEvent(stream, event_));
	}
	~Gate()
	{
		NEED(aclrtRecordEvent(event_, make_stream()));
		NEED(aclrtSynchronizeDevice());
	}
	Gate(const Gate &) = delete;
	Gate &operator=(const Gate &) = delete;

private:
	aclrtEvent event_ = nullptr;
};

/* @second comes after what @first has so far. */
static void order(aclrtStream first, aclrtStream second)
{
	aclrtEvent event = nullptr;

	NEED(aclrtCreateEvent(&event));
	NEED(aclrtRecordEvent(event, first));
	NEED(aclrtStreamWaitEvent(second, event));
}

static void model_in_two_streams()
{
	begin();
	const Run run;
	aclrtStream first = make_stream(), second = make_stream();

	const Gate gate(first);
	NEED(aclmdlExecuteAsync(run.id, run.in, run.out, first));
	TELL(aclmdlExecuteAsync(run.id, run.in, run.out, second));
}

static void model_in_streams_that_are_ordered()
{
	begin();
	const Run run;
	aclrtStream first = make_stream(), second = make_stream();
	aclmdlRI graph = run.capture(first);

	{
		const Gate gate(first);
		NEED(aclmdlExecuteAsync(run.id, run.in, run.out, first));
		NEED(aclmdlExecuteAsync(run.id, run.in, run.out, first));
		order(first, second);
		NEED(aclmdlExecuteAsync(run.id, run.in, run.out, second));
		NEED(aclmdlRIExecuteAsync(graph, second));
		order(second, first);
		NEED(aclmdlExecuteAsync(run.id, run.in, run.out, first));
	}
	NEED(aclmdlExecute(run.id, run.in, run.out));
	NEED(aclmdlRIExecuteAsync(graph, second));
	NEED(aclrtSynchronizeDevice());
}

static void model_while_a_stream_runs_it()
{
	begin();
	const Run run;
	aclrtStream stream = make_stream();

	const Gate gate(stream);
	NEED(aclmdlExecuteAsync(run.id, run.in, run.out, stream));
	TELL(aclmdlExecute(run.id, run.in, run.out));
}

static void graph_beside_its_model()
{
	begin();
	const Run run;
	aclrtStream first = make_stream(), second = make_stream();
	aclmdlRI graph = run.capture(second);

	const Gate gate(first);
	NEED(aclmdlExecuteAsync(run.id, run.in, run.out, first));
	TELL(aclmdlRIExecuteAsync(graph, second));
}

static void model_beside_its_graph()
{
	begin();
	const Run run;
	aclrtStream first = make_stream(), second = make_stream();
	aclmdlRI graph = run.capture(second);

	const Gate gate(second);
	NEED(aclmdlRIExecuteAsync(graph, second));
	TELL(aclmdlExecuteAsync(run.id, run.in, run.out, first));
}

static void model_buffer_beyond_its_memory()
{
	begin();
	const Run run;

	NEED(aclUpdateDataBuffer(aclmdlGetDatasetBuffer(run.in, 0), make_memory(kBytes),
				 2 * kBytes));
	TELL(aclmdlExecute(run.id, run.in, run.out));
}

static void model_without_init()
{
	TELL(aclmdlUnload(7));
}

const Mistake model_mistakes[] = {
	{"model-without-init", model_without_init},
	{"model-in-two-streams", model_in_two_streams},
	{"model-in-streams-that-are-ordered", model_in_streams_that_are_ordered},
	{"model-while-a-stream-runs-it", model_while_a_stream_runs_it},
	{"graph-beside-its-model", graph_beside_its_model},
	{"model-beside-its-graph", model_beside_its_graph},
	{"model-buffer-beyond-its-memory", model_buffer_beyond_its_memory},
	{nullptr, nullptr},
};
