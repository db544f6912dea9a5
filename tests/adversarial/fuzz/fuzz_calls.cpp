// SPDX-License-Identifier: MIT
/**
 * DOC: sequences of API calls, fuzzed
 *
 * An input is a sequence of calls on a stepped device, as a program full of mistakes may make them:
 * handles of every kind, stale, null or invented; numbers out of range; calls in the wrong order. Only
 * pointers to host memory are valid, because a wrong one may crash any library. Whatever the calls
 * return, a context that is created afterwards works. The context of the calls themselves may have
 * failed, for example by an operator on memory that was freed before it ran.
 *
 *	INPUT	{ call:1, arguments... }...
 *
 * The target leaves out calls that wait for another thread without a limit.
 */
#include <functional>
#include <iterator>

#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_mul.h"
#include "input.h"
#include "slots.h"
#include "unpu/unpu.h"

using namespace fuzz;

namespace {

constexpr unsigned CALLS = 24;
constexpr size_t BUFFER_BYTES = 256 << 10;
constexpr int32_t SHORT_MS = 1;

class Program {
public:
	Program()
	{
		expect(aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS &&
			       aclrtGetCurrentContext(&home_) == ACL_SUCCESS,
		       "there is no device");
	}

	void run(Input input)
	{
		inputs_++;
		for (unsigned i = 0; i < CALLS && input.left() > 0; i++)
			call(input);
		clean_up();
		check();
	}

private:
	using Call = void (Program::*)(Input &input);

	void call(Input &input)
	{
		static constexpr Call CALLS_OF_ALL_KINDS[] = {
			&Program::stream_create, &Program::stream_destroy, &Program::stream_ask,
			&Program::stream_change, &Program::event_create,   &Program::event_destroy,
			&Program::event_record,	 &Program::event_wait,	   &Program::event_ask,
			&Program::memory_create, &Program::memory_destroy, &Program::host_create,
			&Program::copy,		 &Program::copy_async,	   &Program::copy_rows,
			&Program::fill,		 &Program::fill_async,	   &Program::capture_begin,
			&Program::capture_end,	 &Program::capture_ask,	   &Program::model_run,
			&Program::model_destroy, &Program::group,	   &Program::compute,
			&Program::context_make,	 &Program::context_set,	   &Program::context_drop,
			&Program::errors,	 &Program::device_ask,	   &Program::finish,
			&Program::value_write,	 &Program::step,
		};
		auto which = input.take<uint8_t>() % std::size(CALLS_OF_ALL_KINDS);
		(this->*CALLS_OF_ALL_KINDS[which])(input);
	}

	/* A stream costs more than all else that an input does, so one that an earlier input had made in
	 * the same way is as good, but for every so many inputs. */
	struct Spare {
		aclrtStream stream;
		uint8_t priority;
		uint8_t flags;
		bool used;
	};

	bool at_home() const
	{
		aclrtContext current = nullptr;
		return aclrtGetCurrentContext(&current) == ACL_SUCCESS && current == home_;
	}

	aclError make_stream(aclrtStream *stream, uint8_t priority, uint8_t flags)
	{
		bool home = at_home();
		for (Spare &spare : spares_) {
			if (!home || spare.used || spare.priority != priority ||
			    spare.flags != flags)
				continue;
			spare.used = true;
			*stream = spare.stream;
			return ACL_SUCCESS;
		}
		aclError made = flags == 0 ? aclrtCreateStream(stream)
					   : aclrtCreateStreamWithConfig(stream, priority, flags);
		if (made == ACL_SUCCESS && home && spares_.size() < SPARES)
			spares_.push_back({*stream, priority, flags, true});
		return made;
	}

	void stream_create(Input &input)
	{
		auto priority = input.take<uint8_t>();
		auto flags = input.take<uint8_t>();
		streams_.make(input, [&](aclrtStream *stream) {
			return make_stream(stream, priority, flags);
		});
	}

	aclError drop_stream(aclrtStream stream, bool force)
	{
		/* It waits for what the stream does, if it is asked so. */
		force = force || !ends(stream);
		aclError dropped =
			force ? aclrtDestroyStreamForce(stream) : aclrtDestroyStream(stream);
		if (dropped == ACL_SUCCESS)
			std::erase_if(spares_,
				      [&](const Spare &spare) { return spare.stream == stream; });
		return dropped;
	}

	/* At the end of an input. */
	void clear_streams()
	{
		bool all = failure_modes_ || inputs_ % INPUTS_PER_SPARE == 0;
		failure_modes_ = false;
		for (Spare &spare : spares_)
			spare.used = all;
		streams_.clear([&](aclrtStream stream) {
			for (const Spare &spare : spares_) {
				if (spare.stream == stream && !spare.used)
					return ACL_SUCCESS;
			}
			return drop_stream(stream, true);
		});
		while (all && !spares_.empty()) {
			if (drop_stream(spares_.back().stream, true) != ACL_SUCCESS)
				spares_.pop_back();
		}
	}

	void stream_destroy(Input &input)
	{
		bool force = input.take<uint8_t>() & 1;
		streams_.destroy(input,
				 [&](aclrtStream stream) { return drop_stream(stream, force); });
	}

	void stream_ask(Input &input)
	{
		aclrtStreamStatus status;
		int32_t id;
		uint32_t flags;
		aclrtStream stream = streams_.any(input);
		(void)aclrtStreamQuery(stream, &status);
		(void)aclrtStreamGetId(stream, &id);
		(void)aclrtStreamGetFlags(stream, &flags);
	}

	void stream_change(Input &input)
	{
		aclrtStream stream = streams_.any(input);
		if (input.take<uint8_t>() & 1)
			(void)aclrtStreamAbort(stream);
		else
			failure_modes_ |= aclrtSetStreamFailureMode(
						  stream, input.take<uint8_t>()) == ACL_SUCCESS;
	}

	void event_create(Input &input)
	{
		auto flag = input.take<uint8_t>();
		events_.make(input, [&](aclrtEvent *event) {
			return aclrtCreateEventExWithFlag(event, flag);
		});
	}

	void event_destroy(Input &input) { events_.destroy(input, aclrtDestroyEvent); }
	void event_record(Input &input)
	{
		aclrtEvent event = events_.any(input);
		(void)aclrtRecordEvent(event, streams_.any(input));
	}

	void event_wait(Input &input)
	{
		aclrtStream stream = streams_.any(input);
		(void)aclrtStreamWaitEvent(stream, events_.any(input));
	}

	void event_ask(Input &input)
	{
		aclrtEventRecordedStatus status;
		uint64_t stamp;
		float ms;
		aclrtEvent event = events_.any(input);
		(void)aclrtQueryEventStatus(event, &status);
		(void)aclrtEventGetTimestamp(event, &stamp);
		(void)aclrtEventElapsedTime(&ms, event, events_.any(input));
	}

	void memory_create(Input &input)
	{
		auto bytes = input.take<uint16_t>();
		auto policy = raw<aclrtMemMallocPolicy>(input);
		memory_.make(input,
			     [&](void **memory) { return aclrtMalloc(memory, bytes, policy); });
	}

	void memory_destroy(Input &input) { memory_.destroy(input, aclrtFree); }
	void host_create(Input &input)
	{
		host_.make(input,
			   [](void **memory) { return aclrtMallocHost(memory, BUFFER_BYTES); });
	}

	/* Good where it is host memory. */
	void *place(Input &input)
	{
		auto kind = input.take<uint8_t>() % 4;
		auto offset = input.take<uint16_t>();
		if (kind == 0)
			return buffer_ + offset;
		auto *memory = static_cast<char *>(kind == 1 ? host_.at(input) : memory_.at(input));
		return memory ? memory + offset : nullptr;
	}

	void copy(Input &input)
	{
		void *to = place(input);
		const void *from = place(input);
		auto room = input.take<uint16_t>();
		auto bytes = input.take<uint16_t>();
		(void)aclrtMemcpy(to, room, from, bytes, raw<aclrtMemcpyKind>(input));
	}

	/* Whether a call that waits for @stream ends: it may stand in a wait that nothing ends. */
	static bool ends(aclrtStream stream)
	{
		return aclrtSynchronizeStreamWithTimeout(stream, SHORT_MS) !=
		       ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
	}

	/* A copy from or to such memory waits for its stream. */
	bool is_pageable(const void *address) const
	{
		auto *byte = static_cast<const char *>(address);
		return byte >= buffer_ && byte < buffer_ + BUFFER_BYTES;
	}

	void copy_async(Input &input)
	{
		void *to = place(input);
		const void *from = place(input);
		auto room = input.take<uint16_t>();
		auto bytes = input.take<uint16_t>();
		auto kind = raw<aclrtMemcpyKind>(input);
		aclrtStream stream = streams_.any(input);
		if ((is_pageable(to) || is_pageable(from)) && !ends(stream))
			return;
		(void)aclrtMemcpyAsync(to, room, from, bytes, kind, stream);
	}

	void copy_rows(Input &input)
	{
		void *to = place(input);
		const void *from = place(input);
		auto pitch = input.take<uint8_t>();
		auto other_pitch = input.take<uint8_t>();
		auto width = input.take<uint8_t>();
		auto height = input.take<uint8_t>();
		auto kind = raw<aclrtMemcpyKind>(input);
		aclrtStream stream = streams_.any(input);
		if ((is_pageable(to) || is_pageable(from)) && !ends(stream))
			return;
		(void)aclrtMemcpy2dAsync(to, pitch, from, other_pitch, width, height, kind, stream);
	}

	void fill(Input &input)
	{
		void *to = place(input);
		auto room = input.take<uint16_t>();
		auto bytes = input.take<uint16_t>();
		(void)aclrtMemset(to, room, input.take<uint8_t>(), bytes);
	}

	void fill_async(Input &input)
	{
		void *to = place(input);
		auto room = input.take<uint16_t>();
		auto bytes = input.take<uint16_t>();
		auto value = input.take<uint8_t>();
		(void)aclrtMemsetAsync(to, room, value, bytes, streams_.any(input));
	}

	void capture_begin(Input &input)
	{
		aclrtStream stream = streams_.any(input);
		(void)aclmdlRICaptureBegin(stream, raw<aclmdlRICaptureMode>(input));
	}

	void capture_end(Input &input)
	{
		aclrtStream stream = streams_.any(input);
		models_.make(input,
			     [&](aclmdlRI *model) { return aclmdlRICaptureEnd(stream, model); });
	}

	void capture_ask(Input &input)
	{
		aclmdlRICaptureStatus status;
		aclmdlRI model;
		(void)aclmdlRICaptureGetInfo(streams_.any(input), &status, &model);
	}

	void model_run(Input &input)
	{
		aclmdlRI model = models_.any(input);
		(void)aclmdlRIExecuteAsync(model, streams_.any(input));
	}

	/* It has patience with what runs. */
	void model_destroy(Input &input)
	{
		come_to_rest();
		models_.destroy(input, aclmdlRIDestroy);
	}
	void group(Input &input)
	{
		aclrtStream stream = streams_.any(input);
		aclrtTaskGrp made;
		if (input.take<uint8_t>() & 1)
			(void)aclmdlRICaptureTaskGrpBegin(stream);
		else
			(void)aclmdlRICaptureTaskGrpEnd(stream, &made);
	}

	void compute(Input &input)
	{
		int64_t dims[2] = {input.take<uint8_t>(), input.take<uint8_t>()};
		int64_t strides[2] = {input.take<int8_t>(), input.take<int8_t>()};
		auto type = raw<aclDataType>(input);
		aclTensor *tensors[3] = {};
		for (aclTensor *&tensor : tensors)
			tensor = aclCreateTensor(dims, 2, type, strides, 0, ACL_FORMAT_ND, dims, 2,
						 memory_.at(input));
		uint64_t workspace = 0;
		aclOpExecutor *executor = nullptr;
		if (aclnnMulGetWorkspaceSize(tensors[0], tensors[1], tensors[2], &workspace,
					     &executor) == ACL_SUCCESS)
			(void)aclnnMul(nullptr, workspace, executor, streams_.any(input));
		for (aclTensor *tensor : tensors) {
			if (tensor)
				(void)aclDestroyTensor(tensor);
		}
	}

	void context_make(Input &input)
	{
		contexts_.make(input, [](aclrtContext *context) {
			return aclrtCreateContext(context, 0);
		});
	}

	void context_set(Input &input)
	{
		aclrtContext context = contexts_.any(input);
		(void)aclrtSetCurrentContext(context ? context : home_);
	}

	/* It waits for what its streams do. */
	void context_drop(Input &input)
	{
		come_to_rest();
		contexts_.destroy(input, aclrtDestroyContext);
	}
	void errors(Input &input)
	{
		(void)aclGetRecentErrMsg();
		(void)aclrtGetLastError(raw<aclrtLastErrLevel>(input));
	}

	void device_ask(Input &input)
	{
		size_t free_bytes, total_bytes;
		(void)aclrtGetMemInfo(raw<aclrtMemAttr>(input), &free_bytes, &total_bytes);
	}

	void finish(Input &input)
	{
		(void)aclrtSynchronizeStreamWithTimeout(streams_.any(input), SHORT_MS);
	}

	void value_write(Input &input)
	{
		auto *address = memory_.at(input);
		auto value = input.take<uint64_t>();
		auto flag = input.take<uint8_t>();
		(void)aclrtValueWrite(address, value, flag, streams_.any(input));
	}

	void step(Input &input)
	{
		uint32_t moved;
		(void)unpu_device_step(0, input.take<uint8_t>(), &moved);
	}

	/* Streams of another context than the current one are refused. */
	template <class Call> void in_each_context(const Call &call)
	{
		for (unsigned i = 0; i < SLOTS; i++) {
			if (!contexts_.live[i])
				continue;
			(void)aclrtSetCurrentContext(contexts_.values[i]);
			call();
		}
		(void)aclrtSetCurrentContext(home_);
		call();
	}

	/* A stream that captures can't be aborted. */
	void end_captures()
	{
		in_each_context([&] {
			for (aclrtStream stream : streams_.values) {
				aclmdlRI model = nullptr;
				if (stream && aclmdlRICaptureEnd(stream, &model) == ACL_SUCCESS &&
				    model)
					(void)aclmdlRIDestroy(model);
			}
		});
	}

	/* What stands in a wait that nothing ends is ended: the ends of streams, models and contexts have
	 * patience with it, and the default stream of this context is that of the next input too. */
	void abort_all()
	{
		in_each_context([&] {
			(void)aclrtStreamAbort(nullptr);
			for (aclrtStream stream : streams_.values)
				(void)(stream && aclrtStreamAbort(stream));
		});
	}

	void come_to_rest()
	{
		aclrtContext current = nullptr;
		(void)aclrtGetCurrentContext(&current);
		(void)aclrtSetCurrentContext(home_);
		if (aclrtSynchronizeDeviceWithTimeout(SHORT_MS) != ACL_SUCCESS) {
			end_captures();
			abort_all();
		}
		(void)aclrtSetCurrentContext(current);
	}

	void clean_up()
	{
		end_captures();
		abort_all();
		models_.clear(aclmdlRIDestroy);
		/* Without its context a stream can be destroyed from anywhere. */
		contexts_.clear(aclrtDestroyContext);
		clear_streams();
		events_.clear(aclrtDestroyEvent);
		memory_.clear(aclrtFree);
		host_.clear(aclrtFreeHost);
		(void)aclGetRecentErrMsg();
	}

	static std::string why()
	{
		const char *text = aclGetRecentErrMsg();
		std::string sentence = "the device does not do its work";
		return text ? sentence.append(": ").append(text) : sentence;
	}

	void check()
	{
		if (inputs_ % INPUTS_PER_DEVICE == 0) {
			expect(aclrtResetDeviceForce(0) == ACL_SUCCESS &&
				       aclrtSetDevice(0) == ACL_SUCCESS &&
				       aclrtGetCurrentContext(&home_) == ACL_SUCCESS,
			       "the device can't be reset");
		}
		if (inputs_ % INPUTS_PER_CHECK != 0)
			return;
		aclrtContext fresh = nullptr;
		aclrtStream stream = nullptr;
		void *memory = nullptr;
		unsigned char found[64] = {};
		expect(aclrtCreateContext(&fresh, 0) == ACL_SUCCESS &&
			       aclrtCreateStream(&stream) == ACL_SUCCESS &&
			       aclrtMalloc(&memory, sizeof(found), ACL_MEM_MALLOC_NORMAL_ONLY) ==
				       ACL_SUCCESS,
		       "there is no stream and no memory left");
		(void)aclrtMemsetAsync(memory, sizeof(found), 7, sizeof(found), stream);
		expect(aclrtSynchronizeStream(stream) == ACL_SUCCESS &&
			       aclrtMemcpy(found, sizeof(found), memory, sizeof(found),
					   ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS &&
			       found[0] == 7 && found[63] == 7,
		       why().c_str());
		expect(aclrtDestroyStream(stream) == ACL_SUCCESS &&
			       aclrtFree(memory) == ACL_SUCCESS &&
			       aclrtDestroyContext(fresh) == ACL_SUCCESS &&
			       aclrtSetCurrentContext(home_) == ACL_SUCCESS,
		       "what is good can't be destroyed");
	}

	static constexpr uint64_t INPUTS_PER_CHECK = 16;
	static constexpr uint64_t INPUTS_PER_SPARE = 8;
	static constexpr size_t SPARES = 8;
	static constexpr uint64_t INPUTS_PER_DEVICE = 4096;

	aclrtContext home_ = nullptr;
	Slots<aclrtStream> streams_;
	std::vector<Spare> spares_;
	bool failure_modes_ = false; /* of its streams, which keep them */
	Slots<aclrtEvent> events_;
	Slots<void *> memory_;
	Slots<void *> host_;
	Slots<aclmdlRI> models_;
	Slots<aclrtContext> contexts_;
	uint64_t inputs_ = 0;
	char buffer_[BUFFER_BYTES] = {};
};

} // namespace

std::vector<Seed> fuzz::seeds()
{
	std::vector<Seed> all;
	auto add = [&all](const char *name, const std::vector<uint8_t> &bytes) {
		Seed seed{name, {}};
		for (uint8_t byte : bytes)
			seed.add(byte);
		all.push_back(std::move(seed));
	};
	/* stream 0; memory 0; fill; finish */
	add("fill", {0, 0, 0, 0, 9, 0, 1, 0, 0, 16, 2, 0, 0, 0, 0, 1, 64, 0, 5, 0, 29, 0});
	/* stream 0; memory 0; capture; fill; end; run; finish */
	add("capture", {0, 0, 0, 0,  9, 0, 1, 0,  0, 17, 0,  0, 16, 2,	0, 0,
			0, 0, 1, 64, 0, 5, 0, 18, 0, 0,	 20, 0, 0,  29, 0});
	/* streams 0 and 1; event 0; record; wait; ask */
	add("events", {0, 0, 0, 0, 0, 0, 0, 1, 4, 8, 0, 6, 0, 0, 7, 1, 0, 8, 0, 0, 29, 1});
	/* memory 0; host 0; copies to and fro */
	add("copies", {9, 0, 1, 0,  0, 11, 0, 12, 2, 0, 0, 0, 0, 0, 0, 0, 1,
		       0, 1, 1, 12, 0, 0,  0, 2,  0, 0, 0, 0, 1, 0, 1, 2});
	/* memory 0; stream 0; compute; finish */
	add("compute", {9, 0, 1, 0, 0, 0, 0, 0, 0, 23, 4, 4, 4, 1, 0, 0, 0, 0, 0, 29, 0});
	/* context 0; current; stream; drop */
	add("context", {24, 0, 25, 0, 0, 0, 0, 0, 26, 0, 2, 0});
	return all;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static Program *program;
	if (!program) {
		setenv("UNPU_DEVICE", "sim:step,memory=64M,window=1G", 1);
		program = new Program;
	}
	program->run(Input(data, bytes));
	return 0;
}
