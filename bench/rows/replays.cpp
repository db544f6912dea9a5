// SPDX-License-Identifier: MIT
/**
 * DOC: Replays
 *
 * Chains captured on one stream, and eight branches of a fork that join. A node that does nothing is a
 * memset that was disabled after the capture; the other flavours are a memset of 32 bytes and an
 * addition of eight floats, on vectors that differ from node to node.
 */
#include "replays.h"

#include <aclnnop/aclnn_add.h>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "unpu/unpu.h"

namespace bench {

namespace {

constexpr int64_t ADD_DIM = ADD_FLOATS;
constexpr unsigned PLACES = 16; /* vectors that additions take turns with */
constexpr unsigned MANY_NODES = 10000;

aclTensor *vector_at(void *memory, size_t offset_bytes)
{
	void *data = static_cast<char *>(memory) + offset_bytes;
	aclTensor *tensor = aclCreateTensor(&ADD_DIM, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND,
					    &ADD_DIM, 1, data);
	check(tensor ? 0 : -1, "aclCreateTensor");
	return tensor;
}

/* The operands of additions in the client's memory. */
class Additions {
public:
	explicit Additions(void *memory)
	{
		float factor = 1;
		for (unsigned i = 0; i < PLACES; i++)
			vectors_.push_back(vector_at(memory, i * 128));
		alpha_ = aclCreateScalar(&factor, ACL_FLOAT);
		check(alpha_ ? 0 : -1, "aclCreateScalar");
	}

	~Additions()
	{
		CHECK(aclDestroyScalar(alpha_));
		for (aclTensor *vector : vectors_)
			CHECK(aclDestroyTensor(vector));
	}

	void launch(aclrtStream stream, unsigned i) const
	{
		uint64_t workspace_bytes = 0;
		aclOpExecutor *executor = nullptr;
		CHECK(aclnnAddGetWorkspaceSize(at(i), at(i + 5), alpha_, at(i + 1),
					       &workspace_bytes, &executor));
		CHECK(aclnnAdd(nullptr, 0, executor, stream));
	}

private:
	aclTensor *at(unsigned i) const { return vectors_[i % PLACES]; }

	std::vector<aclTensor *> vectors_;
	aclScalar *alpha_ = nullptr;
};

template <class Node> aclmdlRI capture(aclrtStream stream, unsigned nodes, Node &&node)
{
	aclmdlRI graph = nullptr;
	CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	for (unsigned i = 0; i < nodes; i++)
		node(stream, i);
	CHECK(aclmdlRICaptureEnd(stream, &graph));
	return graph;
}

/* A fork, as many branches as there are streams, and a join. */
template <class Node>
aclmdlRI capture_branches(aclrtStream stream, unsigned nodes, const Node &node)
{
	std::vector<aclrtStream> others(SHAPE_BRANCHES - 1);
	aclrtEvent event = nullptr;
	aclmdlRI graph = nullptr;
	CHECK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
	for (aclrtStream &other : others)
		CHECK(aclrtCreateStream(&other));
	CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	CHECK(aclrtRecordEvent(event, stream));
	for (aclrtStream other : others)
		CHECK(aclrtStreamWaitEvent(other, event));
	for (unsigned i = 0; i < nodes; i++) {
		const unsigned branch = i % SHAPE_BRANCHES;
		node(branch ? others[branch - 1] : stream, i);
	}
	for (aclrtStream other : others) {
		CHECK(aclrtRecordEvent(event, other));
		CHECK(aclrtStreamWaitEvent(stream, event));
	}
	CHECK(aclmdlRICaptureEnd(stream, &graph));
	for (aclrtStream other : others)
		CHECK(aclrtDestroyStream(other));
	CHECK(aclrtDestroyEvent(event));
	return graph;
}

Summary replay(const Client &client, aclmdlRI graph, unsigned nodes, const Effort &effort)
{
	const unsigned batch = nodes >= 100 ? 1 : 10;
	const Plan plan{50, effort.scaled(200), batch, effort.scaled(2000)};
	return measure(plan, [&] {
		CHECK(aclmdlRIExecuteAsync(graph, client.first));
		client.sync(client.first);
	});
}

/* Turns every task of a graph into one that does nothing. Return: false when that is not supported. */
bool disable(aclmdlRI graph)
{
	uint32_t count = 0;
	if (aclmdlRIGetStreams(graph, nullptr, &count) != ACL_SUCCESS)
		return false;
	std::vector<aclrtStream> streams(count);
	CHECK(aclmdlRIGetStreams(graph, streams.data(), &count));
	for (aclrtStream stream : streams) {
		CHECK(aclmdlRIGetTasksByStream(stream, nullptr, &count));
		std::vector<aclmdlRITask> tasks(count);
		CHECK(aclmdlRIGetTasksByStream(stream, tasks.data(), &count));
		for (aclmdlRITask task : tasks)
			CHECK(aclmdlRITaskDisable(task));
	}
	CHECK(aclmdlRIUpdate(graph));
	return true;
}

uint64_t graphs_bytes()
{
	size_t needed = 0;
	(void)unpu_snapshot(0, nullptr, 0, &needed);
	std::string text(needed + 4096, '\0');
	check(static_cast<int>(unpu_snapshot(0, text.data(), text.size(), &needed)),
	      "unpu_snapshot");
	uint64_t bytes = 0;
	const auto snapshot = nlohmann::json::parse(text.c_str());
	for (const auto &client : snapshot["clients"]) {
		for (const auto &graph : client["graphs"])
			bytes += graph["bytes"].get<uint64_t>();
	}
	return bytes;
}

} // namespace

void measure_replays(const Client &client, const Effort &effort, Round &round)
{
	const Additions additions(client.scratch);
	const auto memset = [&](aclrtStream stream, unsigned) { client.task(stream); };
	const auto addition = [&](aclrtStream stream, unsigned i) { additions.launch(stream, i); };
	const auto add = [&](aclmdlRI graph, unsigned nodes, const char *key, const char *title) {
		const std::string text = std::to_string(nodes);
		const Summary summary = replay(client, graph, nodes, effort);
		CHECK(aclmdlRIDestroy(graph));
		round.push_back({std::string("replay.") + key + "." + text,
				 "replay of " + text + " x " + title, summary, KEY_DESCRIPTOR,
				 Against::TIME, nodes});
	};
	for (unsigned nodes : {1u, 10u, 100u, SHAPE_NODES})
		add(capture(client.first, nodes, memset), nodes, "memset", "memset of 32 bytes");
	for (unsigned nodes : {1u, SHAPE_NODES}) {
		aclmdlRI graph = capture(client.first, nodes, memset);
		if (disable(graph))
			add(graph, nodes, "nothing", "nothing");
		else
			CHECK(aclmdlRIDestroy(graph));
	}
	for (unsigned nodes : {1u, 10u, 100u, SHAPE_NODES})
		add(capture(client.first, nodes, addition), nodes, "add", "add of 8 floats");
	add(capture_branches(client.first, SHAPE_NODES, addition), SHAPE_NODES, "branches",
	    "add on 8 branches");
}

void measure_instantiation(const Client &client, const Effort &effort, Round &round)
{
	const Additions additions(client.scratch);
	std::vector<double> tasks;
	std::vector<double> ends;
	for (unsigned i = 0; i < effort.scaled(20); i++) {
		aclmdlRI graph = nullptr;
		CHECK(aclmdlRICaptureBegin(client.first, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
		const uint64_t start_ns = base::now_ns();
		for (unsigned n = 0; n < MANY_NODES; n++)
			additions.launch(client.first, n);
		const uint64_t captured_ns = base::now_ns();
		CHECK(aclmdlRICaptureEnd(client.first, &graph));
		const uint64_t end_ns = base::now_ns();
		CHECK(aclmdlRIDestroy(graph));
		tasks.push_back(static_cast<double>(captured_ns - start_ns));
		ends.push_back(static_cast<double>(end_ns - captured_ns));
	}
	const auto add = [&](const char *key, const char *title, std::vector<double> &samples) {
		const double median_ns = quantile(samples, 0.5);
		round.push_back({key,
				 title,
				 {median_ns, quantile(samples, 0.99)},
				 KEY_DESCRIPTOR,
				 Against::TIME,
				 MANY_NODES});
	};
	add("capture.tasks", "capture of 10000 additions", tasks);
	add("capture.end", "instantiation of 10000 additions", ends);
}

double graph_bytes_per_node(const Client &client)
{
	const Additions additions(client.scratch);
	const uint64_t before = graphs_bytes();
	aclmdlRI graph = capture(client.first, MANY_NODES, [&](aclrtStream stream, unsigned i) {
		additions.launch(stream, i);
	});
	const uint64_t after = graphs_bytes();
	CHECK(aclmdlRIDestroy(graph));
	return static_cast<double>(after - before) / MANY_NODES;
}

} // namespace bench
