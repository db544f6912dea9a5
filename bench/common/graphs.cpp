// SPDX-License-Identifier: MIT
/**
 * DOC: Graphs
 *
 * Chains captured on one stream and replayed. The API can't capture a node that does nothing; the
 * nearest is a memset of 32 bytes, which the device checks and executes like any other node. The
 * other flavour adds eight floats.
 */
#include "graphs.h"

#include <aclnnop/aclnn_add.h>

#include <string>

namespace bench {

namespace {

constexpr int64_t ADD_FLOATS = 8;

aclTensor *vector_at(void *memory, size_t offset_bytes)
{
	void *data = static_cast<char *>(memory) + offset_bytes;
	aclTensor *tensor = aclCreateTensor(&ADD_FLOATS, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND,
					    &ADD_FLOATS, 1, data);
	check(tensor ? 0 : -1, "aclCreateTensor");
	return tensor;
}

/* The operands of an addition in the client's memory. */
class Addition {
public:
	explicit Addition(void *memory)
		: left_(vector_at(memory, 0)), right_(vector_at(memory, 256)),
		  sum_(vector_at(memory, 512))
	{
		float factor = 1;
		alpha_ = aclCreateScalar(&factor, ACL_FLOAT);
		check(alpha_ ? 0 : -1, "aclCreateScalar");
	}

	~Addition()
	{
		CHECK(aclDestroyScalar(alpha_));
		CHECK(aclDestroyTensor(sum_));
		CHECK(aclDestroyTensor(right_));
		CHECK(aclDestroyTensor(left_));
	}

	void launch(aclrtStream stream) const
	{
		uint64_t workspace_bytes = 0;
		aclOpExecutor *executor = nullptr;
		CHECK(aclnnAddGetWorkspaceSize(left_, right_, alpha_, sum_, &workspace_bytes,
					       &executor));
		CHECK(aclnnAdd(nullptr, 0, executor, stream));
	}

private:
	aclTensor *left_;
	aclTensor *right_;
	aclTensor *sum_;
	aclScalar *alpha_ = nullptr;
};

template <class Node> aclmdlRI capture(aclrtStream stream, unsigned nodes, Node &&node)
{
	aclmdlRI graph = nullptr;
	CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	for (unsigned i = 0; i < nodes; i++)
		node();
	CHECK(aclmdlRICaptureEnd(stream, &graph));
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

} // namespace

void measure_graphs(const Client &client, const Effort &effort, Round &round)
{
	const Addition addition(client.scratch);
	auto add = [&](aclmdlRI graph, unsigned nodes, const char *key, const char *title) {
		const std::string number = std::to_string(nodes);
		const Summary summary = replay(client, graph, nodes, effort);
		CHECK(aclmdlRIDestroy(graph));
		round.push_back({std::string("replay.") + key + "." + number,
				 "replay of " + number + " x " + title, summary, KEY_DESCRIPTOR,
				 Against::TIME, nodes});
	};
	for (unsigned nodes : {1u, 10u, 100u, 1000u})
		add(capture(client.first, nodes, [&] { client.task(client.first); }), nodes,
		    "memset", "memset of 32 bytes");
	for (unsigned nodes : {1u, 10u, 100u, 1000u})
		add(capture(client.first, nodes, [&] { addition.launch(client.first); }), nodes,
		    "add", "add of 8 floats");
}

} // namespace bench
