// SPDX-License-Identifier: MIT
/*
 * DOC: Recurrent networks
 *
 * LSTM, GRU and RNN are kinds of the device. Each runs all steps.
 */
#include "models/lower/rows.h"
#include "row.h"

namespace models {

namespace recurrent {

namespace {

/* struct Cell - the common data of the three operators. @gates: number of rows of W for each element of the state.
 * @functions: number of activation functions for each direction */
struct Cell {
	int64_t gates = 1, functions = 1, directions = 1, direction = 0;
	int64_t steps = 0, batch = 0, hidden = 0;
	Integers activations;
};

bool read_activations(Inference &at, Cell &cell)
{
	static constexpr const char *NAMES[] = {"Sigmoid", "Tanh", "Relu"};
	const ir::Attribute *given = at.node.find("activations");
	const bool is_lstm = at.node.type == "LSTM", is_gru = at.node.type == "GRU";
	if (at.node.find("activation_alpha") || at.node.find("activation_beta"))
		return at.fail("functions with parameters are not computed here");
	if (!given) {
		const Integers usual = is_lstm	? Integers{0, 1, 1}
				       : is_gru ? Integers{0, 1}
						: Integers{1};
		for (int64_t d = 0; d < cell.directions; d++)
			cell.activations.insert(cell.activations.end(), usual.begin(), usual.end());
		return true;
	}
	for (const std::string &word : given->texts) {
		int64_t number = 0;
		while (number < 3 && word != NAMES[number])
			number++;
		if (number == 3)
			return at.fail("the function " + word +
				       " is not computed here; Sigmoid, Tanh and Relu are");
		cell.activations.push_back(number);
	}
	return cell.activations.size() == static_cast<size_t>(cell.functions * cell.directions) ||
	       at.fail("there must be " + std::to_string(cell.functions) +
		       " functions for each direction");
}

bool read_cell(Inference &at, Cell &cell)
{
	const std::string_view direction = at.node.text("direction", "forward");
	const bool is_lstm = at.node.type == "LSTM", is_gru = at.node.type == "GRU";
	cell.direction = direction == "forward" ? 0 : direction == "reverse" ? 1 : 2;
	cell.directions = cell.direction == 2 ? 2 : 1;
	cell.gates = is_lstm ? 4 : is_gru ? 3 : 1;
	cell.functions = is_lstm ? 3 : is_gru ? 2 : 1;
	if (cell.direction == 2 && direction != "bidirectional")
		return at.fail("direction is " + std::string(direction));
	if (at.dims(0).rank() != 3 || at.dims(1).rank() != 3 || at.dims(2).rank() != 3)
		return at.fail("X, W and R must have 3 dims");
	const bool by_batch = at.node.integer("layout", 0) != 0;
	cell.steps = at.dims(0)[by_batch ? 1 : 0];
	cell.batch = at.dims(0)[by_batch ? 0 : 1];
	cell.hidden = at.dims(2)[2];
	const int64_t rows = cell.gates * cell.hidden;
	if (cell.hidden > 1 << 24 || at.node.integer("hidden_size", cell.hidden) != cell.hidden ||
	    !(at.dims(1) == ir::Dims{cell.directions, rows, at.dims(0)[2]}) ||
	    !(at.dims(2) == ir::Dims{cell.directions, rows, cell.hidden}))
		return at.fail("X is " + ir::print(at.dims(0)) + ", W " + ir::print(at.dims(1)) +
			       " and R " + ir::print(at.dims(2)) + ", which do not fit");
	return read_activations(at, cell);
}

bool infer_recurrent(Inference &at)
{
	Cell cell;
	if (!read_cell(at, cell))
		return false;
	const bool by_batch = at.node.integer("layout", 0) != 0;
	const int64_t t = cell.steps, d = cell.directions, b = cell.batch, h = cell.hidden;
	const ir::Dims all = by_batch ? ir::Dims{b, t, d, h} : ir::Dims{t, d, b, h};
	const ir::Dims last = by_batch ? ir::Dims{b, d, h} : ir::Dims{d, b, h};
	return at.set(0, at.type(0), all) && at.set(1, at.type(0), last) &&
	       at.set(2, at.type(0), last);
}

/* in_order() - a view with the dims in the order that the device expects: steps or directions before the batch. */
Tensor in_order(Tensor tensor, bool by_batch, std::initializer_list<unsigned> order)
{
	if (!by_batch)
		return tensor;
	const View from = tensor.view;
	unsigned d = 0;
	for (const unsigned source : order) {
		tensor.view.dims[d] = from.dims[source];
		tensor.view.strides[d++] = from.strides[source];
	}
	return tensor;
}

bool lower_recurrent(Lowering &l)
{
	Cell cell;
	if (!read_cell(l.at, cell))
		return false;
	const bool is_lstm = l.at.node.type == "LSTM", is_gru = l.at.node.type == "GRU";
	const bool by_batch = l.at.node.integer("layout", 0) != 0;
	const Tensor x = in_order(l.in(0), by_batch, {1, 0, 2});
	std::vector<Tensor> weights = {l.in(1), l.in(2)};
	const bool has_peepholes = is_lstm && l.has(7);
	if (l.has(3))
		weights.push_back(l.in(3));
	else if (has_peepholes) {
		const ir::Dims dims = {cell.directions, 2 * cell.gates * cell.hidden};
		Tensor zero = l.number(x.type, 0);
		weights.push_back(broadcast_to(zero, dims));
	}
	if (has_peepholes)
		weights.push_back(l.in(7));
	const auto state = [&](size_t i) {
		return l.has(i) ? Operand(in_order(l.in(i), by_batch, {1, 0, 2})) : Operand();
	};
	const auto result = [&](size_t i) {
		if (!l.at.wants(i))
			return Operand();
		return i == 0 ? Operand(in_order(l.out(0), by_batch, {1, 2, 0, 3}))
			      : Operand(in_order(l.out(i), by_batch, {1, 0, 2}));
	};
	const Operand lengths = l.has(4) ? Operand(l.in(4)) : Operand();
	const double clip = l.at.node.real("clip", 0);
	if (is_lstm)
		return l.call(lstm_row,
			      {x, weights, lengths, state(5), state(6), cell.direction,
			       cell.activations, clip, l.at.node.integer("input_forget", 0),
			       result(0), result(1), result(2)});
	if (is_gru)
		return l.call(gru_row,
			      {x, weights, lengths, state(5), cell.direction, cell.activations,
			       clip, l.at.node.integer("linear_before_reset", 0), result(0),
			       result(1)});
	return l.call(rnn_row, {x, weights, lengths, state(5), cell.direction, cell.activations,
				clip, result(0), result(1)});
}

constexpr const char *COMMON =
	"activations activation_alpha activation_beta clip direction hidden_size "
	"layout output_sequence input_forget linear_before_reset ";

constexpr OperatorRow ROWS[] = {
	{"LSTM", 7, 0, 3, 8, COMMON, infer_recurrent, nullptr, nullptr, lower_recurrent},
	{"GRU", 7, 0, 3, 6, COMMON, infer_recurrent, nullptr, nullptr, lower_recurrent},
	{"RNN", 7, 0, 3, 6, COMMON, infer_recurrent, nullptr, nullptr, lower_recurrent},
};

} // namespace

} // namespace recurrent

std::span<const OperatorRow> recurrent_rows()
{
	return recurrent::ROWS;
}

} // namespace models
