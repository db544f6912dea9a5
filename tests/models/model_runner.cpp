// SPDX-License-Identifier: MIT
/*
 * DOC: Runner of programs
 *
 * Gives the spaces of a program memory of the device, fills in the addresses, and launches the descriptors as one
 * graph.
 */
#include "model_runner.h"

#include <memory>

#include "acl/acl.h"
#include "drv/packet/packets.h"
#include "extent.h"
#include "models/om/om.h"
#include "umd/acl/offline/program_graph.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/graph/graph_exec.h"

namespace {

/* class Memory - of the device. */
class Memory {
public:
	explicit Memory(uint64_t bytes)
	{
		if (aclrtMalloc(&at_, std::max<uint64_t>(bytes, 64), ACL_MEM_MALLOC_HUGE_FIRST) !=
		    0)
			at_ = nullptr;
	}
	~Memory()
	{
		if (at_)
			(void)aclrtFree(at_);
	}
	Memory(const Memory &) = delete;
	Memory &operator=(const Memory &) = delete;

	uint64_t address() const { return reinterpret_cast<uint64_t>(at_); }
	bool write(std::string_view bytes, uint64_t offset = 0)
	{
		return bytes.empty() ||
		       aclrtMemcpy(static_cast<char *>(at_) + offset, bytes.size(), bytes.data(),
				   bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE) == 0;
	}
	bool read(std::string &bytes)
	{
		return bytes.empty() || aclrtMemcpy(bytes.data(), bytes.size(), at_, bytes.size(),
						    ACL_MEMCPY_DEVICE_TO_HOST) == 0;
	}

private:
	void *at_ = nullptr;
};

std::string last_error()
{
	const char *text = aclGetRecentErrMsg();
	return text ? text : "no sentence";
}

/* struct Places - the memory of all spaces. */
struct Places {
	std::vector<std::unique_ptr<Memory>> inputs, outputs;
	std::unique_ptr<Memory> weights, own, arena;
	std::vector<uint64_t> constants; /* in weights */

	uint64_t address(const models::Buffer &buffer) const
	{
		using models::Space;
		switch (buffer.space) {
		case Space::INPUT:
			return inputs[buffer.index]->address();
		case Space::OUTPUT:
			return outputs[buffer.index]->address();
		case Space::WEIGHTS:
			return weights->address() + constants[buffer.index];
		case Space::OWN:
			return own->address() + buffer.offset;
		case Space::ARENA:
			return arena->address() + buffer.offset;
		}
		return 0;
	}
};

bool fill(const models::ir::Model &model, const models::Program &program,
	  const std::vector<std::string> &inputs, Places &places)
{
	uint64_t weight_bytes;
	places.constants = models::om::place_weights(model, weight_bytes);
	places.weights = std::make_unique<Memory>(weight_bytes);
	places.own = std::make_unique<Memory>(program.own.size());
	places.arena = std::make_unique<Memory>(program.arena_bytes);
	bool is_good = places.own->write(program.own);
	for (size_t i = 0; i < places.constants.size(); i++)
		is_good &= places.weights->write(model.constants[i].bytes, places.constants[i]);
	for (const std::string &input : inputs) {
		places.inputs.push_back(std::make_unique<Memory>(input.size()));
		is_good &= places.inputs.back()->write(input);
	}
	for (const models::Port &port : program.outputs)
		places.outputs.push_back(std::make_unique<Memory>(port.bytes));
	return is_good;
}

umd::GraphTask task_of(const models::Program &program, const Places &places, size_t k)
{
	const models::Launch &launch = program.launches[k];
	std::vector<uint64_t> words = launch.words;
	for (const models::Relocation &address : launch.addresses)
		words[address.word] =
			places.address(program.buffers[address.buffer]) + address.offset;
	umd::GraphTask task = umd::graph_task(
		drv::tensor_packet(0, launch.kind, words.size() * sizeof(uint64_t)), nullptr);
	task.tensor = std::make_shared<const std::vector<uint64_t>>(std::move(words));
	return task;
}

base::Status execute(void *handle, const models::Program &program, const Places &places)
{
	const umd::ProgramTasks tasks{
		[&](size_t k) { return task_of(program, places, k); },
		[&](const models::Buffer &word) { return places.address(word); }};
	const auto context = TRY(umd::Contexts::get().current());
	const auto stream = TRY(umd::find_stream(handle, true));
	const auto exec = TRY(umd::GraphExec::create(
		*context->open, std::move(umd::build_graph(program, tasks).graph)));
	TRY(exec->launch(*stream, 0));
	return aclrtSynchronizeStream(handle) == 0 ? base::Status::OK : base::Status::INTERNAL;
}

} // namespace

Runner::Runner()
{
	(void)aclInit(nullptr);
	(void)aclrtSetDevice(0);
	(void)aclrtCreateStream(&stream_);
}

Runner::~Runner()
{
	(void)aclrtDestroyStream(stream_);
	(void)aclrtResetDevice(0);
	(void)aclFinalize();
}

std::string Runner::run(const models::ir::Model &model, const models::Program &program,
			const std::vector<std::string> &inputs, std::vector<std::string> &outputs)
{
	Places places;
	if (std::string why = models::check_extents(program); !why.empty())
		return why;
	if (!fill(model, program, inputs, places))
		return "no memory: " + last_error();
	std::string failure;
	if (!program.launches.empty() && execute(stream_, program, places) != base::Status::OK)
		failure = "it failed: " + last_error();
	outputs.clear();
	for (size_t i = 0; i < places.outputs.size() && failure.empty(); i++) {
		outputs.emplace_back(program.outputs[i].bytes, '\0');
		if (!places.outputs[i]->read(outputs.back()))
			failure = "no result: " + last_error();
	}
	return failure;
}
