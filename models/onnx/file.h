// SPDX-License-Identifier: MIT
/*
 * DOC: What an ONNX file says
 *
 * The messages of onnx.proto as they are in the file. Texts and raw data are views of the file, which must outlive
 * them. The reader only checks that the bytes are such messages; passes/import.cpp checks what they mean.
 */
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/common/problems.h"

namespace models::onnx {

/* struct Tensor - @bytes: its elements, little endian, dense; views into the file or into File::converted */
struct Tensor {
	std::string_view name;
	int32_t type = 0;
	std::vector<int64_t> dims;
	std::string_view bytes;
	std::vector<std::string_view> texts;
	bool is_external = false;
	std::string_view location;
	uint64_t offset = 0;
	std::optional<uint64_t> length;
};

struct Graph;

/* struct Attribute - an AttributeProto. @kind: AttributeProto.AttributeType; 0 if the file has none */
struct Attribute {
	enum Kind : int32_t {
		NONE,
		REAL,
		INTEGER,
		TEXT,
		TENSOR,
		GRAPH,
		REALS,
		INTEGERS,
		TEXTS,
		TENSORS,
		GRAPHS,
		SPARSE,
		SPARSES,
		TYPE,
		TYPES
	};

	std::string_view name, reference;
	int32_t kind = NONE;
	float real = 0;
	int64_t integer = 0;
	std::string_view text;
	std::unique_ptr<Tensor> tensor;
	std::unique_ptr<Graph> graph;
	std::vector<float> reals;
	std::vector<int64_t> integers;
	std::vector<std::string_view> texts;
};

struct Node {
	std::string_view name, type, domain;
	std::vector<std::string_view> inputs, outputs;
	std::vector<Attribute> attributes;
};

/* struct Dim - a dim of a shape. @size: -1 if the file has a name or nothing */
struct Dim {
	int64_t size = -1;
	std::string_view name;
};

/* struct Info - a value with its type. @is_tensor: not a sequence, map or optional */
struct Info {
	std::string_view name;
	bool is_tensor = false;
	int32_t type = 0;
	bool has_shape = false;
	std::vector<Dim> dims;
};

struct Graph {
	std::string_view name;
	std::vector<Node> nodes;
	std::vector<Tensor> initializers;
	std::vector<Info> inputs, outputs, values;
	bool has_sparse = false;
};

/* struct Opset - the version of the operators of @domain. */
struct Opset {
	std::string_view domain;
	int64_t version = 0;
};

struct Function {
	std::string_view name, domain;
	std::vector<std::string_view> inputs, outputs, attributes;
	std::vector<Attribute> defaults;
	std::vector<Node> nodes;
	std::vector<Opset> opsets;
};

struct Property {
	std::string_view key, value;
};

struct File {
	int64_t version = 0; /* of the format */
	std::string_view producer, producer_version;
	std::vector<Opset> opsets;
	std::optional<Graph> graph;
	std::vector<Function> functions;
	std::vector<Property> properties;
	/* The bytes of elements that the file has in another form. They must outlive all views of them. */
	std::shared_ptr<std::deque<std::string>> converted =
		std::make_shared<std::deque<std::string>>();
};

/*
 * read() - reads an ONNX file. It allocates at most 4 times the size of @bytes plus 64 MiB. Return: false if it is
 * no such file; the problem is then added.
 */
bool read(std::string_view bytes, File &file, Problems &problems);

/* read_tensor() - reads a file with one TensorProto, like those of the tests of the ONNX project. */
bool read_tensor(std::string_view bytes, File &file, Tensor &tensor, Problems &problems);

} // namespace models::onnx
