// SPDX-License-Identifier: MIT
/*
 * DOC: LSTM, GRU and RNN
 *
 * As ONNX defines them. X [T, B, I] is the input. The list of weights is W [D, G * H, I], R [D, G * H, H], then the
 * bias [D, 2 * G * H], which may be missing, and for an LSTM the peepholes [D, 3 * H]. D is 2 if attribute 0, the
 * direction, is 2 for both, else 1: 0 forward, 1 reverse. G is 4 for an LSTM (input, output, forget, cell), 3 for a
 * GRU (update, reset, hidden) and 1. The results, each of which may be missing, are Y [T, D, B, H], the last state h
 * [D, B, H], and c for the cell. Lengths [B] are I32; what is behind them is 0 in Y. h0 and c0 [D, B, H] are the first
 * states.
 *
 * Attribute 1 has the functions of the gates for each direction: 0 sigmoid, 1 tanh, 2 relu. Attribute 2 bounds what
 * goes into them, if it is above 0. Attribute 3 joins the input and the forget gate of an LSTM, or takes the reset
 * gate of a GRU behind the product with R.
 *
 * Arithmetic is F32, and each result is rounded once. A unit is one direction: its steps follow each other.
 */
#include <cmath>

#include "firmware_sim/operators/convert.h"
#include "firmware_sim/operators/kernels.h"
#include "firmware_sim/operators/matrix/gemm.h"

namespace fw::tensor {

namespace {

enum Function : int64_t { SIGMOID, TANH, RELU };

/* struct Cell - what a call says, by name. Missing operands are nullptr. */
struct Cell {
	const View *y, *h, *c, *x, *w, *r, *bias, *peepholes, *lengths, *h0, *c0;
	int64_t directions, gates, hidden, input, batch, steps;
	unsigned functions; /* of a direction */
};

const View *find(const Call &call, unsigned slot)
{
	return call.has(slot) ? &call.view(slot) : nullptr;
}

bool is_float(const View &view)
{
	return view.dtype == UNPU_DTYPE_F32 || view.dtype == UNPU_DTYPE_F16 ||
	       view.dtype == UNPU_DTYPE_BF16;
}

bool has_dims(const View *view, std::initializer_list<int64_t> dims)
{
	return !view || (view->ndim == dims.size() && is_float(*view) &&
			 std::equal(dims.begin(), dims.end(), view->dims.begin()));
}

Cell cell_of(const Call &call)
{
	const bool is_lstm = call.kind == UNPU_TENSOR_LSTM;
	const unsigned x = is_lstm ? 3 : 2;
	const std::span<const View> weights = call.list(x + 1);
	const auto weight = [&](size_t k) { return k < weights.size() ? &weights[k] : nullptr; };
	Cell cell{};
	cell.y = find(call, 0);
	cell.h = find(call, 1);
	cell.c = is_lstm ? find(call, 2) : nullptr;
	cell.x = find(call, x);
	cell.w = weight(0);
	cell.r = weight(1);
	cell.bias = weight(2);
	cell.peepholes = weight(3);
	cell.lengths = find(call, x + 2);
	cell.h0 = find(call, x + 3);
	cell.c0 = is_lstm ? find(call, x + 4) : nullptr;
	cell.gates = is_lstm ? 4 : call.kind == UNPU_TENSOR_GRU ? 3 : 1;
	cell.functions = is_lstm ? 3 : call.kind == UNPU_TENSOR_GRU ? 2 : 1;
	cell.directions = call.integer(0) == 2 ? 2 : 1;
	return cell;
}

/* is_complete() - fills in the sizes. Return: whether all operands have them. */
bool is_complete(const Call &call, Cell &cell)
{
	if (!cell.x || !cell.w || !cell.r || cell.x->ndim != 3 || cell.r->ndim != 3 ||
	    call.list(call.kind == UNPU_TENSOR_LSTM ? 4 : 3).size() >
		    (call.kind == UNPU_TENSOR_LSTM ? 4u : 3u))
		return false;
	cell.steps = cell.x->dims[0];
	cell.batch = cell.x->dims[1];
	cell.input = cell.x->dims[2];
	cell.hidden = cell.r->dims[2];
	constexpr int64_t MOST = int64_t{1} << 24;
	if (std::max({cell.steps, cell.batch, cell.input, cell.hidden}) > MOST)
		return false;
	const int64_t d = cell.directions, h = cell.hidden, rows = cell.gates * h;
	return has_dims(cell.x, {cell.steps, cell.batch, cell.input}) &&
	       has_dims(cell.w, {d, rows, cell.input}) && has_dims(cell.r, {d, rows, h}) &&
	       has_dims(cell.bias, {d, 2 * rows}) && has_dims(cell.peepholes, {d, 3 * h}) &&
	       has_dims(cell.y, {cell.steps, d, cell.batch, h}) &&
	       has_dims(cell.h, {d, cell.batch, h}) && has_dims(cell.c, {d, cell.batch, h}) &&
	       has_dims(cell.h0, {d, cell.batch, h}) && has_dims(cell.c0, {d, cell.batch, h}) &&
	       (!cell.lengths || (cell.lengths->ndim == 1 && cell.lengths->dims[0] == cell.batch &&
				  cell.lengths->dtype == UNPU_DTYPE_I32));
}

bool has_functions(const Call &call, const Cell &cell)
{
	const std::span<const int64_t> functions = call.integers(1);
	if (functions.size() != static_cast<uint64_t>(cell.directions) * cell.functions)
		return false;
	return std::all_of(functions.begin(), functions.end(),
			   [](int64_t each) { return each >= SIGMOID && each <= RELU; });
}

/* Floats of scratch memory: the gates, the states, an input and its products, and copies of weights and their sums. */
struct Layout {
	unsigned __int128 gates, products, h, c, reset, x, w, r, bias, all;
};

Layout layout_of(const Cell &cell)
{
	const auto size = [](int64_t a, int64_t b) {
		const auto floats = static_cast<unsigned __int128>(a) * static_cast<uint64_t>(b);
		return (floats + 15) / 16 * 16;
	};
	const int64_t rows = cell.gates * cell.hidden;
	Layout at{};
	at.products = at.gates + size(cell.batch, rows);
	at.h = at.products + size(cell.batch, rows);
	at.c = at.h + size(cell.batch, cell.hidden);
	at.reset = at.c + size(cell.batch, cell.hidden);
	at.x = at.reset + size(cell.batch, cell.hidden);
	at.w = at.x + size(cell.batch, cell.input);
	at.r = at.w + size(rows, cell.input);
	at.bias = at.r + size(rows, cell.hidden);
	at.all = at.bias + size(2 * cell.gates + 3, cell.hidden);
	return at;
}

bool check_recurrent(const Call &call)
{
	Cell cell = cell_of(call);
	if (call.compute != UNPU_DTYPE_F32 || call.integer(0) < 0 || call.integer(0) > 2 ||
	    !is_complete(call, cell) || !has_functions(call, cell) || !std::isfinite(call.real(2)))
		return false;
	return layout_of(cell).all * sizeof(float) <= UNPU_TENSOR_MAX_SCRATCH;
}

Cell complete_cell(const Call &call)
{
	Cell cell = cell_of(call);
	(void)is_complete(call, cell);
	return cell;
}

uint64_t recurrent_units(const Call &call)
{
	return static_cast<uint64_t>(complete_cell(call).directions);
}

uint64_t recurrent_cost(const Call &call)
{
	const Cell cell = complete_cell(call);
	const auto rows = static_cast<unsigned __int128>(cell.gates * cell.hidden);
	const auto products = rows * static_cast<uint64_t>((cell.input + cell.hidden) / 2 + 64);
	return limit_cost(products * static_cast<unsigned __int128>(cell.steps * cell.directions) *
			  static_cast<uint64_t>(cell.batch + 1));
}

size_t recurrent_bytes(const Call &call)
{
	return static_cast<size_t>(layout_of(complete_cell(call)).all) * sizeof(float);
}

/* apply() - a function of each number, at most @clip in size if that is above 0. */
void apply(int64_t function, float clip, float *numbers, int64_t n)
{
	for (int64_t i = 0; i < n; i++) {
		float x = numbers[i];
		if (clip > 0)
			x = x > clip ? clip : x < -clip ? -clip : x;
		if (function == SIGMOID)
			x = 1 / (1 + std::exp(-x));
		else if (function == TANH)
			x = std::tanh(x);
		else
			x = x <= 0 ? 0 : x;
		numbers[i] = x;
	}
}

/* class Direction - one direction of a call. */
class Direction {
public:
	Direction(const Call &call, int64_t number, std::byte *scratch)
		: call_(call), cell_(complete_cell(call)), number_(number),
		  is_reverse_(call.integer(0) == 1 || number == 1),
		  clip_(static_cast<float>(call.real(2))),
		  functions_(
			  call.integers(1).subspan(static_cast<size_t>(number) * cell_.functions)),
		  rows_(cell_.gates * cell_.hidden)
	{
		const Layout at = layout_of(cell_);
		const auto floats = [&](unsigned __int128 first) {
			return reinterpret_cast<float *>(scratch) + static_cast<size_t>(first);
		};
		gates_ = floats(at.gates);
		products_ = floats(at.products);
		h_ = floats(at.h);
		c_ = floats(at.c);
		reset_ = floats(at.reset);
		x_ = floats(at.x);
		bias_ = floats(at.bias);
		w_ = load_panel(*cell_.w, {number}, rows_, cell_.input, floats(at.w));
		r_ = load_panel(*cell_.r, {number}, rows_, cell_.hidden, floats(at.r));
	}

	void run();

private:
	void load_state(const View *from, float *to) const;
	void store_state(const View *to, const float *from) const;
	void load_bias();
	void step(int64_t t);
	int64_t length(int64_t b) const;
	void multiply(const float *a, int64_t k, const Panel &weights, float *to, bool adds) const;
	void lstm(float *gates, float *h, float *c) const;
	void gru(float *gates, const float *products, float *h, float *reset) const;
	float *gate(float *gates, int64_t g) const { return gates + g * cell_.hidden; }

	const Call &call_;
	const Cell cell_;
	const int64_t number_;
	const bool is_reverse_;
	const float clip_;
	const std::span<const int64_t> functions_;
	const int64_t rows_;
	float *gates_, *products_, *h_, *c_, *reset_, *x_, *bias_;
	Panel w_{}, r_{};
};

void Direction::load_state(const View *from, float *to) const
{
	if (!from) {
		std::fill_n(to, cell_.batch * cell_.hidden, 0.0f);
		return;
	}
	load_rows(*from, {number_}, cell_.batch, cell_.hidden, to);
}

void Direction::store_state(const View *to, const float *from) const
{
	for (int64_t b = 0; to && b < cell_.batch; b++)
		store_row<float>(to->dtype, place(*to, {number_, b}), inner_stride(*to),
				 static_cast<size_t>(cell_.hidden), from + b * cell_.hidden);
}

/* The biases of both products, and the peepholes behind them. */
void Direction::load_bias()
{
	const int64_t h = cell_.hidden;
	std::fill_n(bias_, 2 * rows_ + 3 * h, 0.0f);
	if (cell_.bias)
		load_row<float>(cell_.bias->dtype, place(*cell_.bias, {number_}),
				inner_stride(*cell_.bias), static_cast<size_t>(2 * rows_), bias_);
	if (cell_.peepholes)
		load_row<float>(cell_.peepholes->dtype, place(*cell_.peepholes, {number_}),
				inner_stride(*cell_.peepholes), static_cast<size_t>(3 * h),
				bias_ + 2 * rows_);
}

/* length() - steps of a sequence; a number of the client may be any. */
int64_t Direction::length(int64_t b) const
{
	if (!cell_.lengths)
		return cell_.steps;
	int64_t value;
	load_row<int64_t>(cell_.lengths->dtype, place(*cell_.lengths, {b}), 0, 1, &value);
	return std::clamp<int64_t>(value, 0, cell_.steps);
}

/* multiply() - to [B, rows] = a [B, k] times the transposed weights [rows, k]. */
void Direction::multiply(const float *a, int64_t k, const Panel &weights, float *to,
			 bool adds) const
{
	const Panel turned = {weights.data, weights.stride, !weights.is_transposed};
	if (cell_.batch > 0 && rows_ > 0 && k > 0)
		multiply_panels(cell_.batch, rows_, k, {a, k, false}, turned, to, adds);
}

void Direction::lstm(float *gates, float *h, float *c) const
{
	const int64_t n = cell_.hidden;
	float *input = gate(gates, 0), *output = gate(gates, 1), *forget = gate(gates, 2),
	      *fresh = gate(gates, 3);
	const float *peephole = bias_ + 2 * rows_;
	for (int64_t i = 0; i < n; i++) {
		input[i] += peephole[i] * c[i];
		forget[i] += peephole[2 * n + i] * c[i];
	}
	apply(functions_[0], clip_, input, n);
	apply(functions_[0], clip_, forget, n);
	apply(functions_[1], clip_, fresh, n);
	for (int64_t i = 0; i < n; i++) {
		const float kept = call_.integer(3) ? 1 - input[i] : forget[i];
		c[i] = kept * c[i] + input[i] * fresh[i];
		output[i] += peephole[n + i] * c[i];
		h[i] = c[i];
	}
	apply(functions_[0], clip_, output, n);
	apply(functions_[2], 0, h, n);
	for (int64_t i = 0; i < n; i++)
		h[i] *= output[i];
}

/* @products: of the state with the weights of the hidden gate, and its bias. */
void Direction::gru(float *gates, const float *products, float *h, float *reset) const
{
	const int64_t n = cell_.hidden;
	float *update = gate(gates, 0), *hidden = gate(gates, 2);
	for (int64_t i = 0; i < n; i++)
		hidden[i] += call_.integer(3) ? reset[i] * products[i] : products[i];
	apply(functions_[1], clip_, hidden, n);
	for (int64_t i = 0; i < n; i++)
		h[i] = (1 - update[i]) * hidden[i] + update[i] * h[i];
}

/* One step of all sequences. Those that are over do not change, and their result is 0. */
void Direction::step(int64_t t)
{
	const int64_t n = cell_.hidden, batch = cell_.batch;
	const bool is_gru = call_.kind == UNPU_TENSOR_GRU;
	for (int64_t b = 0; b < batch; b++) {
		const int64_t last = length(b);
		const int64_t at = is_reverse_ ? last - 1 - t : t;
		load_row<float>(cell_.x->dtype, place(*cell_.x, {at < 0 || t >= last ? 0 : at, b}),
				inner_stride(*cell_.x), static_cast<size_t>(cell_.input),
				x_ + b * cell_.input);
	}
	for (int64_t b = 0; b < batch; b++)
		for (int64_t i = 0; i < rows_; i++)
			gates_[b * rows_ + i] = bias_[i];
	multiply(x_, cell_.input, w_, gates_, true);
	for (int64_t b = 0; b < batch; b++)
		std::copy_n(bias_ + rows_, rows_, products_ + b * rows_);
	multiply(h_, n, r_, products_, true);
	for (int64_t b = 0; b < batch; b++) {
		/* The hidden gate of a GRU gets its product later. */
		const int64_t now = is_gru ? 2 * n : rows_;
		for (int64_t i = 0; i < now; i++)
			gates_[b * rows_ + i] += products_[b * rows_ + i];
		if (!is_gru)
			continue;
		float *gates = gates_ + b * rows_, *reset = reset_ + b * n;
		apply(functions_[0], clip_, gates, 2 * n);
		for (int64_t i = 0; i < n; i++)
			reset[i] = call_.integer(3) ? gates[n + i] : gates[n + i] * h_[b * n + i];
	}
	if (is_gru && !call_.integer(3)) {
		for (int64_t b = 0; b < batch; b++)
			std::copy_n(bias_ + rows_, rows_, products_ + b * rows_);
		multiply(reset_, n, r_, products_, true);
	}
	for (int64_t b = 0; b < batch; b++) {
		const int64_t last = length(b);
		const int64_t at = is_reverse_ ? last - 1 - t : t;
		float *gates = gates_ + b * rows_, *h = h_ + b * n;
		if (t < last) {
			if (call_.kind == UNPU_TENSOR_LSTM) {
				lstm(gates, h, c_ + b * n);
			} else if (is_gru) {
				gru(gates, products_ + b * rows_ + 2 * n, h, reset_ + b * n);
			} else {
				apply(functions_[0], clip_, gates, n);
				std::copy_n(gates, n, h);
			}
		}
		if (!cell_.y)
			continue;
		/* Behind its end a sequence is 0 in either direction. */
		if (t >= last)
			std::fill_n(gates, n, 0.0f);
		store_row<float>(cell_.y->dtype, place(*cell_.y, {t < last ? at : t, number_, b}),
				 inner_stride(*cell_.y), static_cast<size_t>(n),
				 t < last ? h : gates);
	}
}

void Direction::run()
{
	load_state(cell_.h0, h_);
	load_state(cell_.c0, c_);
	load_bias();
	for (int64_t t = 0; t < cell_.steps; t++)
		step(t);
	store_state(cell_.h, h_);
	store_state(cell_.c, c_);
}

Finding run_recurrent(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	for (uint64_t k = first; k < first + count; k++)
		Direction(call, static_cast<int64_t>(k), scratch).run();
	return {};
}

constexpr Kernel RECURRENT_KERNELS[] = {
	{UNPU_TENSOR_LSTM, check_recurrent, recurrent_units, recurrent_cost, recurrent_bytes,
	 run_recurrent},
	{UNPU_TENSOR_GRU, check_recurrent, recurrent_units, recurrent_cost, recurrent_bytes,
	 run_recurrent},
	{UNPU_TENSOR_RNN, check_recurrent, recurrent_units, recurrent_cost, recurrent_bytes,
	 run_recurrent},
};

} // namespace

const std::span<const Kernel> recurrent_kernels = RECURRENT_KERNELS;

} // namespace fw::tensor
