// SPDX-License-Identifier: MIT
/**
 * DOC: the conflicts of a trace, by definition
 *
 * All pairs of accesses are tried: two that use a byte of one allocation, of which one writes, conflict. They race
 * when the order has neither before the other. The free of memory is an access of all its bytes that nothing may be
 * after; its allocation in a stream is one that nothing may be before.
 */
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace_order.h"

namespace san::recall {

/** class Conflicts - takes the records of a trace, and then says what races. */
class Conflicts {
public:
	void take(const Record &record);

	/** races() - "CALL | CALL" with the places of both calls, once each; also of what is waited for in vain. */
	std::set<std::string> races();

private:
	enum class Use { READ, WRITE, REDUCE, ALLOC, FREE, UNMAP };
	struct Span {
		uint64_t begin;
		uint64_t end;
	};
	struct Touch {
		Node node;
		Use use;
		bool by_host;
		uint32_t client;
		uint32_t place; /* of the record */
		std::vector<Span> bytes;
		std::map<uint32_t, Node> hosts{}; /* what other clients may have told by then */
	};
	/* Bytes that were allocated at once. */
	struct Block {
		uint64_t bytes = 0;
		std::vector<Touch> touches;
	};
	struct Mapping {
		uint64_t end;
		size_t block;
		uint64_t offset;
	};
	using Space = std::map<uint64_t, Mapping>; /* by the first address */
	struct GraphNode {
		uint32_t place = 0;
		std::vector<Operand> operands;
		std::vector<uint64_t> after; /* nodes that are after it */
	};
	using Graph = std::map<uint64_t, GraphNode>;

	uint32_t place_of(const Record &record);
	void allocate(const Record &record, Node node);
	void map(uint32_t client, uint64_t address, uint64_t bytes, size_t block, uint64_t offset);
	void end_memory(const Record &record, Node node);
	void run(const Record &record, Node node);
	void launch(const Record &record, Node node);
	void use(uint32_t client, const Operand &operand, const Touch &access,
		 std::map<size_t, Block> *apart = nullptr);
	void use_bytes(uint32_t client, Span addresses, const Touch &access,
		       std::map<size_t, Block> *apart);
	static std::vector<uint64_t> sort(const Graph &graph);
	void check_graph(const Graph &graph, uint32_t client);
	void search(const Block &block);
	bool is_told(const Touch &a, const Touch &b) const;
	bool race(const Touch &a, const Touch &b) const;
	void report(const Touch &a, const Touch &b);
	static bool overlap(const Touch &a, const Touch &b);

	Order order_;
	std::unordered_map<uint64_t, std::string> texts_;
	std::vector<std::string> places_;
	std::vector<Block> blocks_;
	std::map<uint64_t, size_t> numbers_; /* of the recorder -> block */
	std::map<uint32_t, Space> spaces_;
	std::map<uint64_t, Graph> graphs_;
	std::map<uint64_t, Block> parameters_; /* of graphs: one byte each */
	std::map<Node, uint32_t> waits_;       /* nodes of waits and resets -> place */
	std::set<std::string> races_;
};

} // namespace san::recall
