// SPDX-License-Identifier: MIT
/*
 * DOC: Reader of ONNX files
 *
 * The few messages of onnx.proto that a model has, read off the wire. Unknown fields are skipped, so newer versions of
 * the format are readable. A file is not trusted: each length is checked before use, graphs nest a bounded number of
 * times, and what is allocated stays in proportion to the file.
 */
#include "file.h"

#include "wire.h"

namespace models::onnx {

namespace {

constexpr unsigned MOST_NESTED = 16;
constexpr uint64_t FREE_BYTES = 64 << 20;
constexpr uint64_t BYTES_PER_BYTE = 4;

/* class Reader - reads one file. Its functions return false if the bytes are no such message, or if there are too
 * many. */
class Reader {
public:
	Reader(std::string_view bytes, File &file)
		: file_(file), budget_(FREE_BYTES + BYTES_PER_BYTE * bytes.size())
	{
	}

	bool read_model(std::string_view bytes);
	bool read_tensor(std::string_view bytes, Tensor &tensor);
	const char *reason() const { return reason_; }

private:
	/* struct Typed - elements of a tensor that are stored as fields of its message. */
	struct Typed {
		std::string words; /* the bytes of float_data or double_data */
		std::vector<int64_t> integers;
	};

	bool fail(const char *reason)
	{
		reason_ = reason;
		return false;
	}
	bool end(const Wire &wire) { return !wire.is_broken() || fail("its bytes are no message"); }

	/* charge() - counts bytes that will be allocated. It fails if there are too many. */
	bool charge(uint64_t bytes)
	{
		if (bytes > budget_)
			return fail("it has more parts than its size allows");
		budget_ -= bytes;
		return true;
	}

	/* add() - appends an element. @place: receives its address */
	template <class T> bool add(std::vector<T> &list, T *&place)
	{
		if (!charge(2 * sizeof(T)))
			return false;
		place = &list.emplace_back();
		return true;
	}
	bool add_text(std::vector<std::string_view> &list, const Wire &wire)
	{
		std::string_view *place;
		if (!wire.is_bytes() || !add(list, place))
			return wire.is_bytes() || fail("a text is no text");
		*place = wire.bytes();
		return true;
	}

	bool add_integers(std::vector<int64_t> &list, const Wire &wire);
	bool add_words(std::string &words, const Wire &wire, size_t size);
	bool read_opset(std::string_view bytes, Opset &opset);
	bool read_property(std::string_view bytes, Property &property);
	bool read_graph(std::string_view bytes, Graph &graph);
	bool read_node(std::string_view bytes, Node &node);
	bool read_attribute(std::string_view bytes, Attribute &attribute);
	bool read_attribute_field(const Wire &wire, Attribute &attribute);
	bool read_tensor_field(const Wire &wire, Tensor &tensor, Typed &typed);
	bool read_external(std::string_view bytes, Tensor &tensor);
	bool convert(Tensor &tensor, Typed &typed);
	bool read_info(std::string_view bytes, Info &info);
	bool read_type(std::string_view bytes, Info &info);
	bool read_shape(std::string_view bytes, Info &info);
	bool read_function(std::string_view bytes, Function &function);

	/* read_each() - reads a message and appends it to a list. */
	template <class T>
	bool read_each(const Wire &wire, std::vector<T> &list,
		       bool (Reader::*read)(std::string_view, T &))
	{
		T *place;
		if (!wire.is_bytes())
			return fail("a message is no message");
		return add(list, place) && (this->*read)(wire.bytes(), *place);
	}

	File &file_;
	uint64_t budget_;
	unsigned depth_ = 0;
	const char *reason_ = "its bytes are no message";
};

bool Reader::add_integers(std::vector<int64_t> &list, const Wire &wire)
{
	int64_t *place;
	if (wire.is_varint()) {
		if (!add(list, place))
			return false;
		*place = wire.integer();
		return true;
	}
	if (!wire.is_bytes())
		return fail("an integer is no integer");
	for (std::string_view rest = wire.bytes(); !rest.empty();) {
		uint64_t value;
		if (!Wire::varint(rest, value))
			return fail("an integer is no integer");
		if (!add(list, place))
			return false;
		*place = static_cast<int64_t>(value);
	}
	return true;
}

/* Reads numbers of @size bytes, which are packed, or in one field each. */
bool Reader::add_words(std::string &words, const Wire &wire, size_t size)
{
	if (wire.is_bytes()) {
		if (wire.bytes().size() % size != 0)
			return fail("a list of numbers is cut off");
		if (!charge(2 * wire.bytes().size()))
			return false;
		words.append(wire.bytes());
		return true;
	}
	const uint64_t bits = wire.number();
	if (wire.kind() != (size == 4 ? Wire::Kind::FIXED32 : Wire::Kind::FIXED64))
		return fail("a number is no number");
	if (!charge(2 * size))
		return false;
	words.append(reinterpret_cast<const char *>(&bits), size);
	return true;
}

bool Reader::read_opset(std::string_view bytes, Opset &opset)
{
	Wire wire(bytes);
	while (wire.next()) {
		if (wire.field() == 1 && wire.is_bytes())
			opset.domain = wire.bytes();
		if (wire.field() == 2 && wire.is_varint())
			opset.version = wire.integer();
	}
	return end(wire);
}

bool Reader::read_property(std::string_view bytes, Property &property)
{
	Wire wire(bytes);
	while (wire.next()) {
		if (wire.field() == 1 && wire.is_bytes())
			property.key = wire.bytes();
		if (wire.field() == 2 && wire.is_bytes())
			property.value = wire.bytes();
	}
	return end(wire);
}

bool Reader::read_external(std::string_view bytes, Tensor &tensor)
{
	Property property;
	if (!read_property(bytes, property))
		return false;
	if (property.key == "location")
		tensor.location = property.value;
	if (property.key != "offset" && property.key != "length")
		return true;
	uint64_t value = 0;
	for (const char c : property.value)
		if (c < '0' || c > '9' || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, static_cast<unsigned>(c - '0'), &value))
			return fail("the place of external data is no number");
	if (property.key == "offset")
		tensor.offset = value;
	else
		tensor.length = value;
	return true;
}

bool Reader::read_tensor_field(const Wire &wire, Tensor &tensor, Typed &typed)
{
	switch (wire.field()) {
	case 1:
		return add_integers(tensor.dims, wire);
	case 2:
		tensor.type = static_cast<int32_t>(wire.number());
		return true;
	case 4:
		return add_words(typed.words, wire, 4);
	case 10:
		return add_words(typed.words, wire, 8);
	case 5:
	case 7:
	case 11:
		return add_integers(typed.integers, wire);
	case 6:
		return add_text(tensor.texts, wire);
	case 8:
		tensor.name = wire.is_bytes() ? wire.bytes() : tensor.name;
		return true;
	case 9:
		tensor.bytes = wire.is_bytes() ? wire.bytes() : tensor.bytes;
		return true;
	case 13:
		return !wire.is_bytes() || read_external(wire.bytes(), tensor);
	case 14:
		tensor.is_external = wire.is_varint() && wire.number() == 1;
		return true;
	}
	return true;
}

/* element_bytes() - the element size of types whose elements may be stored as integer fields; 0 for other types. */
size_t element_bytes(int32_t type)
{
	switch (type) {
	case 2:
	case 3:
	case 9:
		return 1;
	case 4:
	case 5:
	case 10:
	case 16:
		return 2;
	case 6:
	case 12:
		return 4;
	case 7:
	case 13:
		return 8;
	}
	return 0;
}

/* Converts elements that are stored as fields to raw data. */
bool Reader::convert(Tensor &tensor, Typed &typed)
{
	if (!tensor.bytes.empty() || (typed.words.empty() && typed.integers.empty()))
		return true;
	std::string bytes = std::move(typed.words);
	const size_t size = element_bytes(tensor.type);
	if (!typed.integers.empty() && size == 0)
		return fail("a tensor has integers that its type can't have");
	if (!charge(typed.integers.size() * size))
		return false;
	for (const int64_t value : typed.integers)
		bytes.append(reinterpret_cast<const char *>(&value), size);
	tensor.bytes = file_.converted->emplace_back(std::move(bytes));
	return true;
}

bool Reader::read_tensor(std::string_view bytes, Tensor &tensor)
{
	Typed typed;
	Wire wire(bytes);
	while (wire.next())
		if (!read_tensor_field(wire, tensor, typed))
			return false;
	return end(wire) && convert(tensor, typed);
}

bool Reader::read_attribute_field(const Wire &wire, Attribute &attribute)
{
	switch (wire.field()) {
	case 1:
		attribute.name = wire.is_bytes() ? wire.bytes() : attribute.name;
		return true;
	case 2: {
		const auto bits = static_cast<uint32_t>(wire.number());
		std::memcpy(&attribute.real, &bits, sizeof(bits));
		return true;
	}
	case 3:
		attribute.integer = wire.integer();
		return true;
	case 4:
		attribute.text = wire.is_bytes() ? wire.bytes() : attribute.text;
		return true;
	case 5:
		if (!charge(sizeof(Tensor)))
			return false;
		attribute.tensor = std::make_unique<Tensor>();
		return wire.is_bytes() ? read_tensor(wire.bytes(), *attribute.tensor)
				       : fail("a tensor is no tensor");
	case 6:
		if (!charge(sizeof(Graph)))
			return false;
		attribute.graph = std::make_unique<Graph>();
		return wire.is_bytes() ? read_graph(wire.bytes(), *attribute.graph)
				       : fail("a graph is no graph");
	case 7: {
		std::string words;
		if (!add_words(words, wire, sizeof(float)))
			return false;
		const size_t before = attribute.reals.size();
		attribute.reals.resize(before + words.size() / sizeof(float));
		if (!words.empty())
			std::memcpy(attribute.reals.data() + before, words.data(), words.size());
		return true;
	}
	case 8:
		return add_integers(attribute.integers, wire);
	case 9:
		return add_text(attribute.texts, wire);
	case 20:
		attribute.kind = static_cast<int32_t>(wire.number());
		return true;
	case 21:
		attribute.reference = wire.is_bytes() ? wire.bytes() : attribute.reference;
		return true;
	}
	return true;
}

bool Reader::read_attribute(std::string_view bytes, Attribute &attribute)
{
	Wire wire(bytes);
	while (wire.next())
		if (!read_attribute_field(wire, attribute))
			return false;
	return end(wire);
}

bool Reader::read_node(std::string_view bytes, Node &node)
{
	Wire wire(bytes);
	while (wire.next()) {
		bool is_good = true;
		if (wire.field() == 1)
			is_good = add_text(node.inputs, wire);
		else if (wire.field() == 2)
			is_good = add_text(node.outputs, wire);
		else if (wire.field() == 5)
			is_good = read_each(wire, node.attributes, &Reader::read_attribute);
		else if (wire.field() == 3 && wire.is_bytes())
			node.name = wire.bytes();
		else if (wire.field() == 4 && wire.is_bytes())
			node.type = wire.bytes();
		else if (wire.field() == 7 && wire.is_bytes())
			node.domain = wire.bytes();
		if (!is_good)
			return false;
	}
	return end(wire);
}

bool Reader::read_shape(std::string_view bytes, Info &info)
{
	Wire wire(bytes);
	info.has_shape = true;
	while (wire.next()) {
		Dim *dim;
		if (wire.field() != 1 || !wire.is_bytes())
			continue;
		if (!add(info.dims, dim))
			return false;
		Wire inner(wire.bytes());
		while (inner.next()) {
			if (inner.field() == 1 && inner.is_varint())
				dim->size = inner.integer();
			if (inner.field() == 2 && inner.is_bytes())
				dim->name = inner.bytes();
		}
		if (!end(inner))
			return false;
	}
	return end(wire);
}

/* Reads a TypeProto, in which a nested message has the type of a tensor. */
bool Reader::read_type(std::string_view bytes, Info &info)
{
	Wire wire(bytes);
	while (wire.next()) {
		if (wire.field() != 1 || !wire.is_bytes())
			continue;
		info.is_tensor = true;
		Wire inner(wire.bytes());
		while (inner.next()) {
			if (inner.field() == 1 && inner.is_varint())
				info.type = static_cast<int32_t>(inner.number());
			if (inner.field() == 2 && inner.is_bytes() &&
			    !read_shape(inner.bytes(), info))
				return false;
		}
		if (!end(inner))
			return false;
	}
	return end(wire);
}

bool Reader::read_info(std::string_view bytes, Info &info)
{
	Wire wire(bytes);
	while (wire.next()) {
		if (wire.field() == 1 && wire.is_bytes())
			info.name = wire.bytes();
		if (wire.field() == 2 && wire.is_bytes() && !read_type(wire.bytes(), info))
			return false;
	}
	return end(wire);
}

bool Reader::read_graph(std::string_view bytes, Graph &graph)
{
	if (depth_ == MOST_NESTED)
		return fail("its graphs nest more than 16 times");
	depth_++;
	Wire wire(bytes);
	while (wire.next()) {
		bool is_good = true;
		switch (wire.field()) {
		case 1:
			is_good = read_each(wire, graph.nodes, &Reader::read_node);
			break;
		case 2:
			graph.name = wire.is_bytes() ? wire.bytes() : graph.name;
			break;
		case 5:
			is_good = read_each(wire, graph.initializers, &Reader::read_tensor);
			break;
		case 11:
			is_good = read_each(wire, graph.inputs, &Reader::read_info);
			break;
		case 12:
			is_good = read_each(wire, graph.outputs, &Reader::read_info);
			break;
		case 13:
			is_good = read_each(wire, graph.values, &Reader::read_info);
			break;
		case 15:
			graph.has_sparse = true;
			break;
		}
		if (!is_good)
			return false;
	}
	depth_--;
	return end(wire);
}

bool Reader::read_function(std::string_view bytes, Function &function)
{
	Wire wire(bytes);
	while (wire.next()) {
		bool is_good = true;
		switch (wire.field()) {
		case 1:
			function.name = wire.is_bytes() ? wire.bytes() : function.name;
			break;
		case 4:
			is_good = add_text(function.inputs, wire);
			break;
		case 5:
			is_good = add_text(function.outputs, wire);
			break;
		case 6:
			is_good = add_text(function.attributes, wire);
			break;
		case 7:
			is_good = read_each(wire, function.nodes, &Reader::read_node);
			break;
		case 9:
			is_good = read_each(wire, function.opsets, &Reader::read_opset);
			break;
		case 10:
			function.domain = wire.is_bytes() ? wire.bytes() : function.domain;
			break;
		case 11:
			is_good = read_each(wire, function.defaults, &Reader::read_attribute);
			break;
		}
		if (!is_good)
			return false;
	}
	return end(wire);
}

bool Reader::read_model(std::string_view bytes)
{
	Wire wire(bytes);
	while (wire.next()) {
		bool is_good = true;
		switch (wire.field()) {
		case 1:
			file_.version = wire.integer();
			break;
		case 2:
			file_.producer = wire.is_bytes() ? wire.bytes() : file_.producer;
			break;
		case 3:
			file_.producer_version =
				wire.is_bytes() ? wire.bytes() : file_.producer_version;
			break;
		case 7:
			is_good =
				wire.is_bytes() && read_graph(wire.bytes(), file_.graph.emplace());
			break;
		case 8:
			is_good = read_each(wire, file_.opsets, &Reader::read_opset);
			break;
		case 14:
			is_good = read_each(wire, file_.properties, &Reader::read_property);
			break;
		case 25:
			is_good = read_each(wire, file_.functions, &Reader::read_function);
			break;
		}
		if (!is_good)
			return false;
	}
	return end(wire);
}

} // namespace

bool read(std::string_view bytes, File &file, Problems &problems)
{
	Reader reader(bytes, file);
	if (!reader.read_model(bytes))
		return problems.add(no_model, std::string("the file is no ONNX model: ") +
						      reader.reason() +
						      "; --framework=5 takes an ONNX file");
	if (!file.graph || file.opsets.empty())
		return problems.add(no_model,
				    "the file is no ONNX model: it has no graph or no opset; "
				    "--framework=5 takes an ONNX file");
	return true;
}

bool read_tensor(std::string_view bytes, File &file, Tensor &tensor, Problems &problems)
{
	Reader reader(bytes, file);
	return reader.read_tensor(bytes, tensor) ||
	       problems.add(no_model, std::string("the file is no tensor: ") + reader.reason());
}

} // namespace models::onnx
