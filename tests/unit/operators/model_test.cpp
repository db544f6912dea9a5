// SPDX-License-Identifier: MIT
/*
 * DOC: Kinds of models, tested
 *
 * Kinds that no entry point launches, because only models have them, against naive loops in double.
 */
#include <map>

#include "random_call.h"

namespace {

using namespace random_call;

int64_t element(const Operand &operand, const Dims &at)
{
	return static_cast<int64_t>(operand.get(at));
}

/* fill_indices() - numbers of -@size .. @size - 1. */
void fill_indices(Random &random, const Operand &index, int64_t size)
{
	for_each(index.dims(), [&](const Dims &at) {
		index.set(at,
			  static_cast<double>(static_cast<int64_t>(random() % (2 * size)) - size));
	});
}

int64_t wrapped(int64_t index, int64_t size)
{
	return index < 0 ? index + size : index;
}

Operand indices(Random &random, const Dims &dims)
{
	return {random, random() % 2 ? uint32_t{UNPU_DTYPE_I32} : uint32_t{UNPU_DTYPE_I64}, dims,
		false, false};
}

TEST(Model, TellsNumbersThatAreNone)
{
	Random random(seed());
	for (const uint32_t compute : {uint32_t{UNPU_DTYPE_F32}, uint32_t{UNPU_DTYPE_F64}}) {
		const Operand out(random, UNPU_DTYPE_BOOL, {7, 33}, true, false);
		const Operand self(random, compute, {7, 33}, true, false);
		fill(random, self, 3, true);
		CallBuilder builder(UNPU_TENSOR_IS_NAN, compute);
		run(random, builder.add(0, out).add(1, self).call);
		for_each({7, 33},
			 [&](const Dims &at) { EXPECT_EQ(out.get(at), std::isnan(self.get(at))); });
	}
}

TEST(Model, DividesIntegersTowardZero)
{
	Random random(seed());
	const Operand out(random, UNPU_DTYPE_I32, {9, 21}, true, false);
	const Operand self(random, UNPU_DTYPE_I32, {9, 21}, true, false);
	const Operand other(random, UNPU_DTYPE_I32, {9, 21}, true, false);
	for_each({9, 21}, [&](const Dims &at) {
		self.set(at, at[1] == 0 ? INT32_MIN : static_cast<double>(random() % 2001) - 1000);
		other.set(at, at[1] == 0 ? -1 : static_cast<double>(random() % 13) - 6);
	});
	CallBuilder builder(UNPU_TENSOR_DIV_TRUNC, UNPU_DTYPE_I64);
	run(random, builder.add(0, out).add(1, self).add(2, other).call);
	for_each({9, 21}, [&](const Dims &at) {
		const int64_t y = element(other, at);
		const auto want = static_cast<int32_t>(y ? element(self, at) / y : 0);
		EXPECT_EQ(out.get(at), want) << self.get(at) << " " << y;
	});
}

TEST(Model, GathersByPlaces)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(60); i++) {
		const Dims dims = {3, 4, 5, 2};
		const int64_t batch = static_cast<int64_t>(random() % 2);
		const auto depth = 1 + static_cast<int64_t>(random() % (4 - batch));
		const Operand self(random, UNPU_DTYPE_F32, dims, true, false);
		fill(random, self, 9, false);
		const Dims outer = batch ? Dims{3, 6} : Dims{2, 7};
		Dims place = outer, shape = outer;
		place.push_back(depth);
		shape.insert(shape.end(), dims.begin() + batch + depth, dims.end());
		const Operand index = indices(random, place),
			      out(random, UNPU_DTYPE_F32, shape, true, false);
		fill_indices(random, index, 2);
		CallBuilder builder(UNPU_TENSOR_GATHER_ND, 0);
		builder.add(0, out).add(1, self).add(2, index).integer(batch);
		EXPECT_EQ(run(random, builder.call).status, base::Status::OK);
		for_each(shape, [&](const Dims &at) {
			Dims from(at.begin(), at.begin() + batch);
			for (int64_t k = 0; k < depth; k++) {
				const auto told = element(index, {at[0], at[1], k});
				from.push_back(wrapped(told, dims[static_cast<size_t>(batch + k)]));
			}
			from.insert(from.end(), at.begin() + 2, at.end());
			EXPECT_EQ(out.get(at), self.get(from));
		});
	}
}

double reduced(int64_t how, double old, double more)
{
	switch (how) {
	case 1:
		return old + more;
	case 2:
		return old * more;
	case 3:
		return std::max(old, more);
	case 4:
		return std::min(old, more);
	default:
		return more;
	}
}

TEST(Model, ScattersToPlacesInOrder)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(60); i++) {
		const Dims dims = {3, 4, 5};
		const auto depth = 1 + static_cast<int64_t>(random() % 3),
			   how = static_cast<int64_t>(i % 5);
		const Operand out(random, UNPU_DTYPE_I32, dims, true, false);
		const Operand self(random, UNPU_DTYPE_I32, dims, true, false);
		const Operand index = indices(random, {8, depth});
		Dims shape = {8};
		shape.insert(shape.end(), dims.begin() + depth, dims.end());
		const Operand updates(random, UNPU_DTYPE_I32, shape, true, false);
		fill(random, self, 9, false);
		fill(random, updates, 9, false);
		fill_indices(random, index, 2);
		std::map<Dims, double> want;
		for_each(dims, [&](const Dims &at) { want[at] = self.get(at); });
		for_each(shape, [&](const Dims &at) {
			Dims to;
			for (int64_t k = 0; k < depth; k++)
				to.push_back(wrapped(element(index, {at[0], k}),
						     dims[static_cast<size_t>(k)]));
			to.insert(to.end(), at.begin() + 1, at.end());
			want[to] = reduced(how, want[to], updates.get(at));
		});
		CallBuilder builder(UNPU_TENSOR_SCATTER_ND, 0);
		builder.add(0, out).add(1, self).add(2, index).add(3, updates).integer(how);
		EXPECT_EQ(run(random, builder.call).status, base::Status::OK);
		for_each(dims, [&](const Dims &at) {
			EXPECT_EQ(out.get(at), static_cast<int32_t>(want[at])) << how;
		});
	}
}

/* nearest_of() - the element of 4 that is nearest to element @i of 7, as ONNX defines its modes. */
int64_t nearest_of(int64_t coordinates, int64_t rounding, int64_t i)
{
	const double scale = 7.0 / 4, n = static_cast<double>(i);
	double x = (n + 0.5) / scale - 0.5;
	if (coordinates == 1)
		x = n / scale;
	if (coordinates == 2)
		x = n * 3 / 6;
	const double down = std::floor(x), part = x - down;
	double near = rounding == 3 ? std::ceil(x) : down;
	if (rounding == 0)
		near = part > 0.5 ? down + 1 : down;
	if (rounding == 1)
		near = part >= 0.5 ? down + 1 : down;
	return std::clamp<int64_t>(static_cast<int64_t>(near), 0, 3);
}

TEST(Model, TakesTheNearestElementInEachMode)
{
	Random random(seed());
	for (int64_t coordinates = 0; coordinates < 5; coordinates++) {
		for (int64_t rounding = 0; rounding < 4; rounding++) {
			const Operand out(random, UNPU_DTYPE_I16, {2, 7}, true, false);
			const Operand self(random, UNPU_DTYPE_I16, {2, 4}, true, false);
			fill(random, self, 99, false);
			CallBuilder builder(UNPU_TENSOR_RESIZE, 0);
			builder.add(0, out)
				.add(1, self)
				.integer(0)
				.integer(coordinates)
				.integer(rounding);
			builder.words(
				{std::bit_cast<uint64_t>(1.0), std::bit_cast<uint64_t>(1.75)});
			run(random, builder.real(-0.75).integer(0).call);
			for_each({2, 7}, [&](const Dims &at) {
				EXPECT_EQ(
					out.get(at),
					self.get({at[0], nearest_of(coordinates, rounding, at[1])}))
					<< coordinates << " " << rounding << " " << at[1];
			});
		}
	}
}

/* An image of one colour keeps it: the weights that are left add up to 1. */
TEST(Model, LeavesOutWeightsBehindTheEdge)
{
	Random random(seed());
	const Operand out(random, UNPU_DTYPE_F64, {5}, false, false);
	const Operand self(random, UNPU_DTYPE_F64, {3}, false, false);
	for (int64_t i = 0; i < 3; i++)
		self.set({i}, 7);
	CallBuilder builder(UNPU_TENSOR_RESIZE, UNPU_DTYPE_F64);
	builder.add(0, out).add(1, self).integer(2).integer(0).integer(0);
	builder.words({std::bit_cast<uint64_t>(5.0 / 3)});
	run(random, builder.real(-0.5).integer(1).call);

	for (int64_t i = 0; i < 5; i++)
		EXPECT_NEAR(out.get({i}), 7, 1e-12) << i;
}

double sigmoid(double x)
{
	return 1 / (1 + std::exp(-x));
}

/* struct Net - random operands of a recurrent kind with B sequences of T steps, I inputs and H states. */
struct Net {
	static constexpr int64_t T = 5, B = 3, I = 4, H = 6;

	Net(Random &random, int64_t gate_count, int64_t direction_count)
		: gates(gate_count), directions(direction_count),
		  x(random, UNPU_DTYPE_F32, {T, B, I}, true, false),
		  w(random, UNPU_DTYPE_F16, {directions, gates * H, I}, true, false),
		  r(random, UNPU_DTYPE_F32, {directions, gates * H, H}, true, false),
		  bias(random, UNPU_DTYPE_F32, {directions, 2 * gates * H}, false, false),
		  peepholes(random, UNPU_DTYPE_F32, {directions, 3 * H}, false, false),
		  lengths(random, UNPU_DTYPE_I32, {B}, false, false),
		  h0(random, UNPU_DTYPE_F32, {directions, B, H}, true, false),
		  c0(random, UNPU_DTYPE_F32, {directions, B, H}, true, false),
		  y(random, UNPU_DTYPE_F32, {T, directions, B, H}, true, false),
		  h(random, UNPU_DTYPE_F32, {directions, B, H}, true, false),
		  c(random, UNPU_DTYPE_F32, {directions, B, H}, true, false)
	{
		for (const Operand *operand : {&x, &w, &r, &bias, &peepholes, &h0, &c0})
			fill(random, *operand, 1, false);
		const double each[] = {T, 2, 0};
		for (int64_t b = 0; b < B; b++)
			lengths.set({b}, each[b]);
	}

	/* sum() - what goes into a gate: @from_x of the input and @from_h of the state. */
	double sum_x(int64_t d, int64_t t, int64_t b, int64_t row) const
	{
		double sum = bias.get({d, row});
		for (int64_t i = 0; i < I; i++)
			sum += w.get({d, row, i}) * x.get({t, b, i});
		return sum;
	}
	double sum_h(int64_t d, int64_t row, const std::vector<double> &state) const
	{
		double sum = bias.get({d, gates * H + row});
		for (int64_t i = 0; i < H; i++)
			sum += r.get({d, row, i}) * state[static_cast<size_t>(i)];
		return sum;
	}

	int64_t gates, directions;
	Operand x, w, r, bias, peepholes, lengths, h0, c0, y, h, c;
};

using State = std::vector<double>;

/* One step of each kind, as ONNX writes it. */
void step_lstm(const Net &net, int64_t d, int64_t t, int64_t b, State &h, State &c)
{
	const State before = h;
	for (int64_t i = 0; i < Net::H; i++) {
		const auto k = static_cast<size_t>(i);
		const auto gate = [&](int64_t g) {
			return net.sum_x(d, t, b, g * Net::H + i) +
			       net.sum_h(d, g * Net::H + i, before);
		};
		const auto peephole = [&](int64_t p) {
			return net.peepholes.get({d, p * Net::H + i});
		};
		const double input = sigmoid(gate(0) + peephole(0) * c[k]);
		const double forget = sigmoid(gate(2) + peephole(2) * c[k]);
		c[k] = forget * c[k] + input * std::tanh(gate(3));
		h[k] = sigmoid(gate(1) + peephole(1) * c[k]) * std::tanh(c[k]);
	}
}

void step_gru(const Net &net, bool is_behind, int64_t d, int64_t t, int64_t b, State &h)
{
	const State before = h;
	State reset(Net::H), scaled(Net::H);
	for (int64_t i = 0; i < Net::H; i++) {
		const int64_t row = Net::H + i;
		const auto k = static_cast<size_t>(i);
		reset[k] = sigmoid(net.sum_x(d, t, b, row) + net.sum_h(d, row, before));
		scaled[k] = reset[k] * before[k];
	}
	for (int64_t i = 0; i < Net::H; i++) {
		const int64_t row = 2 * Net::H + i;
		const auto k = static_cast<size_t>(i);
		const double update = sigmoid(net.sum_x(d, t, b, i) + net.sum_h(d, i, before));
		const double more = is_behind ? reset[k] * net.sum_h(d, row, before)
					      : net.sum_h(d, row, scaled);
		const double hidden = std::tanh(net.sum_x(d, t, b, row) + more);
		h[k] = (1 - update) * hidden + update * before[k];
	}
}

void step_rnn(const Net &net, int64_t d, int64_t t, int64_t b, State &h)
{
	const State before = h;
	for (int64_t i = 0; i < Net::H; i++) {
		const double x = net.sum_x(d, t, b, i) + net.sum_h(d, i, before);
		h[static_cast<size_t>(i)] = std::max(x, 0.0);
	}
}

State load(const Operand &operand, int64_t d, int64_t b)
{
	State state;
	for (int64_t i = 0; i < Net::H; i++)
		state.push_back(operand.get({d, b, i}));
	return state;
}

/* expect_all() - runs @step over each sequence, and compares. */
template <class Step> void expect_all(const Net &net, bool is_reverse, bool has_cell, Step step)
{
	for (int64_t d = 0; d < net.directions; d++) {
		for (int64_t b = 0; b < Net::B; b++) {
			State h = load(net.h0, d, b), c = load(net.c0, d, b);
			const auto length = static_cast<int64_t>(net.lengths.get({b}));
			for (int64_t t = 0; t < Net::T; t++) {
				const bool turns = is_reverse || d == 1;
				const int64_t at = t < length && turns ? length - 1 - t : t;
				if (t < length)
					step(d, at, b, h, c);
				for (int64_t i = 0; i < Net::H; i++)
					EXPECT_NEAR(net.y.get({at, d, b, i}),
						    t < length ? h[static_cast<size_t>(i)] : 0,
						    1e-5)
						<< d << " " << b << " " << t;
			}
			for (int64_t i = 0; i < Net::H; i++) {
				EXPECT_NEAR(net.h.get({d, b, i}), h[static_cast<size_t>(i)], 1e-5);
				if (has_cell) {
					EXPECT_NEAR(net.c.get({d, b, i}), c[static_cast<size_t>(i)],
						    1e-5);
				}
			}
		}
	}
}

/* functions() - those of one direction, for each. */
std::vector<uint64_t> functions(std::vector<uint64_t> each, int64_t directions)
{
	std::vector<uint64_t> all = each;
	if (directions == 2)
		all.insert(all.end(), each.begin(), each.end());
	return all;
}

TEST(Model, RunsLstmsInEachDirection)
{
	Random random(seed());
	for (int64_t direction = 0; direction < 3; direction++) {
		const int64_t directions = direction == 2 ? 2 : 1;
		const Net net(random, 4, directions);
		CallBuilder builder(UNPU_TENSOR_LSTM, UNPU_DTYPE_F32);
		builder.add(0, net.y).add(1, net.h).add(2, net.c).add(3, net.x).add(4, net.w);
		builder.add(4, net.r).add(4, net.bias).add(4, net.peepholes).add(5, net.lengths);
		builder.add(6, net.h0).add(7, net.c0).integer(direction);
		builder.words(functions({0, 1, 1}, directions)).real(0).integer(0);
		run(random, builder.call);
		expect_all(net, direction == 1, true,
			   [&](int64_t d, int64_t t, int64_t b, State &h, State &c) {
				   step_lstm(net, d, t, b, h, c);
			   });
	}
}

TEST(Model, RunsGrusWithTheResetGateOnEitherSide)
{
	Random random(seed());
	for (int64_t direction = 0; direction < 3; direction++) {
		for (const bool is_behind : {false, true}) {
			const int64_t directions = direction == 2 ? 2 : 1;
			const Net net(random, 3, directions);
			CallBuilder builder(UNPU_TENSOR_GRU, UNPU_DTYPE_F32);
			builder.add(0, net.y).add(1, net.h).add(2, net.x).add(3, net.w).add(3,
											    net.r);
			builder.add(3, net.bias)
				.add(4, net.lengths)
				.add(5, net.h0)
				.integer(direction);
			builder.words(functions({0, 1}, directions)).real(0).integer(is_behind);
			run(random, builder.call);
			expect_all(net, direction == 1, false,
				   [&](int64_t d, int64_t t, int64_t b, State &h, State &) {
					   step_gru(net, is_behind, d, t, b, h);
				   });
		}
	}
}

TEST(Model, RunsRnnsWithAnotherFunction)
{
	Random random(seed());
	for (int64_t direction = 0; direction < 3; direction++) {
		const int64_t directions = direction == 2 ? 2 : 1;
		const Net net(random, 1, directions);
		CallBuilder builder(UNPU_TENSOR_RNN, UNPU_DTYPE_F32);
		builder.add(0, net.y).add(1, net.h).add(2, net.x).add(3, net.w).add(3, net.r);
		builder.add(3, net.bias).add(4, net.lengths).add(5, net.h0).integer(direction);
		builder.words(functions({2}, directions)).real(0);
		run(random, builder.call);
		expect_all(net, direction == 1, false,
			   [&](int64_t d, int64_t t, int64_t b, State &h, State &) {
				   step_rnn(net, d, t, b, h);
			   });
	}
}

} // namespace
