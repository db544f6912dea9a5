// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/sync/doorbell.h"
#include "firmware_sim/core/client_context.h"
#include "firmware_sim/worker/client_kernels.h"

namespace fw {

class Channel;
struct FailureGroup;
class Graph;

struct Export;
struct ClientSnapshot;

/** struct ControlMemory - the two control segments of a new client. */
struct ControlMemory {
	/** create() - creates the segments. @semaphores: quota of semaphores; 0: no quota. Context: any
	 * thread.
	 * Return: NO_MEMORY, NOT_SUPPORTED. */
	static base::Result<ControlMemory> create(const base::Placement &placement,
						  uint32_t semaphores, uint32_t pid);

	/* For the client's process: */
	base::Fd completion_file;
	base::Fd client_file;
	/* The firmware's own: */
	base::Mapping completion;
	base::Mapping client;
};

/**
 * class Client - one context: its address space, semaphores, channels, graphs and mailbox.
 * Context: under the step token, from the constructor to the destructor.
 */
class Client final : public ClientContext {
public:
	/** @scope: scope of the fences of D1 and D2 with the client. @user: the account of its user, or
	 * nullptr */
	Client(Core &device, uint32_t pid, base::FenceScope scope, ControlMemory control,
	       std::shared_ptr<Account> user);
	~Client();

	/** init() - Return: NO_MEMORY; QUOTA when its user is at its limit. */
	base::Status init();

	/** poll_doorbells() - handles one doorbell. Return: true when there was one. */
	bool poll_doorbells();

	/** set_sleeping() - tells the client whether a doorbell needs a kick. */
	void set_sleeping(bool sleeping);
	bool sleeping() const { return is_sleeping_; }

	/** set_number() - @client: its number on the device, which is reused. @session: a number that is
	 * never reused. */
	void set_number(uint32_t client, uint64_t session);

	/** set_cpu() - tells the client on which CPU the device's thread runs: a client thread on that
	 * CPU should not spin. */
	void set_cpu(uint32_t cpu);

	/** kicked_on() - 1 + the CPU on which its thread kicked last, as the client says; 0: unknown. */
	uint32_t kicked_on() const { return base::load_relaxed(shared_->doorbells.kicked_on); }

	/** leave() - called when the client has detached. Destroys its objects: some of them now, and the
	 * rest in turns of a runner. Return: as has_left() */
	bool leave();

	/** has_left() - whether all its objects are destroyed, so that destroying the client is quick. */
	bool has_left() const { return has_left_; }

	/** break_off() - cuts the client off: the firmware ignores all its further requests and packets. Its
	 * objects are destroyed in turns of a runner. */
	void break_off(base::Status why, uint64_t cookie);

	/** report_cycle() - tells the client which of its channels wait for each other. */
	void report_cycle(const std::vector<uint32_t> &circle);

	/** messages() - number of its requests that were answered. */
	uint64_t messages() const { return counted.messages; }

	const std::vector<std::unique_ptr<Channel>> &channels() const { return channels_; }

	/** resume() - tries a deferred request again. */
	void resume();

	Graph *graph(uint32_t id) const override;

	/** counters() - statistics of the client so far. */
	Counters counters() const;
	Counters counters_without_channels() const;

	/** lost_pages() - whether pages of its memory were lost, see PageGuard. */
	bool lost_pages() const;

	/** pid() - the client's process. */
	uint32_t pid() const { return pid_; }

	/** describe() - describes a part of the client for a snapshot. @into: progress so far; if it belongs
	 * to another client, the description starts again.
	 * Return: whether that was the last part. */
	bool describe(ClientSnapshot &into) const;

	/** give_file() - registers a file. Return: its number; NO_RESOURCE, QUOTA. */
	base::Result<uint32_t> give_file(std::shared_ptr<HostFile> file);
	std::shared_ptr<HostFile> find_file(uint32_t id) const override;

	Outcome launch_kernel(const Task &task) override;
	void explain(uint64_t cookie, std::string sentence) override;
	void end_kernel(KernelJob &job) override;
	void disown_kernel(Waiter &waiter) override;

	/** take_segment() - see fw::Device. */
	base::Result<base::SealedFile> take_segment(uint64_t segment);

private:
	base::Status handle(const unpu_message &request, unpu_message &reply);
	base::Status charge_segment(const unpu_msg_segment &request, Segment &segment) const;
	base::Status await_memory(base::Status status, bool comes_back);
	void look_for_memory();
	base::Status segment_create(const unpu_msg_segment &request, unpu_msg_segment &reply);
	base::Status segment_destroy(uint64_t id);
	void keep_charge(Segment &segment);
	base::Status map(const unpu_msg_map &request);
	base::Status map_in_place(const unpu_msg_map &request);
	base::Status unmap(const unpu_msg_map &request);
	base::Status reserve(const unpu_msg_map &request, bool release);
	base::Status protect(const unpu_msg_map &request);
	base::Status sem_set(const unpu_msg_sem_set &request);
	base::Status channel_create(const unpu_msg_channel &request, unpu_msg_channel &reply);
	base::Status channel_destroy(uint32_t index);
	base::Status channel_control(const unpu_msg_channel_control &request);
	base::Status client_control(const unpu_msg_client_control &request);
	base::Status channel_abort(const unpu_msg_channel_abort &request);
	std::shared_ptr<FailureGroup> group(uint32_t id);
	base::Status graph_load(const unpu_msg_graph &request, unpu_msg_graph &reply);
	base::Status graph_unload(uint32_t id);
	base::Status graph_trace(const unpu_msg_graph &request);
	base::Status file_close(const unpu_msg_file &request);
	void memory_info(unpu_msg_memory_info &reply) const;
	void device_info(unpu_msg_device_info &reply) const;

	/* client_share.cpp */
	base::Result<std::shared_ptr<Segment>> own_segment(uint64_t id) const;
	base::Status share(const unpu_msg_export &request, unpu_msg_export &reply);
	base::Status export_memory(const unpu_msg_export &request, Export &what);
	bool is_timeline(uint32_t sem) const;
	bool may_join(unpu_export_kind kind, const unpu_msg_export &request) const;
	base::Status export_group(const unpu_msg_export &request, Export &what, uint32_t &member);
	void add_export(Export what, unpu_export_key &key);
	base::Status allow(const unpu_msg_export_allow &request);
	base::Status import(const unpu_msg_export &request, unpu_msg_export &reply);
	base::Status adopt(const std::shared_ptr<Segment> &whole, uint64_t offset, uint64_t bytes,
			   unpu_msg_export &reply);
	base::Status find_export(const unpu_msg_export &request, unpu_msg_export &reply);
	base::Status unshare(const unpu_msg_export &request);
	void end_exports(Segment &segment);

	/* Long work for the client that the device does in several turns, see client_leave.cpp. It still gets
	 * turns while the client's client queue is paused. */
	struct Chores final : Runner {
		explicit Chores(Client &of) : client(of)
		{
			client_queue = &own;
			priority = PRIORITIES - 1;
		}
		Progress advance() override;
		Client &client;
		ClientQueue own;
	};

	/* client_leave.cpp */
	void begin_leaving();
	bool leave_some(unsigned &left);
	bool leave_graphs(unsigned &left);
	bool leave_images(unsigned &left);
	bool leave_channels(unsigned &left);
	bool leave_segments(unsigned &left);
	std::shared_ptr<Segment> bury(uint64_t id);
	Progress do_chores();
	bool has_abandoned(Channel &channel);

	/* A request that is delayed by the quota of messages in a second. */
	struct Late final : Waiter {
		explicit Late(Client &of) : client(of) {}
		void woken(base::Status, uint64_t, uint64_t) override { client.mailbox(); }
		Client &client;
	};

	/* Timer of a request that waits for memory, or for its next turn. */
	struct Lacking final : Waiter {
		explicit Lacking(Client &of) : client(of) {}
		void woken(base::Status, uint64_t, uint64_t) override { client.look_for_memory(); }
		Client &client;
	};

	/* A graph that the upkeep thread is loading. */
	struct Load {
		std::unique_ptr<Graph> graph;
		Hold image;
		uint64_t bytes = 0;
		Semaphores::Users semaphores;
		Charge copy; /* charge for the image while it is read */
		base::Status status = base::Status::OK;
	};

	/* Timer that retries a deferred request. */
	struct Deferred final : Waiter {
		explicit Deferred(Client &of) : client(of) {}
		void woken(base::Status, uint64_t, uint64_t) override { client.find_overdue(); }
		Client &client;
	};

	/* Answers the request that loads a graph when the upkeep thread has ended. */
	struct Loading final : Waiter {
		explicit Loading(Client &of) : client(of) {}
		void woken(base::Status status, uint64_t, uint64_t) override
		{
			client.end_load(status);
		}
		Client &client;
		std::shared_ptr<Load> load;
	};

	/* Answers a request when what it waits for has ended, with the status of that. */
	struct Answering final : Waiter {
		explicit Answering(Client &of) : client(of) {}
		void woken(base::Status status, uint64_t, uint64_t) override
		{
			client.answer_late(status);
		}
		Client &client;
	};

	/* Gives an image to the worker when the upkeep thread has copied it. */
	struct Copying final : Waiter {
		explicit Copying(Client &of) : client(of) {}
		void woken(base::Status status, uint64_t, uint64_t) override
		{
			client.end_copy(status);
		}
		Client &client;
		std::unique_ptr<KernelJob> load;
	};

	base::Status await_frees();
	void begin_load(std::shared_ptr<Load> load);
	void end_load(base::Status status);
	base::Status admit_graph(std::unique_ptr<Graph> graph, unpu_msg_graph &reply);
	void free_graph(std::unique_ptr<Graph> graph);
	void answer(base::Status status);
	void note(const std::string &text) const;
	void note_refusal() const;
	/* Answers a request that was begun in an earlier step. Then takes up the next request, which the
	 * client may have sent without waiting for this answer. */
	void answer_late(base::Status status);
	base::Status attempt(base::Status (Client::*how)(const unpu_message &, unpu_message &));
	base::Status serve(const unpu_message &request, unpu_message &reply);
	base::Status serve_share(const unpu_message &request, unpu_message &reply);
	base::Status serve_kernels(const unpu_message &request, unpu_message &reply);

	/* client_kernels.cpp */
	base::Status kernel_load(const unpu_msg_kernel &request, unpu_msg_kernel &reply);
	base::Status create_copy(const unpu_msg_kernel &request, KernelImage &image,
				 ImageCopy &copy);
	void begin_copy(std::shared_ptr<ImageCopy> copy, std::unique_ptr<KernelJob> load);
	void end_copy(base::Status status);
	void submit_upkeep(std::unique_ptr<Job> job, Waiter &owner);
	base::Status store(uint64_t va, uint64_t bytes, std::shared_ptr<const std::byte> from);
	base::Status take_output(const unpu_msg_kernel_text &request, unpu_msg_kernel_text &reply);
	base::Status start_supervisor();
	base::Status tell_mappings();
	void free_image(std::shared_ptr<KernelImage> image);
	void admit_image(KernelJob &job, unpu_msg_kernel &reply);
	base::Status kernel_info(const unpu_msg_kernel &request);
	base::Status kernel_unload(const unpu_msg_kernel &request);
	base::Status kernel_text(const unpu_msg_kernel_text &request, unpu_msg_kernel_text &reply);
	Outcome prepare_launch(const Task &task, KernelJob &job);
	void follow_map(const unpu_msg_map &request, MemoryChange::Kind kind);
	bool has_kernels() const;
	base::Status defer();
	void end_deferral();
	void find_overdue();
	bool has_stopped(Channel &channel);
	bool is_patient() const;
	bool may_ask();
	void reap_dead_clients();
	void mailbox();
	/* Segments of one kind. */
	struct Sums {
		uint64_t bytes = 0;
		uint64_t pages[UNPU_PAGE_HUGETLB + 1] = {}; /* segments, by unpu_page_kind */
	};
	void add_segment(std::shared_ptr<Segment> segment);
	std::shared_ptr<Segment> take_out(uint64_t id);
	nlohmann::ordered_json describe_segments() const;
	nlohmann::ordered_json describe_semaphores(
		const std::map<uint32_t, uint32_t> &waiters) const;
	nlohmann::ordered_json describe_itself() const;
	bool describe_channels(ClientSnapshot &into) const;
	bool describe_graphs(ClientSnapshot &into) const;

	base::Mapping completion_map_;
	base::Mapping client_map_;
	unpu_completion *const completion_;
	unpu_client *const shared_;
	base::DoorbellConsumer doorbells_;
	uint32_t last_sequence_ = 0;
	uint64_t request_number_ = 0; /* number of the last request */
	unpu_message reply_{};	      /* answer to the last request */
	Loading loading_{*this};
	Answering freeing_{*this};
	Late late_{*this};
	Lacking lacking_{*this};
	/* until this time a request waits for memory; 0: no request does */
	uint64_t lack_limit_ns_ = 0;
	uint64_t next_ask_ns_ = 0;
	unpu_message request_{};     /* the last request */
	bool is_unanswered_ = false; /* request_ was begun, and has not been answered */
	Deferred deferred_{*this};
	uint64_t disk_limit_ns_ = 0; /* until this time a deferred request waits for transfers */
	bool is_sleeping_ = false;
	const uint32_t pid_;

	std::unordered_map<uint64_t, std::shared_ptr<Segment>> segments_;
	Sums sums_[UNPU_SEGMENT_CHANNEL + 1]; /* of all segments, by unpu_segment_kind */
	uint64_t next_segment_ = 1;
	uint64_t memory_used_ = 0; /* bytes of device memory */
	Charge returning_;	   /* the same bytes, once the client has detached */
	Charge connection_entries_, connection_descriptors_, control_memory_;
	Exporter exporter_;
	std::vector<std::unique_ptr<Channel>> channels_;
	std::vector<uint32_t> free_channels_;
	std::unordered_map<uint32_t, std::weak_ptr<FailureGroup>> groups_;
	size_t groups_kept_ = 16; /* size of groups_ at which expired entries are removed */
	std::map<uint32_t, std::unique_ptr<Graph>> graphs_;
	uint32_t next_graph_ = 1;
	std::map<uint32_t, std::shared_ptr<HostFile>> files_; /* indexed by number */
	uint32_t last_file_ = 0;
	ClientKernels kernels_;
	Copying copying_{*this};
	Answering kernel_loading_{*this};
	Answering storing_{*this}; /* a long answer that is being stored */
	Chores chores_{*this};
	bool is_abandoning_ = false; /* an execution has lines that are still parked */
	bool is_leaving_ = false;
	bool is_detached_ = false;
	bool has_left_ = false;
	size_t channels_left_ = 0; /* number of channels that are in no list any more */
};

} // namespace fw
