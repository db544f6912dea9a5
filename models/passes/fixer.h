// SPDX-License-Identifier: MIT
#pragma once

#include <unordered_map>

#include "shapes.h"

namespace models {

/* A model has at most as many nodes once the turns of its loops stand one behind the other. */
inline constexpr size_t MOST_TURNED = 1 << 16;

/* A model has at most as many branches by data. A graph of the device has at most 2^16 regions, two for each. */
inline constexpr size_t MOST_CHOICES = (1 << 15) - 1;

/* class Fixer - one run of fix_shapes(). */
class Fixer {
public:
	Fixer(const ir::Model &model, Fixed &fixed, Problems &problems)
		: model_(model), fixed_(fixed), problems_(problems)
	{
	}

	bool run(std::span<const Binding> bindings);

private:
	using Values = std::vector<int32_t>;

	bool run_body(const ir::Body &body, unsigned depth);
	bool run_node(const ir::Node &node, unsigned depth);
	bool run_operator(const ir::Node &node);
	bool check_form(const ir::Node &node, const OperatorRow &row);
	bool find_operands(const ir::Node &node, std::vector<const Known *> &operands);
	void align(const ir::Node &node, std::vector<const Known *> &operands);
	bool infer(Inference &at, const OperatorRow &row);
	bool may_compute(const ir::Dims &dims)
	{
		const int64_t count = *ir::count(dims);
		if (count > MOST_NUMBERS || count > left_)
			return false;
		left_ -= count;
		return true;
	}
	bool compute(Inference &at, const OperatorRow &row);
	bool compute_view(Inference &at, const OperatorRow &row);
	void store(int32_t value, ir::Type type, const ir::Dims &dims, std::string bytes);
	bool fail(const ir::Node &node, const std::string &why)
	{
		return problems_.add(not_supported, ir::describe(node) + ": " + why);
	}
	/* fail_always() - for what is refused at any shape. */
	bool fail_always(const ir::Node &node, const std::string &why)
	{
		hopeless_++;
		return fail(node, why);
	}

	/* control.cpp */
	struct Joins;
	struct Turns;
	struct Scanned;
	bool run_if(const ir::Node &node, unsigned depth);
	bool run_branch(const ir::Body &body, unsigned depth, std::string &why);
	bool guard(const ir::Node &node, int32_t condition, bool forbidden, const std::string &why,
		   int32_t &fine);
	bool choose_branch(const ir::Node &node, int32_t condition, unsigned depth);
	Fixed::Steps take_steps(size_t begin);
	bool put_choice(const ir::Node &of, int32_t condition, Fixed::Steps &&yes,
			Fixed::Steps &&no, Joins &joins);
	bool run_loop(const ir::Node &node, unsigned depth);
	bool run_turns(const ir::Node &node, Turns &turns, unsigned depth);
	bool run_turn(const ir::Node &node, Turns &turns, int64_t turn, bool &is_over,
		      unsigned depth);
	bool stop_by_data(const ir::Node &node, Turns &turns);
	bool keep_states(const ir::Node &node, Turns &turns, int64_t turn, size_t begin,
			 Values &made);
	bool run_scan(const ir::Node &node, unsigned depth);
	bool scan_once(const ir::Node &node, const Scanned &scanned, const Values &operands,
		       Values &results, unsigned depth);
	bool scan_batches(const ir::Node &node, const Scanned &scanned, const Values &operands,
			  Values &results, unsigned depth);
	const ir::Body *body_of(const ir::Node &node, const char *attribute);
	const ir::Node &rename(const ir::Node &node);
	bool count_turn(const ir::Node &node, size_t nodes);
	int32_t fresh();
	int32_t current(int32_t value) const
	{
		const auto at = renamed_.find(value);
		return at == renamed_.end() ? value : at->second;
	}
	Known &known(int32_t value)
	{
		return fixed_.values[static_cast<size_t>(fixed_.resolve(value))];
	}
	void be_same(int32_t value, int32_t other);
	int32_t number(int64_t value, ir::Type type);
	std::string way_of(int32_t value);
	bool check_condition(const ir::Node &node, int32_t &value);
	bool join(const ir::Node &of, int32_t condition, int32_t yes, int32_t no, int32_t output,
		  Joins &joins);
	bool add_node(const ir::Node &of, const char *type, Values inputs, int32_t output,
		      std::vector<std::pair<const char *, int64_t>> attributes);
	bool pick(const ir::Node &of, int32_t from, int64_t axis, int64_t place, int32_t &part);
	bool stack(const ir::Node &of, const Values &parts, int64_t axis, int32_t output);

	/* sequences.cpp */
	bool run_sequence(const ir::Node &node, bool &is_one);
	bool split_to_list(const ir::Node &node);
	bool join_list(const ir::Node &node);
	bool change_list(const ir::Node &node, bool inserts);
	const Values *find_list(int32_t value) const;
	const Values *list_of(const ir::Node &node);
	bool set_list(const ir::Node &node, Values list);
	bool find_place(const ir::Node &node, size_t i, size_t size, size_t most, int64_t otherwise,
			size_t &place);

	const ir::Model &model_;
	Fixed &fixed_;
	Problems &problems_;
	int64_t left_ = MOST_COMPUTED;
	size_t hopeless_ = 0; /* problems that no shape avoids */

	/* Each turn of a loop writes values of its own: what the body calls them -> those of the turn. */
	std::unordered_map<int32_t, int32_t> renamed_;
	unsigned loops_ = 0;
	size_t turned_ = 0;  /* nodes of turns so far */
	size_t choices_ = 0; /* branches by data so far */
	std::string turn_;   /* behind the names of nodes */

	std::unordered_map<int32_t, Values> lists_; /* sequences */
};

} // namespace models
