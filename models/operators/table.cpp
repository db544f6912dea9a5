// SPDX-License-Identifier: MIT
/*
 * DOC: Table of ONNX operators
 *
 * The rows of all families, and the operators that will never be supported.
 */
#include <unordered_map>

#include "base/no_destructor.h"
#include "row.h"

namespace models {

namespace {

constexpr const char *BY_DATA = "the number of its results depends on data";
constexpr const char *RANDOM = "its results are random numbers; export the model without it";
constexpr const char *TEXTS = "it works on texts; do that outside of the model";
constexpr const char *SEQUENCES = "sequences and optional values are not supported";
constexpr const char *TRAINING = "it is for training; export the model for inference";

constexpr RefusedRow REFUSED[] = {
	{"Unique", BY_DATA},
	{"NonMaxSuppression", BY_DATA},
	{"RandomNormal", RANDOM},
	{"RandomNormalLike", RANDOM},
	{"RandomUniform", RANDOM},
	{"RandomUniformLike", RANDOM},
	{"Multinomial", RANDOM},
	{"Bernoulli", RANDOM},
	{"TfIdfVectorizer", TEXTS},
	{"StringNormalizer", TEXTS},
	{"StringConcat", TEXTS},
	{"StringSplit", TEXTS},
	{"RegexFullMatch", TEXTS},
	{"SequenceMap", SEQUENCES},
	{"Optional", SEQUENCES},
	{"OptionalGetElement", SEQUENCES},
	{"OptionalHasElement", SEQUENCES},
	{"Gradient", TRAINING},
	{"Adam", TRAINING},
	{"Adagrad", TRAINING},
	{"Momentum", TRAINING},
};

using Table = std::unordered_multimap<std::string_view, const OperatorRow *>;

const Table &table()
{
	static base::NoDestructor<Table> made([] {
		Table rows;
		for (const OperatorRow *row : all_rows())
			rows.emplace(row->type, row);
		return rows;
	}());
	return *made;
}

} // namespace

std::vector<const OperatorRow *> all_rows()
{
	std::vector<const OperatorRow *> rows;
	for (const std::span<const OperatorRow> family :
	     {unary_rows(), binary_rows(), view_rows(), move_rows(), index_rows(), shape_rows(),
	      matrix_rows(), window_rows(), resize_rows(), reduce_rows(), norm_rows(),
	      recurrent_rows(), loss_rows(), einsum_rows(), quantised_rows(), signal_rows(),
	      image_rows(), packed_rows()})
		for (const OperatorRow &row : family)
			rows.push_back(&row);
	return rows;
}

const OperatorRow *find_row(const ir::Node &node, std::string &why)
{
	const auto [begin, end] = table().equal_range(node.type);
	const OperatorRow *other = nullptr;
	for (auto at = begin; at != end; ++at) {
		const OperatorRow *row = at->second;
		if (row->domain != node.domain)
			continue;
		if (!node.domain.empty() ||
		    (node.version >= row->first && (row->last == 0 || node.version <= row->last)))
			return row;
		other = row;
	}
	for (const RefusedRow &row : REFUSED)
		if (node.domain.empty() && node.type == row.type) {
			why = row.why;
			return nullptr;
		}
	if (other)
		why = "opset " + std::to_string(node.version) +
		      " of it is not understood; opsets " + std::to_string(other->first) +
		      " and later are";
	else if (node.domain.empty())
		why = "there is no such operator here";
	else
		why = "there is no such operator of the domain " + node.domain +
		      "; export the model with operators of ONNX itself";
	return nullptr;
}

} // namespace models
