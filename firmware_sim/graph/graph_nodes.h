// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <map>
#include <span>
#include <vector>

#include "base/os/kept_memory.h"
#include "firmware_sim/core/command_processor.h"
#include "firmware_sim/tensor/tensor_op.h"
#include "firmware_sim/worker/kernel_launch.h"
#include "graph_image.h"

namespace fw {

/**
 * struct Node - all that a replay needs to run a node, with translated addresses: one cache line.
 */
struct Node {
	void (*run)(const Node &node); /* nullptr: only the command processor can run it */
	Places places;
	/* Bytes of a copy or fill, elements of a row, or address of a descriptor. */
	uint64_t amount;
	union {
		float scalar;	  /* factor of a row */
		uint32_t pattern; /* pattern of a fill */
	};
	uint32_t cost;	 /* in units of about 10 ns */
	uint32_t op;	 /* 1 + index of the descriptor; 0: none */
	uint32_t signal; /* 1 + index of the signal; 0: none */
};
static_assert(sizeof(Node) == 64);

/**
 * class GraphNodes - the nodes of a loaded graph, and the translated addresses that are cached for
 * replays.
 */
class GraphNodes {
public:
	/** load() - takes over the nodes of a validated image. */
	void load(const GraphImage &image);

	/** change() - replaces a node. @op: its descriptor, for OPERATOR. @words: the descriptor of a TENSOR or
	 * KERNEL; checked */
	void change(uint32_t index, const unpu_packet &packet, const unpu_operator *op,
		    std::span<const uint64_t> words);

	uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
	const Node *at(uint32_t index) const { return nodes_.data() + index; }
	uint64_t cookie(uint32_t index) const { return tasks_[index].cookie; }
	uint8_t opcode(uint32_t index) const { return tasks_[index].opcode; }

	/** packet() - the node as a packet for the command processor. */
	unpu_packet packet(uint32_t index) const;

	/** descriptor() - of an OPERATOR, until the next change(); else nullptr. */
	const unpu_operator *descriptor(uint32_t index) const;

	/** tensor() - the decoded descriptor of a TENSOR, until the next change(); else nullptr. */
	TensorOp *tensor(uint32_t index);

	/** kernel() - the decoded descriptor of a KERNEL, until the next change(); else nullptr. */
	const KernelLaunch *kernel(uint32_t index) const;

	/** keep() - caches the addresses @places of a node that ran in place; from now on Node::run
	 * executes it. */
	void keep(uint32_t index, const Places &places);

	/** forget() - mappings have changed: no cached address is used any more. There may be a million nodes, so
	 * refresh() drops the addresses, those of a block when one of its nodes is to run. */
	void forget() { generation_++; }

	/** refresh() - call it before Node::run of the node at @index is used. Return: the nodes up to this
	 * index are refreshed as well. */
	uint32_t refresh(uint32_t index)
	{
		const uint32_t block = index / BLOCK_NODES;
		if (generations_[block] != generation_) [[unlikely]]
			drop(block);
		return (block + 1) * BLOCK_NODES;
	}

	/** plain() - whether the node is pure work, which an engine can do. */
	bool plain(uint32_t index) const;

	/** ranges() - the memory that a plain node accesses. Return: number of entries of @out that were
	 * filled. */
	unsigned ranges(uint32_t index, MemoryRange (&out)[UNPU_OPERATOR_MAX_OPERANDS]) const;

	/** written() - the memory that a node with cached addresses writes. */
	Written written(uint32_t index) const;

	/** growth() - upper limit of the additional memory of a change() to @packet. @words: as change() */
	uint64_t growth(uint32_t index, const unpu_packet &packet, size_t words) const;

	/** bytes() - memory that the nodes take. */
	uint64_t bytes() const;

private:
	static constexpr uint32_t BLOCK_NODES = 256;

	/* The entries of load() are in one block, which may be very large. So entries that updates add do not
	 * move that block. */
	template <class T> class Table {
	public:
		size_t size() const { return loaded_.size() + added_.size(); }
		void add(const T &entry)
		{
			if (is_loaded_)
				added_.push_back(entry);
			else
				loaded_.push_back(entry);
		}
		void end_load()
		{
			loaded_.shrink_to_fit();
			is_loaded_ = true;
		}
		T &operator[](size_t index)
		{
			return index < loaded_.size() ? loaded_[index]
						      : added_[index - loaded_.size()];
		}
		const T &operator[](size_t index) const
		{
			return const_cast<Table &>(*this)[index];
		}
		uint64_t bytes() const { return (loaded_.capacity() + added_.size()) * sizeof(T); }

	private:
		bool is_loaded_ = false;
		std::vector<T> loaded_;
		std::deque<T> added_;
	};

	/* A packet in compact form, without the fields that most packets do not use. */
	struct Task {
		uint8_t opcode;
		uint8_t flags;
		uint16_t variant;
		uint32_t stream;
		uint64_t cookie;
		uint64_t words[4];
	};
	static_assert(sizeof(Task) == 48);

	struct Signal {
		uint32_t sem;
		uint8_t op;
		uint64_t value;
	};

	static uint32_t cost_of(const unpu_packet &packet, const unpu_operator *op);
	void put_operator(Node &node, const unpu_operator &op);
	void put_signal(Node &node, const unpu_packet &packet);
	void put_tensor(uint32_t index, std::span<const uint64_t> words);
	void put_kernel(uint32_t index, std::span<const uint64_t> words);
	static void run_nothing(const Node &node);
	void keep_tensor(uint32_t index);
	void drop(uint32_t block);

	base::KeptVector<Node> nodes_;
	base::KeptVector<Task> tasks_;
	uint64_t generation_ = 0;
	std::vector<uint64_t> generations_; /* generation of the cached addresses of each block */
	Table<Signal> signals_;
	Table<unpu_operator> operators_;
	/* Indexed by node. Updates add entries; an ordered map is used because a hash map would sometimes
	 * move all entries. */
	std::map<uint32_t, TensorOp> tensors_;
	uint64_t tensor_bytes_ = 0;
	std::map<uint32_t, KernelLaunch> kernels_;
	uint64_t kernel_bytes_ = 0;
};

} // namespace fw
