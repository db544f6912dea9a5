// SPDX-License-Identifier: MIT
/*
 * DOC: Einsum
 *
 * Sums of products over indices that have letters. One operand is a view whose dims that are not in the result are
 * added up. Two are a product of matrices: letters of both and of the result count batches, letters of both alone are
 * added up, and the others are rows and columns.
 */
#include <map>

#include "models/lower/rows.h"
#include "row.h"

namespace models {

namespace einsum {

namespace {

/* struct Equation - the letters of each operand and of the result. Each dim of an ellipsis gets a letter, too, counted
 * down from LAST. */
struct Equation {
	std::vector<std::string> operands;
	std::string result;
	std::map<char, int64_t> sizes;
};

constexpr char LAST =
	'~'; /* the first letter for dims of an ellipsis; the next ones are below it */

/* expand() - @term with letters in the place of "..." for a tensor of @rank dims. */
bool expand(std::string term, unsigned rank, std::string &letters, size_t &dots)
{
	const size_t at = term.find("...");
	dots = 0;
	if (at != std::string::npos) {
		if (rank + 3 < term.size())
			return false;
		dots = rank + 3 - term.size();
		std::string more;
		for (size_t k = dots; k-- > 0;)
			more += static_cast<char>(LAST - k);
		term.replace(at, 3, more);
	}
	letters = term;
	return letters.size() == rank;
}

/* add_sizes() - adds the sizes of the letters of an operand. */
bool add_sizes(Inference &at, Equation &equation, size_t i)
{
	const std::string &letters = equation.operands[i];
	for (unsigned d = 0; d < letters.size(); d++) {
		const int64_t size = at.dims(i)[d];
		auto [place, is_new] = equation.sizes.emplace(letters[d], size);
		if (!is_new && place->second != size && place->second != 1 && size != 1)
			return at.fail("a letter of its equation has the sizes " +
				       std::to_string(place->second) + " and " +
				       std::to_string(size));
		place->second = place->second == 1 ? size : place->second;
		const size_t first = letters.find(letters[d]);
		if (at.dims(i)[static_cast<unsigned>(first)] != size)
			return at.fail("dims of one operand with one letter have different sizes");
	}
	return true;
}

bool read_equation(Inference &at, Equation &equation)
{
	std::string text;
	for (const char c : at.node.text("equation", ""))
		if (c != ' ')
			text += c;
	const size_t arrow = text.find("->");
	std::string left = text.substr(0, arrow);
	size_t most_dots = 0;
	for (size_t begin = 0;;) {
		const size_t comma = left.find(',', begin);
		const size_t i = equation.operands.size();
		size_t dots;
		if (i >= at.count() || !at.has(i) ||
		    !expand(left.substr(begin, comma == std::string::npos ? comma : comma - begin),
			    at.dims(i).rank(), equation.operands.emplace_back(), dots))
			return at.fail("its equation " + text + " does not fit its operands");
		most_dots = std::max(most_dots, dots);
		if (!add_sizes(at, equation, i))
			return false;
		if (comma == std::string::npos)
			break;
		begin = comma + 1;
	}
	if (equation.operands.size() != at.count() || at.count() > 2)
		return at.fail("one operand and two are computed here");
	if (arrow == std::string::npos) {
		/* Letters that occur once, in the order of the alphabet, after those of the ellipsis. */
		std::string all;
		for (const std::string &letters : equation.operands)
			all += letters;
		for (size_t k = most_dots; k-- > 0;)
			equation.result += static_cast<char>(LAST - k);
		for (const auto &[letter, size] : equation.sizes)
			if (std::count(all.begin(), all.end(), letter) == 1 && letter <= 'z')
				equation.result += letter;
	} else {
		size_t dots;
		const std::string right = text.substr(arrow + 2);
		const size_t rank = right.find("...") == std::string::npos
					    ? right.size()
					    : right.size() - 3 + most_dots;
		if (!expand(right, static_cast<unsigned>(rank), equation.result, dots))
			return at.fail("its equation " + text + " has no result");
	}
	if (equation.result.size() > ir::MAX_RANK)
		return at.fail("its result would have more than 8 dims");
	for (size_t k = 0; k < equation.result.size(); k++)
		if (equation.sizes.count(equation.result[k]) == 0 ||
		    equation.result.find(equation.result[k]) != k)
			return at.fail("its result has a letter twice, or one that no operand has");
	return true;
}

ir::Dims dims_of(const Equation &equation, std::string_view letters)
{
	ir::Dims dims;
	for (const char letter : letters)
		dims.push(equation.sizes.at(letter));
	return dims;
}

bool infer_einsum(Inference &at)
{
	Equation equation;
	return read_equation(at, equation) &&
	       at.set(0, at.type(0), dims_of(equation, equation.result));
}

/* arrange() - a view with dims in the order of @letters; those that the operand lacks are broadcast. */
Tensor arrange(const Equation &equation, Tensor tensor, std::string_view own,
	       std::string_view letters)
{
	View view;
	view.offset = tensor.view.offset;
	for (const char letter : letters) {
		const size_t at = own.find(letter);
		const auto d = static_cast<unsigned>(at);
		const bool is_there = at != std::string_view::npos && tensor.view.dims[d] != 1;
		view.dims.push(equation.sizes.at(letter));
		view.strides.push(is_there ? tensor.view.strides[d] : 0);
	}
	tensor.view = view;
	return tensor;
}

/* take_diagonal() - merges dims with the same letter into one dim, whose stride is the sum of their strides. */
void take_diagonal(Tensor &tensor, std::string &own)
{
	View view;
	std::string letters;
	view.offset = tensor.view.offset;
	for (unsigned d = 0; d < own.size(); d++) {
		const size_t at = letters.find(own[d]);
		if (at != std::string::npos) {
			view.strides[static_cast<unsigned>(at)] += tensor.view.strides[d];
			continue;
		}
		letters += own[d];
		view.dims.push(tensor.view.dims[d]);
		view.strides.push(tensor.view.strides[d]);
	}
	tensor.view = view;
	own = letters;
}

/* add_up() - sums over the letters that only this operand has. @own: receives the remaining letters */
bool add_up(Lowering &l, const Equation &equation, Tensor &tensor, std::string &own,
	    const std::string &others)
{
	Integers axes;
	std::string left;
	for (unsigned d = 0; d < own.size(); d++) {
		if (others.find(own[d]) == std::string::npos)
			axes.push_back(d);
		else
			left += own[d];
	}
	if (axes.empty())
		return true;
	const Tensor whole = arrange(equation, tensor, own, own);
	const Tensor sum = l.temporary(tensor.type, dims_of(equation, left));
	own = left;
	tensor = sum;
	return l.call(umd::reduce_sum_row,
		      {whole, axes, int64_t{0}, int64_t{ir::row_of(sum.type).device}, sum});
}

/* joined() - gives @tensor, or a dense copy of it, the dims @dims. The order of the elements does not change. */
bool joined(Lowering &l, Tensor &tensor, const ir::Dims &dims)
{
	if (!l.make_dense(tensor))
		return false;
	const int64_t offset = tensor.view.offset;
	tensor.view = View::dense(dims);
	tensor.view.offset = offset;
	return true;
}

bool multiply(Lowering &l, const Equation &equation, Tensor a, std::string own_a, Tensor b,
	      std::string own_b)
{
	std::string batch, sum, rows, columns;
	const auto is_in = [](const std::string &letters, char letter) {
		return letters.find(letter) != std::string::npos;
	};
	for (const char letter : own_a)
		(is_in(own_b, letter) ? (is_in(equation.result, letter) ? batch : sum) : rows) +=
			letter;
	for (const char letter : own_b)
		if (!is_in(own_a, letter))
			columns += letter;
	const auto size = [&](const std::string &letters) {
		return ir::count(dims_of(equation, letters)).value_or(0);
	};
	if (std::max({batch.size() + rows.size() + sum.size(),
		      batch.size() + sum.size() + columns.size(),
		      batch.size() + rows.size() + columns.size()}) > ir::MAX_RANK)
		return l.at.fail("a product on the way would have more than 8 dims");
	a = arrange(equation, a, own_a, batch + rows + sum);
	b = arrange(equation, b, own_b, batch + sum + columns);
	Tensor product = l.temporary(a.type, dims_of(equation, batch + rows + columns)),
	       flat = product;
	flat.view = View::dense({size(batch), size(rows), size(columns)});
	return joined(l, a, {size(batch), size(rows), size(sum)}) &&
	       joined(l, b, {size(batch), size(sum), size(columns)}) &&
	       l.call(umd::matmul_row, {a, b, flat, int64_t{0}}) &&
	       l.copy(arrange(equation, product, batch + rows + columns, equation.result), l.out());
}

bool lower_einsum(Lowering &l)
{
	Equation equation;
	if (!read_equation(l.at, equation))
		return false;
	Tensor a = l.in(0);
	std::string own = equation.operands[0];
	take_diagonal(a, own);
	if (l.count() == 1)
		return add_up(l, equation, a, own, equation.result) &&
		       l.copy(arrange(equation, a, own, equation.result), l.out());
	Tensor b = l.in(1);
	std::string other = equation.operands[1];
	take_diagonal(b, other);
	if (l.at.type(0) != l.at.type(1))
		return l.at.fail("its operands must have one type");
	return add_up(l, equation, a, own, equation.result + other) &&
	       add_up(l, equation, b, other, equation.result + own) &&
	       multiply(l, equation, a, own, b, other);
}

constexpr OperatorRow ROWS[] = {
	{"Einsum", 12, 0, 1, 2, "equation ", infer_einsum, nullptr, nullptr, lower_einsum},
};

} // namespace

} // namespace einsum

std::span<const OperatorRow> einsum_rows()
{
	return einsum::ROWS;
}

} // namespace models
