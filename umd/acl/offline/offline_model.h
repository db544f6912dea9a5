// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "datasets.h"
#include "desc.h"
#include "instance.h"
#include "source.h"
#include "umd/core/graph/launch_queue.h"
#include "umd/core/handle/held.h"
#include "umd/core/object/fence_set.h"
#include "umd/core/process/call.h"

namespace umd {

/** struct LoadRequest - @call: the API call @work, @weights: memory of the program, or nothing
 * @priority: of the runs for which the program names no stream */
struct LoadRequest {
	const char *call;
	Source source{};
	Block work{}, weights{};
	uint32_t priority = 0;
};

/**
 * class OfflineModel - a model of a file that is loaded on a device. It belongs to the context in which it was loaded,
 * and ends with it. Context: any thread. Runs follow one another, also those on different streams; a thread holds no
 * lock while it waits for the device.
 */
class OfflineModel {
public:
	/** load() - @id: receives the number of the model, which is never 0. Return: the failure, sentence set. */
	static aclError load(const LoadRequest &request, uint32_t *id);

	/** adopt() - as load(), of a model that has no file. */
	static aclError adopt(const LoadRequest &request, std::unique_ptr<models::ir::Model> graph,
			      models::om::Face face, uint32_t *id);

	/** find() - @model: receives the model of @id. Return: ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, sentence set. */
	static aclError find(uint32_t id, std::shared_ptr<OfflineModel> &model);

	/** unload() - waits for the runs under way, and frees what the system allocated. Return: as find(). */
	static aclError unload(uint32_t id);

	~OfflineModel();
	OfflineModel(const OfflineModel &) = delete;
	OfflineModel &operator=(const OfflineModel &) = delete;

	std::shared_ptr<const ModelFace> face() const { return face_; }
	uint32_t id() const { return face_->id; }

	/** execute() - runs on a stream of the model's own, and waits. @call: of the program
	 * Return: ACL_ERROR_RT_MODEL_EXECUTE where a node fails; the sentence names it. */
	aclError execute(const aclmdlDataset *input, aclmdlDataset *output, Call call);

	/** execute_async() - appends a run to a stream, or to the graph that the stream captures.
	 * @handle: of the stream */
	aclError execute_async(const aclmdlDataset *input, aclmdlDataset *output, void *handle,
			       Call call);

	/** execute_in() - appends a run to a stream, and waits for the stream. @handle: of the stream
	 * Return: as execute(); ACL_ERROR_RT_STREAM_SYNC_TIMEOUT. */
	aclError execute_in(const aclmdlDataset *input, aclmdlDataset *output, void *handle,
			    uint64_t deadline_ns);

	/** note_choice() - @shape: of the profile that the program chose last, for some dataset */
	void note_choice(const models::om::Profile &shape);

	/** is_of() - whether the model belongs to the context of this handle. */
	bool is_of(uint64_t context) const { return context_ == context; }

	/** describe_node() - as that of its instances. */
	std::shared_ptr<const DumpOperator> describe_node(uint8_t program, uint32_t node);

	/** is_in() - whether a task of @graph uses the work memory of a captured run of this model. */
	bool is_in(const Graph &graph);

	/** check_graph() - for strict mode: whether @stream may get such a graph now. note_graph() - it has got one.
	 * @end: of the launch */
	base::Status check_graph(Stream &stream);
	void note_graph(const Stream &stream, const drv::Fence &end);

	/** current_dims() - the shape of an output in that profile. Context: it has profiles. */
	aclError current_dims(size_t output, aclmdlIODims &dims);

private:
	OfflineModel() = default;
	aclError make(const ContextHold &context, const LoadRequest &request);
	bool is_free() const { return face_->face.dynamic == models::om::Dynamic::FREE; }
	aclError make_instance(const ContextHold &context, const models::om::Profile &shape,
			       std::shared_ptr<Instance> &made);
	aclError make_room(const ContextHold &context, uint64_t bytes);
	void drop_oldest(const drv::Device &device);
	aclError find_instance(const models::om::Profile &shape,
			       std::shared_ptr<Instance> &instance);
	aclError prepare(const aclmdlDataset *input, const aclmdlDataset *output, Call call,
			 std::shared_ptr<Instance> &instance, Addresses &at);
	base::Status check_alone(Stream &stream, Call call);
	bool is_gone() const;
	aclError check_context(const ContextHold &current) const;
	Held<Stream> own_stream(const ContextHold &home);
	aclError append(const aclmdlDataset *input, const aclmdlDataset *output, Stream &stream,
			Call call, std::shared_ptr<Instance> &instance);
	base::Status capture(Stream &stream, Instance &instance, const Addresses &at);
	void note_captured(const Instance &instance);
	aclError wait(Stream &stream, const Instance &instance, uint64_t deadline_ns, bool is_own);
	bool is_idle();
	void wait_for_end();

	std::shared_ptr<ModelFace> face_;
	uint64_t context_ = 0; /* handle */
	DeviceRef device_;
	uint32_t priority_ = 0;
	std::shared_ptr<const Weights> weights_;
	Block work_;
	const models::Library *library_ = nullptr;
	std::unique_ptr<models::ir::Model> model_; /* nullptr: the one instance is there */

	LaunchQueue runs_;     /* calls of execute(): their whole time */
	LaunchQueue launches_; /* what follows belongs to its first thread; an instance stays */
	struct Shaped {
		models::om::Profile shape; /* dims of all inputs */
		std::shared_ptr<Instance> instance;
	};
	std::vector<Shaped> instances_; /* the latest one first */
	models::om::Profile choice_;
	LastRun last_;
	struct {
		uint64_t capture = 0;
		uint32_t node = 0;
	} captured_; /* the latest run in a graph under way, which the next one in that graph follows */
	std::vector<Range> captured_work_; /* of all captured runs */
	FenceSet graphs_;     /* strict mode: the ends of launches of graphs with such runs */
	uint64_t stream_ = 0; /* handle; of the first thread of @runs_ */
};

} // namespace umd
