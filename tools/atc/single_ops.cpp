// SPDX-License-Identifier: MIT
/*
 * DOC: Files of single operators
 *
 * The file of --singleop is JSON: a list of operators with the descriptions of their operands and their attributes.
 * Each becomes a file of its own, whose name is the "name" of the operator, or tells what the operator is.
 */
#include "single_ops.h"

#include <cstring>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

#include "models/inference/numbers.h"
#include "models/single.h"

namespace atc {

namespace {

using Json = nlohmann::json;
using models::Problems;
using models::SingleOp;
using models::SingleTensor;
using models::ir::Type;
using models::om::Format;

constexpr struct {
	std::string_view word;
	Type type;
	int number; /* of aclDataType */
} TYPES[] = {{"float", Type::FLOAT, 0},	      {"float32", Type::FLOAT, 0},
	     {"float16", Type::FLOAT16, 1},   {"fp16", Type::FLOAT16, 1},
	     {"int8", Type::INT8, 2},	      {"int32", Type::INT32, 3},
	     {"uint8", Type::UINT8, 4},	      {"int16", Type::INT16, 6},
	     {"uint16", Type::UINT16, 7},     {"uint32", Type::UINT32, 8},
	     {"int64", Type::INT64, 9},	      {"uint64", Type::UINT64, 10},
	     {"double", Type::DOUBLE, 11},    {"bool", Type::BOOL, 12},
	     {"bfloat16", Type::BFLOAT16, 27}};

constexpr struct {
	std::string_view word;
	Format format;
	int number; /* of aclFormat */
} FORMATS[] = {{"ND", Format::ND, 2},
	       {"NCHW", Format::NCHW, 0},
	       {"NHWC", Format::NHWC, 1},
	       {"NCDHW", Format::NCDHW, 30},
	       {"NDHWC", Format::NDHWC, 27}};

/* struct Bad - a field that is not as it has to be; thrown while a file is read. */
struct Bad {
	std::string text;
};

std::string lower(std::string text)
{
	for (char &letter : text)
		letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
	return text;
}

template <class Table>
const auto &find_word(const Table &table, const std::string &word, const char *field)
{
	std::string words;
	for (const auto &each : table) {
		if (lower(word) == lower(std::string(each.word)))
			return each;
		words += (words.empty() ? "" : ", ") + std::string(each.word);
	}
	throw Bad{std::string(field) + " is " + word + "; allowed are " + words};
}

const Json &field_of(const Json &from, const char *name)
{
	const auto at = from.is_object() ? from.find(name) : from.end();
	if (!from.is_object() || at == from.end())
		throw Bad{std::string(name) + " is missing"};
	return *at;
}

template <class T> T as(const Json &from, const char *what)
{
	try {
		return from.get<T>();
	} catch (const Json::exception &) {
		throw Bad{std::string(what) + " is " + from.dump() + ", which it can't be"};
	}
}

/* The range of an open dim, in their order. */
models::DimRange range_of(const Json &tensor, size_t &next)
{
	if (!tensor.contains("shape_range"))
		return {};
	const Json &ranges = tensor["shape_range"];
	if (!ranges.is_array() || next >= ranges.size() || !ranges[next].is_array() ||
	    ranges[next].size() != 2)
		throw Bad{"shape_range has [least, most] for each dim of -1"};
	const Json &range = ranges[next++];
	return {as<int64_t>(range[0], "shape_range"), as<int64_t>(range[1], "shape_range")};
}

std::string elements_of(const Json &values, Type type, size_t count)
{
	models::Numbers numbers;
	numbers.type = type;
	if (!models::can_compute(type) || !values.is_array() || values.size() != count)
		throw Bad{"const_value needs one number for each element"};
	numbers.resize(count);
	for (size_t i = 0; i < count; i++)
		if (numbers.is_real())
			numbers.reals[i] = as<double>(values[i], "const_value");
		else
			numbers.integers[i] = as<int64_t>(values[i], "const_value");
	return encode(numbers);
}

SingleTensor tensor_of(const Json &from)
{
	SingleTensor tensor;
	const auto type = as<std::string>(field_of(from, "type"), "type");
	if (lower(type) == "undefined") {
		tensor.is_absent = true;
		return tensor;
	}
	tensor.type = find_word(TYPES, type, "type").type;
	if (from.contains("format"))
		tensor.format =
			find_word(FORMATS, as<std::string>(from["format"], "format"), "format")
				.format;
	const auto shape = as<std::vector<int64_t>>(field_of(from, "shape"), "shape");
	size_t next = 0, count = 1;
	for (const int64_t size : shape) {
		if (size < -1 || size > INT32_MAX)
			throw Bad{"shape has the size " + std::to_string(size) +
				  "; allowed are 0 to 2147483647, and -1 for any"};
		tensor.dims.push_back(size < 0 ? range_of(from, next)
					       : models::DimRange{size, size});
		count *= size < 0 ? 0 : static_cast<size_t>(size);
	}
	if (from.contains("const_value"))
		tensor.elements = elements_of(from["const_value"], tensor.type, count);
	return tensor;
}

models::ir::Attribute attribute_of(const Json &from)
{
	using Kind = models::ir::Attribute::Kind;
	models::ir::Attribute made;
	made.name = as<std::string>(field_of(from, "name"), "name");
	const auto type = as<std::string>(field_of(from, "type"), "type");
	const Json &value = field_of(from, "value");
	const bool is_list = type.rfind("list_", 0) == 0;
	const std::string one = is_list ? type.substr(5) : type;
	made.is_list = is_list;
	const Json all = is_list ? value : Json::array({value});
	if (!all.is_array())
		throw Bad{made.name + " is no list"};
	for (const Json &each : all)
		if (one == "bool")
			made.integers.push_back(as<bool>(each, "value"));
		else if (one == "int")
			made.integers.push_back(as<int64_t>(each, "value"));
		else if (one == "float")
			made.reals.push_back(as<float>(each, "value"));
		else if (one == "string")
			made.texts.push_back(as<std::string>(each, "value"));
		else if (one == "data_type")
			made.integers.push_back(
				find_word(TYPES, as<std::string>(each, "value"), "value").number);
		else
			throw Bad{"the attribute " + made.name + " has the type " + type +
				  "; allowed are bool, int, float, string and data_type, and list_ "
				  "of these"};
	made.kind = one == "float" ? Kind::REALS : one == "string" ? Kind::TEXTS : Kind::INTEGERS;
	return made;
}

SingleOp op_of(const Json &from)
{
	SingleOp op;
	op.type = as<std::string>(field_of(from, "op"), "op");
	for (const auto &[key, list] :
	     {std::pair("input_desc", &op.inputs), std::pair("output_desc", &op.outputs)}) {
		const Json &tensors = field_of(from, key);
		if (!tensors.is_array())
			throw Bad{std::string(key) + " is no list"};
		for (const Json &tensor : tensors)
			list->push_back(tensor_of(tensor));
	}
	if (from.contains("attr"))
		for (const Json &attribute : from["attr"])
			op.attributes.push_back(attribute_of(attribute));
	return op;
}

/* 0_Add_0_2_8_16_... : type, format and dims of each operand. */
std::string name_of(const Json &from, const SingleOp &op, size_t index)
{
	if (from.contains("name"))
		return as<std::string>(from["name"], "name");
	std::string name = std::to_string(index) + "_" + op.type;
	for (const std::vector<SingleTensor> *list : {&op.inputs, &op.outputs})
		for (const SingleTensor &tensor : *list) {
			for (const auto &type : TYPES)
				if (type.type == tensor.type && !tensor.is_absent) {
					name += "_" + std::to_string(type.number);
					break;
				}
			for (const auto &format : FORMATS)
				if (format.format == tensor.format && !tensor.is_absent)
					name += "_" + std::to_string(format.number);
			for (const models::DimRange &dim : tensor.dims)
				name += "_" + std::to_string(dim.is_open() ? -1 : dim.least);
		}
	return name;
}

/* @names: of the files of the operators before; two with one name would be one file */
bool build_one(const Arguments &arguments, const Json &from, size_t index,
	       std::set<std::string> &names, Problems &problems)
{
	const SingleOp op = op_of(from);
	models::CompileOptions options;
	models::om::Face face;
	options.soc = arguments.soc_version;
	options.name = name_of(from, op, index);
	if (options.name.empty() || options.name.find('/') != std::string::npos)
		throw Bad{"name is \"" + options.name + "\"; it has to be the name of a file"};
	if (!names.insert(options.name).second)
		throw Bad{"name is \"" + options.name +
			  "\", which an operator before it has; give each a name of its own"};
	std::unique_ptr<models::ir::Model> model =
		models::compile_single(op, options, face, problems);
	if (!model)
		return false;
	const std::string path = arguments.output + "/" + options.name + ".om";
	return arguments.mode == 3 ||
	       (make_folder(path, problems) &&
		models::om::write(path, face, *model, {arguments.command, UNPU_VERSION_TEXT, ""},
				  problems));
}

} // namespace

bool build_single_ops(const Arguments &arguments, Problems &problems)
{
	std::ifstream file(arguments.singleop);
	const Json json = Json::parse(file, nullptr, false);
	if (!file.is_open())
		return problems.add(models::no_file,
				    "file " + arguments.singleop + " can't be opened");
	if (!json.is_array() || json.empty())
		return problems.add(
			models::bad_option,
			"--singleop: " + arguments.singleop +
				" is no JSON list of operators, as [{\"op\": \"Add\", ...}]");
	bool is_good = true;
	std::set<std::string> names;
	for (size_t i = 0; i < json.size(); i++)
		try {
			is_good &= build_one(arguments, json[i], i, names, problems);
		} catch (const Bad &bad) {
			is_good = problems.add(models::bad_option, "--singleop, operator " +
									   std::to_string(i) +
									   ": " + bad.text);
		}
	return is_good;
}

} // namespace atc
