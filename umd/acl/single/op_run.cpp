// SPDX-License-Identifier: MIT
/**
 * DOC: Runs of single operators
 *
 * An operator is a model of a few nodes, so its run is that of a model. It is compiled when it is first wanted, whether
 * the program loaded it or not.
 */
#include "op_run.h"

#include "acl/acl.h"
#include "acl/acl_mdl.h"
#include "acl/acl_op_compiler.h"
#include "op_cache.h"
#include "umd/acl/copy/data_buffer.h"
#include "umd/acl/front.h"
#include "umd/acl/offline/failure.h"
#include "umd/core/context/find_stream.h"

namespace umd {

using base::Status;

namespace {

/* class RunDataset - a dataset for one run. */
class RunDataset {
public:
	RunDataset() : handle_(aclmdlCreateDataset()) {}
	~RunDataset()
	{
		if (handle_)
			(void)aclmdlDestroyDataset(handle_);
	}
	RunDataset(const RunDataset &) = delete;
	RunDataset &operator=(const RunDataset &) = delete;

	aclmdlDataset *handle() const { return handle_; }

	/* add() - a buffer for @port. @role: "input" or "output" @i: its number in the call */
	aclError add(const char *role, size_t i, const aclDataBuffer *handle,
		     const models::om::Port &port)
	{
		auto buffer = TRY(find_plain(handle, fmt::format("{}s[{}]", role, i).c_str(),
					     "aclopExecuteV2"));
		if (buffer->size >= static_cast<uint64_t>(port.bytes))
			return aclmdlAddDatasetBuffer(handle_, handle_of(*buffer));
		const bool is_input = role[0] == 'i';
		return refuse_model(
			is_input ? ACL_ERROR_OP_INPUT_NOT_MATCH : ACL_ERROR_OP_OUTPUT_NOT_MATCH,
			is_input ? "ACL_ERROR_OP_INPUT_NOT_MATCH" : "ACL_ERROR_OP_OUTPUT_NOT_MATCH",
			fmt::format("{} {} has {} bytes; its description needs {}", role, i,
				    buffer->size, port.bytes));
	}

private:
	aclmdlDataset *handle_;
};

aclError fill(const models::SingleOp &op, const models::om::Face &face,
	      const aclDataBuffer *const inputs[], aclDataBuffer *const outputs[], RunDataset &in,
	      RunDataset &out)
{
	size_t next = 0;
	for (size_t i = 0; i < op.inputs.size(); i++)
		if (!op.inputs[i].is_absent && !op.inputs[i].elements)
			TRY_CODE(in.add("input", i, inputs[i], face.inputs[next++]));
	for (size_t i = 0; i < op.outputs.size(); i++)
		TRY_CODE(out.add("output", i, outputs[i], face.outputs[i]));
	return ACL_SUCCESS;
}

/* A graph that captures the run is launched when the program likes, so its model has a work memory of its own, which
 * the graph keeps. */
aclError find_model(const models::SingleOp &op, void *handle, const char *call, uint32_t &captured,
		    std::shared_ptr<OfflineModel> &model)
{
	uint64_t stream = 0;
	{
		auto found = TRY(find_stream(handle, true));
		if (found->sink.is_empty())
			stream = found->handle.now();
	}
	if (stream != 0)
		return OpCache::get().find(op, stream, call, model);
	TRY_CODE(compile_op(op, call, captured));
	return OfflineModel::find(captured, model);
}

} // namespace

aclError run_op(const char *call, OpCall op, const aclDataBuffer *const inputs[],
		aclDataBuffer *const outputs[], void *stream,
		std::shared_ptr<const ModelFace> *face)
{
	if ((!op.op.inputs.empty() && !inputs) || (!op.op.outputs.empty() && !outputs))
		return acl_return(null_argument(inputs ? "outputs" : "inputs"));
	TRY_CODE(read_host_inputs(op, inputs));
	uint32_t captured = 0;
	std::shared_ptr<OfflineModel> model;
	TRY_CODE(find_model(op.op, stream, call, captured, model));
	RunDataset in, out;
	if (!in.handle() || !out.handle())
		return acl_return(Status::NO_MEMORY);
	aclError result = fill(op.op, model->face()->face, inputs, outputs, in, out);
	if (result == ACL_SUCCESS)
		result = model->execute_async(in.handle(), out.handle(), stream, Call::RUN_SINGLE);
	if (face)
		*face = model->face();
	if (captured != 0)
		(void)OfflineModel::unload(captured);
	return result;
}

aclError make_handle(const char *call, OpCall &&op, aclopHandle **handle)
{
	if (!handle)
		return acl_return(null_argument("handle"));
	std::shared_ptr<OfflineModel> model;
	TRY_CODE(OpCache::get().find(op.op, 0, call, model));
	auto *made = make_plain<aclopHandle>(call);
	if (!made)
		return acl_return(Status::NO_MEMORY);
	made->call = std::move(op);
	*handle = handle_of(*made);
	return ACL_SUCCESS;
}

static aclError execute(const char *call, const OpText &text, const aclDataBuffer *const inputs[],
			aclDataBuffer *const outputs[], aclrtStream stream,
			aclTensorDesc *const results[])
{
	TRY(check_begun(call));
	OpCall op;
	TRY_CODE(read_call(text, op));
	std::shared_ptr<const ModelFace> face;
	TRY_CODE(run_op(call, std::move(op), inputs, outputs, stream, &face));
	return results ? describe_results(text.output_count, results, face->face) : ACL_SUCCESS;
}

static aclError compile(const char *call, const OpText &text)
{
	TRY(check_begun(call));
	OpCall op;
	TRY_CODE(read_call(text, op));
	std::shared_ptr<OfflineModel> model;
	return OpCache::get().find(op.op, 0, call, model);
}

static Status check_compiler(aclopEngineType engine, aclopCompileType kind)
{
	if (engine < ACL_ENGINE_SYS || engine > ACL_ENGINE_VECTOR)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("engineType is {}; it must be from 0 to 2",
					     static_cast<int>(engine)));
	if (kind == ACL_COMPILE_SYS)
		return Status::OK;
	return set_error(
		kind == ACL_COMPILE_UNREGISTERED ? Status::NOT_SUPPORTED : Status::INVALID_ENUM,
		fmt::format("compileFlag is {}; it must be ACL_COMPILE_SYS (0): operators of a "
			    "definition in opPath are not supported",
			    static_cast<int>(kind)));
}

} // namespace umd

using umd::acl_return;
using umd::OpText;

aclError aclopExecute(const char *opType, int numInputs, const aclTensorDesc *const inputDesc[],
		      const aclDataBuffer *const inputs[], int numOutputs,
		      const aclTensorDesc *const outputDesc[], aclDataBuffer *const outputs[],
		      const aclopAttr *attr, aclrtStream stream)
{
	return umd::execute("aclopExecute",
			    {opType, numInputs, inputDesc, numOutputs, outputDesc, attr}, inputs,
			    outputs, stream, nullptr);
}

aclError aclopExecuteV2(const char *opType, int numInputs, aclTensorDesc *inputDesc[],
			aclDataBuffer *inputs[], int numOutputs, aclTensorDesc *outputDesc[],
			aclDataBuffer *outputs[], aclopAttr *attr, aclrtStream stream)
{
	return umd::execute("aclopExecuteV2",
			    {opType, numInputs, inputDesc, numOutputs, outputDesc, attr}, inputs,
			    outputs, stream, outputDesc);
}

aclError aclopCompile(const char *opType, int numInputs, const aclTensorDesc *const inputDesc[],
		      int numOutputs, const aclTensorDesc *const outputDesc[],
		      const aclopAttr *attr, aclopEngineType engineType,
		      aclopCompileType compileFlag, const char *)
{
	TRY(umd::check_compiler(engineType, compileFlag));
	return umd::compile("aclopCompile",
			    {opType, numInputs, inputDesc, numOutputs, outputDesc, attr});
}

aclError aclopCompileAndExecute(const char *opType, int numInputs,
				const aclTensorDesc *const inputDesc[],
				const aclDataBuffer *const inputs[], int numOutputs,
				const aclTensorDesc *const outputDesc[],
				aclDataBuffer *const outputs[], const aclopAttr *attr,
				aclopEngineType engineType, aclopCompileType compileFlag,
				const char *, aclrtStream stream)
{
	TRY(umd::check_compiler(engineType, compileFlag));
	return umd::execute("aclopCompileAndExecute",
			    {opType, numInputs, inputDesc, numOutputs, outputDesc, attr}, inputs,
			    outputs, stream, nullptr);
}

aclError aclopCompileAndExecuteV2(const char *opType, int numInputs, aclTensorDesc *inputDesc[],
				  aclDataBuffer *inputs[], int numOutputs,
				  aclTensorDesc *outputDesc[], aclDataBuffer *outputs[],
				  aclopAttr *attr, aclopEngineType engineType,
				  aclopCompileType compileFlag, const char *, aclrtStream stream)
{
	TRY(umd::check_compiler(engineType, compileFlag));
	return umd::execute("aclopCompileAndExecuteV2",
			    {opType, numInputs, inputDesc, numOutputs, outputDesc, attr}, inputs,
			    outputs, stream, outputDesc);
}

aclError aclopCreateHandle(const char *opType, int numInputs,
			   const aclTensorDesc *const inputDesc[], int numOutputs,
			   const aclTensorDesc *const outputDesc[], const aclopAttr *opAttr,
			   aclopHandle **handle)
{
	TRY(umd::check_begun("aclopCreateHandle"));
	umd::OpCall call;
	TRY_CODE(umd::read_call({opType, numInputs, inputDesc, numOutputs, outputDesc, opAttr},
				call));
	return umd::make_handle("aclopCreateHandle", std::move(call), handle);
}

void aclopDestroyHandle(aclopHandle *handle)
{
	/* As free(), it does nothing with NULL. */
	if (!handle)
		return;
	const auto ended = umd::retire_plain(handle, "handle");
	(void)acl_return(ended.status());
	if (!ended)
		return;
	(*ended)->call = {};
	umd::free_plain(**ended);
}

aclError aclopExecWithHandle(aclopHandle *handle, int numInputs,
			     const aclDataBuffer *const inputs[], int numOutputs,
			     aclDataBuffer *const outputs[], aclrtStream stream)
{
	auto found = TRY(umd::find_plain(handle, "handle"));
	const models::SingleOp &op = found->call.op;
	if (numInputs < 0 || static_cast<size_t>(numInputs) != op.inputs.size())
		return REFUSE(ACL_ERROR_OP_INPUT_NOT_MATCH,
			      fmt::format("numInputs is {}; the operator {} was described with {}",
					  numInputs, op.type, op.inputs.size()));
	if (numOutputs < 0 || static_cast<size_t>(numOutputs) != op.outputs.size())
		return REFUSE(ACL_ERROR_OP_OUTPUT_NOT_MATCH,
			      fmt::format("numOutputs is {}; the operator {} was described with {}",
					  numOutputs, op.type, op.outputs.size()));
	return umd::run_op("aclopExecWithHandle", found->call, inputs, outputs, stream, nullptr);
}

aclError aclopCast(const aclTensorDesc *srcDesc, const aclDataBuffer *srcBuffer,
		   const aclTensorDesc *dstDesc, aclDataBuffer *dstBuffer, uint8_t truncate,
		   aclrtStream stream)
{
	TRY(umd::check_begun("aclopCast"));
	if (truncate != 0)
		return acl_return(
			umd::set_error(base::Status::NULL_POINTER,
				       fmt::format("truncate is {}; it must be 0", truncate)));
	return umd::execute("aclopCast", {"Cast", 1, &srcDesc, 1, &dstDesc, nullptr}, &srcBuffer,
			    &dstBuffer, stream, nullptr);
}
