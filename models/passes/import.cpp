// SPDX-License-Identifier: MIT
/*
 * DOC: Pass: import
 *
 * Replaces names by indices. It checks everything that the reader did not: types, dims, sizes of constants, and
 * that each value is written once, before it is read. Exporters write nodes in any order, so it sorts them.
 */
#include "import.h"

#include <map>
#include <unordered_map>
#include <unordered_set>

#include "models/ir/type.h"

namespace models {

namespace {

using ir::ABSENT;

/* Scope - the values of a body by name. @outer: the scope of the body around it */
struct Scope {
	const Scope *outer = nullptr;
	std::unordered_map<std::string_view, int32_t> values;

	int32_t find(std::string_view name) const
	{
		for (const Scope *scope = this; scope; scope = scope->outer)
			if (const auto at = scope->values.find(name); at != scope->values.end())
				return at->second;
		return ABSENT;
	}
};

/* struct Call - the function whose nodes are imported, and the node that stands for them. */
struct Call {
	const onnx::Function *function = nullptr;
	const onnx::Node *node = nullptr;
	const Call *outer = nullptr;
	std::string prefix;
	unsigned depth = 0;
};

/* class Importer - one file. */
class Importer {
	static constexpr size_t FREE_BYTES = 32 << 20;
	static constexpr size_t BYTES_PER_BYTE = 16;

public:
	/* @file_bytes: the size of the file */
	Importer(const onnx::File &file, size_t file_bytes, std::string folder, Problems &problems)
		: file_(file), budget_(FREE_BYTES + BYTES_PER_BYTE * file_bytes),
		  folder_(std::move(folder)), problems_(problems)
	{
		for (const onnx::Function &function : file.functions)
			functions_.emplace(std::pair(domain_of(function.domain), function.name),
					   &function);
	}

	std::unique_ptr<ir::Model> run();

private:
	static std::string_view domain_of(std::string_view domain)
	{
		return domain == "ai.onnx" ? std::string_view() : domain;
	}
	bool fail(std::string text) { return problems_.add(bad_model, std::move(text)); }

	/* charge() - counts bytes that a call of a function makes. The rest of a model is as large as its part of the
	 * file; calls of functions that call functions are not. */
	bool charge(const Call &call, size_t bytes)
	{
		if (!call.function)
			return true;
		if (bytes > budget_)
			return fail("the calls of functions make the model much larger than its "
				    "file; export it without them");
		budget_ -= bytes;
		return true;
	}

	int32_t add_value(std::string name);
	int32_t define(Scope &scope, std::string_view name, const std::string &prefix);
	bool describe_value(int32_t value, const onnx::Info &info);
	int32_t add_constant(const onnx::Tensor &tensor);
	bool find_bytes(const onnx::Tensor &tensor, std::string_view &bytes);
	bool import_body(const onnx::Graph &graph, const Scope *outer, const Call &call,
			 int32_t body, unsigned depth);
	bool import_initializers(const onnx::Graph &graph, Scope &scope, const Call &call);
	bool import_nodes(const std::vector<onnx::Node> &nodes, Scope &scope, const Call &call,
			  int32_t body, unsigned depth);
	bool import_node(const onnx::Node &node, Scope &scope, const Call &call, int32_t body,
			 unsigned depth);
	bool import_constant(const onnx::Node &node, const Scope &scope, const Call &call);
	bool import_call(const onnx::Function &function, const onnx::Node &node, Scope &scope,
			 const Call &call, int32_t body, unsigned depth);
	bool import_attribute(const onnx::Attribute &from, ir::Attribute &to, const Scope &scope,
			      const Call &call, unsigned depth);
	const onnx::Attribute *resolve(const onnx::Attribute &attribute, const Call &call) const;
	int32_t version_of(std::string_view domain, const Call &call) const;
	bool sort(int32_t body);
	void collect_reads(const ir::Node &node, std::vector<int32_t> &reads, unsigned depth) const;

	const onnx::File &file_;
	size_t budget_;
	const std::string folder_;
	Problems &problems_;
	std::map<std::pair<std::string_view, std::string_view>, const onnx::Function *> functions_;
	std::map<std::string, std::shared_ptr<const MappedFile>, std::less<>> external_;
	std::unique_ptr<ir::Model> model_ = std::make_unique<ir::Model>();
	size_t nodes_ = 0;
};

int32_t Importer::add_value(std::string name)
{
	model_->values.emplace_back().name = std::move(name);
	return static_cast<int32_t>(model_->values.size() - 1);
}

/* Return: ABSENT if the scope has the name already; the problem is then added. */
int32_t Importer::define(Scope &scope, std::string_view name, const std::string &prefix)
{
	if (model_->values.size() >= ir::MOST_VALUES) {
		fail("the model has more than " + std::to_string(ir::MOST_VALUES) + " values");
		return ABSENT;
	}
	const auto [at, is_new] = scope.values.try_emplace(name, ABSENT);
	if (!is_new) {
		fail("the value " + std::string(name) + " is written more than once");
		return ABSENT;
	}
	at->second = add_value(prefix + std::string(name));
	return at->second;
}

bool Importer::describe_value(int32_t value, const onnx::Info &info)
{
	ir::Value &described = model_->values[static_cast<size_t>(value)];
	const ir::TypeRow *row = ir::find_type(info.type);
	if (!info.is_tensor || !row)
		return fail("the value " + std::string(info.name) +
			    (info.is_tensor
				     ? " has the type number " + std::to_string(info.type) +
					       ", which is no type of tensors here"
				     : std::string(" is no tensor; sequences, maps and optional "
						   "values are not supported")));
	described.type = row->type;
	described.has_dims = info.has_shape && info.dims.size() <= ir::MAX_RANK;
	if (info.dims.size() > ir::MAX_RANK)
		return fail("the value " + std::string(info.name) + " has " +
			    std::to_string(info.dims.size()) + " dims; 8 are possible");
	described.dims = {};
	for (const onnx::Dim &dim : info.dims) {
		if (dim.size > ir::MOST_ELEMENTS)
			return fail("the value " + std::string(info.name) + " has a dim of " +
				    std::to_string(dim.size) + "; at most " +
				    std::to_string(ir::MOST_ELEMENTS) + " is possible");
		described.dims.push(dim.size < 0 ? ir::UNKNOWN : dim.size);
	}
	return true;
}

/* Finds the elements of a tensor, in the file or in an external one. */
bool Importer::find_bytes(const onnx::Tensor &tensor, std::string_view &bytes)
{
	bytes = tensor.bytes;
	if (!tensor.is_external)
		return true;
	auto at = external_.find(tensor.location);
	if (at == external_.end()) {
		auto opened = MappedFile::open_beside(folder_, tensor.location, problems_);
		if (opened)
			model_->kept.push_back(opened);
		at = external_.emplace(std::string(tensor.location), std::move(opened)).first;
	}
	if (!at->second)
		return false;
	const std::string_view all = at->second->bytes();
	if (tensor.offset > all.size() ||
	    tensor.length.value_or(0) > all.size() - static_cast<size_t>(tensor.offset))
		return fail("the constant " + std::string(tensor.name) + " ends behind the file " +
			    std::string(tensor.location));
	bytes = all.substr(static_cast<size_t>(tensor.offset),
			   tensor.length ? static_cast<size_t>(*tensor.length)
					 : std::string_view::npos);
	return true;
}

int32_t Importer::add_constant(const onnx::Tensor &tensor)
{
	const std::string name = "the constant " + std::string(tensor.name);
	const ir::TypeRow *row = ir::find_type(tensor.type);
	std::string_view bytes;
	if (!row) {
		fail(name + " has the type number " + std::to_string(tensor.type) +
		     ", which is no type of tensors here");
		return ABSENT;
	}
	if (tensor.dims.size() > ir::MAX_RANK) {
		fail(name + " has " + std::to_string(tensor.dims.size()) + " dims; 8 are possible");
		return ABSENT;
	}
	const std::optional<int64_t> elements = ir::count(tensor.dims);
	if (!elements) {
		fail(name + " has the shape " + ir::print(tensor.dims) + ", which is no shape");
		return ABSENT;
	}
	if (!find_bytes(tensor, bytes))
		return ABSENT;
	const auto wanted = static_cast<uint64_t>(*elements * row->bytes);
	if (row->type != ir::Type::STRING && bytes.size() != wanted) {
		fail(name + ", " + row->name + " " + ir::print(tensor.dims) + ", has " +
		     std::to_string(bytes.size()) + " bytes in place of " + std::to_string(wanted));
		return ABSENT;
	}
	model_->constants.push_back({row->type, ir::Dims(tensor.dims), bytes});
	return static_cast<int32_t>(model_->constants.size() - 1);
}

bool Importer::import_initializers(const onnx::Graph &graph, Scope &scope, const Call &call)
{
	bool is_good = true;
	if (graph.has_sparse)
		is_good = fail("the model has sparse constants; write them as dense ones");
	for (const onnx::Tensor &tensor : graph.initializers) {
		const int32_t constant = add_constant(tensor);
		/* In files before IR version 4 each constant is also an input; define() then finds the value of
		 * that input. */
		const int32_t value = define(scope, tensor.name, call.prefix);
		if (constant == ABSENT || value == ABSENT) {
			is_good = false;
			continue;
		}
		ir::Value &written = model_->values[static_cast<size_t>(value)];
		const ir::Constant &made = model_->constants[static_cast<size_t>(constant)];
		written.constant = constant;
		written.type = made.type;
		written.dims = made.dims;
		written.has_dims = true;
	}
	return is_good;
}

int32_t Importer::version_of(std::string_view domain, const Call &call) const
{
	const std::vector<onnx::Opset> &opsets = call.function && !call.function->opsets.empty()
							 ? call.function->opsets
							 : file_.opsets;
	for (const onnx::Opset &opset : opsets)
		if (domain_of(opset.domain) == domain && opset.version > 0 && opset.version < 10000)
			return static_cast<int32_t>(opset.version);
	return 0;
}

/* In a function, an attribute may refer to an attribute of the node that calls the function. Return: nullptr if
 * there is none. */
const onnx::Attribute *Importer::resolve(const onnx::Attribute &attribute, const Call &call) const
{
	if (attribute.reference.empty() || !call.node)
		return &attribute;
	for (const onnx::Attribute &given : call.node->attributes)
		if (given.name == attribute.reference)
			return call.outer ? resolve(given, *call.outer) : &given;
	for (const onnx::Attribute &given : call.function->defaults)
		if (given.name == attribute.reference)
			return &given;
	return nullptr;
}

bool Importer::import_attribute(const onnx::Attribute &from, ir::Attribute &to, const Scope &scope,
				const Call &call, unsigned depth)
{
	using Kind = ir::Attribute::Kind;
	if (!charge(call, sizeof(ir::Attribute) + from.integers.size() * sizeof(int64_t) +
				  from.reals.size() * sizeof(float) + from.text.size() +
				  from.texts.size() * sizeof(std::string)))
		return false;
	if ((from.kind == onnx::Attribute::TENSOR && !from.tensor) ||
	    (from.kind == onnx::Attribute::GRAPH && !from.graph))
		return fail("the attribute " + std::string(from.name) +
			    " has no value of its kind");
	switch (from.kind) {
	case onnx::Attribute::INTEGER:
		to.integers = {from.integer};
		return true;
	case onnx::Attribute::INTEGERS:
		to.integers = from.integers;
		to.is_list = true;
		return true;
	case onnx::Attribute::REAL:
		to.kind = Kind::REALS;
		to.reals = {from.real};
		return true;
	case onnx::Attribute::REALS:
		to.kind = Kind::REALS;
		to.reals = from.reals;
		to.is_list = true;
		return true;
	case onnx::Attribute::TEXT:
		to.kind = Kind::TEXTS;
		to.texts = {std::string(from.text)};
		return true;
	case onnx::Attribute::TEXTS:
		to.kind = Kind::TEXTS;
		to.texts.assign(from.texts.begin(), from.texts.end());
		to.is_list = true;
		return true;
	case onnx::Attribute::TENSOR:
		to.kind = Kind::CONSTANT;
		to.index = add_constant(*from.tensor);
		return to.index != ABSENT;
	case onnx::Attribute::GRAPH:
		to.kind = Kind::BODY;
		to.index = static_cast<int32_t>(model_->bodies.size());
		model_->bodies.emplace_back();
		return import_body(*from.graph, &scope, call, to.index, depth + 1);
	default:
		return fail("the attribute " + std::string(from.name) + " has the kind " +
			    std::to_string(from.kind) + ", which no operator here takes");
	}
}

/* A node Constant is a value without a node. */
bool Importer::import_constant(const onnx::Node &node, const Scope &scope, const Call &call)
{
	const int32_t value = node.outputs.size() == 1 ? scope.find(node.outputs[0]) : ABSENT;
	if (value == ABSENT || node.attributes.size() != 1)
		return fail("the node Constant " + std::string(node.name) +
			    " must have one attribute and one output");
	const onnx::Attribute *from = resolve(node.attributes[0], call);
	int32_t constant = ABSENT;
	const auto make = [&](ir::Type type, size_t count, const void *data, bool is_list) {
		const auto bytes = static_cast<size_t>(ir::type_bytes(type)) * count;
		constant = model_->add_constant(
			type, is_list ? ir::Dims{static_cast<int64_t>(count)} : ir::Dims{},
			std::string(static_cast<const char *>(data), bytes));
	};
	if (from && from->name == "value" && from->tensor)
		constant = add_constant(*from->tensor);
	else if (from && from->kind == onnx::Attribute::REAL)
		make(ir::Type::FLOAT, 1, &from->real, false);
	else if (from && from->kind == onnx::Attribute::INTEGER)
		make(ir::Type::INT64, 1, &from->integer, false);
	else if (from && from->kind == onnx::Attribute::REALS)
		make(ir::Type::FLOAT, from->reals.size(), from->reals.data(), true);
	else if (from && from->kind == onnx::Attribute::INTEGERS)
		make(ir::Type::INT64, from->integers.size(), from->integers.data(), true);
	if (constant == ABSENT)
		return fail("the node Constant " + std::string(node.name) +
			    " has a value that is no dense tensor of numbers");
	ir::Value &written = model_->values[static_cast<size_t>(value)];
	written.constant = constant;
	written.type = model_->constants[static_cast<size_t>(constant)].type;
	written.dims = model_->constants[static_cast<size_t>(constant)].dims;
	written.has_dims = true;
	return true;
}

/* Replaces a node that calls a function by the nodes of the function. */
bool Importer::import_call(const onnx::Function &function, const onnx::Node &node, Scope &scope,
			   const Call &call, int32_t body, unsigned depth)
{
	if (call.depth == ir::MOST_NESTED)
		return fail("the function " + std::string(function.name) +
			    " calls functions more than 16 times deep");
	Call inner{&function, &node, &call,
		   call.prefix +
			   std::string(node.name.empty() ? node.outputs.empty()
								   ? std::string_view("call")
								   : node.outputs[0]
							 : node.name) +
			   "/",
		   call.depth + 1};
	Scope own;
	for (size_t i = 0; i < function.inputs.size(); i++) {
		const bool is_given = i < node.inputs.size() && !node.inputs[i].empty();
		const int32_t value = is_given ? scope.find(node.inputs[i]) : ABSENT;
		if (is_given && value == ABSENT)
			return fail("the node " + std::string(node.name) + " reads the value " +
				    std::string(node.inputs[i]) + ", which nothing writes");
		if (value != ABSENT)
			own.values.emplace(function.inputs[i], value);
	}
	/* A result of the function is the value that the node writes. */
	for (size_t i = 0; i < function.outputs.size() && i < node.outputs.size(); i++)
		if (!node.outputs[i].empty())
			own.values.emplace(function.outputs[i], scope.find(node.outputs[i]));
	Scope written;
	written.outer = &own;
	for (const onnx::Node &each : function.nodes)
		for (const std::string_view name : each.outputs) {
			if (name.empty() || own.values.count(name) != 0)
				continue;
			if (!charge(inner,
				    2 * sizeof(ir::Value) + inner.prefix.size() + name.size()) ||
			    define(written, name, inner.prefix) == ABSENT)
				return false;
		}
	bool is_good = true;
	for (const onnx::Node &each : function.nodes)
		is_good &= import_node(each, written, inner, body, depth);
	return is_good;
}

bool Importer::import_node(const onnx::Node &node, Scope &scope, const Call &call, int32_t body,
			   unsigned depth)
{
	const std::string_view domain = domain_of(node.domain);
	if (++nodes_ > ir::MOST_NODES)
		return nodes_ == ir::MOST_NODES + 1 &&
		       fail("the model has more than " + std::to_string(ir::MOST_NODES) + " nodes");
	if (node.inputs.size() > ir::MOST_OPERANDS || node.outputs.size() > ir::MOST_OPERANDS)
		return fail("the node " + std::string(node.name) + " has more than " +
			    std::to_string(ir::MOST_OPERANDS) + " operands");
	if (const auto at = functions_.find({domain, node.type}); at != functions_.end())
		return import_call(*at->second, node, scope, call, body, depth);
	if (!charge(call, sizeof(ir::Node) + call.prefix.size() + node.name.size() +
				  (node.inputs.size() + node.outputs.size()) * sizeof(int32_t)))
		return false;
	if (domain.empty() && node.type == "Constant")
		return import_constant(node, scope, call);
	ir::Node made;
	made.type = node.type;
	made.domain = domain;
	made.name = node.name.empty() ? std::string(node.type) + "_" + std::to_string(nodes_ - 1)
				      : call.prefix + std::string(node.name);
	made.version = version_of(domain, call);
	bool is_good = true;
	for (const std::string_view name : node.inputs) {
		made.inputs.push_back(name.empty() ? ABSENT : scope.find(name));
		if (!name.empty() && made.inputs.back() == ABSENT)
			is_good = fail("the node " + ir::describe(made) + " reads the value " +
				       std::string(name) + ", which nothing writes");
	}
	for (const std::string_view name : node.outputs)
		made.outputs.push_back(name.empty() ? ABSENT : scope.find(name));
	for (const onnx::Attribute &attribute : node.attributes) {
		const onnx::Attribute *from = resolve(attribute, call);
		if (!from)
			continue;
		ir::Attribute &to = made.attributes.emplace_back();
		to.name = attribute.name;
		is_good &= import_attribute(*from, to, scope, call, depth);
	}
	model_->bodies[static_cast<size_t>(body)].nodes.push_back(std::move(made));
	return is_good;
}

bool Importer::import_nodes(const std::vector<onnx::Node> &nodes, Scope &scope, const Call &call,
			    int32_t body, unsigned depth)
{
	bool is_good = true;
	for (const onnx::Node &node : nodes)
		for (const std::string_view name : node.outputs)
			if (!name.empty() && define(scope, name, call.prefix) == ABSENT)
				is_good = false;
	if (!is_good)
		return false;
	for (const onnx::Node &node : nodes)
		is_good &= import_node(node, scope, call, body, depth);
	return is_good;
}

/* The values that a node reads, including those that its bodies read. */
void Importer::collect_reads(const ir::Node &node, std::vector<int32_t> &reads,
			     unsigned depth) const
{
	for (const int32_t value : node.inputs)
		if (value != ABSENT)
			reads.push_back(value);
	for (const ir::Attribute &attribute : node.attributes) {
		if (attribute.kind != ir::Attribute::Kind::BODY || depth == ir::MOST_NESTED)
			continue;
		const ir::Body &body = model_->bodies[static_cast<size_t>(attribute.index)];
		for (const ir::Node &inner : body.nodes)
			collect_reads(inner, reads, depth + 1);
		reads.insert(reads.end(), body.outputs.begin(), body.outputs.end());
	}
}

/* Brings the nodes of a body into an order in which each comes after those whose values it reads. */
bool Importer::sort(int32_t body)
{
	std::vector<ir::Node> &nodes = model_->bodies[static_cast<size_t>(body)].nodes;
	std::unordered_map<int32_t, uint32_t> writers;
	std::vector<std::vector<uint32_t>> readers(nodes.size());
	std::vector<uint32_t> missing(nodes.size()), order;
	for (uint32_t n = 0; n < nodes.size(); n++)
		for (const int32_t value : nodes[n].outputs)
			if (value != ABSENT)
				writers.emplace(value, n);
	for (uint32_t n = 0; n < nodes.size(); n++) {
		std::vector<int32_t> reads;
		collect_reads(nodes[n], reads, 0);
		for (const int32_t value : reads)
			if (const auto at = writers.find(value);
			    at != writers.end() && at->second != n) {
				readers[at->second].push_back(n);
				missing[n]++;
			}
	}
	/* Keeps the order of the file if it is valid. */
	std::vector<uint32_t> ready;
	for (uint32_t n = static_cast<uint32_t>(nodes.size()); n-- > 0;)
		if (missing[n] == 0)
			ready.push_back(n);
	while (!ready.empty()) {
		const uint32_t n = ready.back();
		ready.pop_back();
		order.push_back(n);
		for (auto at = readers[n].rbegin(); at != readers[n].rend(); ++at)
			if (--missing[*at] == 0)
				ready.push_back(*at);
	}
	if (order.size() != nodes.size())
		return fail("the nodes of the model form a circle");
	std::vector<ir::Node> sorted;
	sorted.reserve(nodes.size());
	for (const uint32_t n : order)
		sorted.push_back(std::move(nodes[n]));
	nodes = std::move(sorted);
	return true;
}

bool Importer::import_body(const onnx::Graph &graph, const Scope *outer, const Call &call,
			   int32_t body, unsigned depth)
{
	Scope scope;
	scope.outer = outer;
	bool is_good = import_initializers(graph, scope, call);
	std::unordered_set<std::string_view> inputs;
	for (const onnx::Info &info : graph.inputs) {
		if (!inputs.insert(info.name).second) {
			is_good = fail("two inputs have the name " + std::string(info.name));
			continue;
		}
		if (scope.values.count(info.name) != 0)
			continue;
		const int32_t value = define(scope, info.name, call.prefix);
		if (value == ABSENT)
			return false;
		/* Types and shapes of the inputs of inner bodies follow from what calls them. */
		if (depth == 0)
			is_good &= describe_value(value, info);
		model_->bodies[static_cast<size_t>(body)].inputs.push_back(value);
	}
	is_good &= import_nodes(graph.nodes, scope, call, body, depth);
	for (const onnx::Info &info : graph.outputs) {
		const int32_t value = scope.find(info.name);
		if (value == ABSENT) {
			is_good = fail("nothing writes the result " + std::string(info.name));
			continue;
		}
		model_->bodies[static_cast<size_t>(body)].outputs.push_back(value);
	}
	return is_good && sort(body);
}

std::unique_ptr<ir::Model> Importer::run()
{
	model_->name = file_.graph->name;
	model_->producer = std::string(file_.producer);
	model_->bodies.emplace_back();
	if (!import_body(*file_.graph, nullptr, {}, 0, 0) || !problems_.empty())
		return nullptr;
	return std::move(model_);
}

} // namespace

std::unique_ptr<ir::Model> import_onnx(std::string_view bytes,
				       std::shared_ptr<const MappedFile> owner,
				       const std::string &folder, Problems &problems)
{
	onnx::File file;
	if (!onnx::read(bytes, file, problems))
		return nullptr;
	std::unique_ptr<ir::Model> model = Importer(file, bytes.size(), folder, problems).run();
	if (!model)
		return nullptr;
	model->kept.push_back(file.converted);
	if (owner)
		model->kept.push_back(std::move(owner));
	return model;
}

std::unique_ptr<ir::Model> import_onnx_file(const std::string &path, Problems &problems)
{
	std::shared_ptr<const MappedFile> file = MappedFile::open(path, problems);
	if (!file)
		return nullptr;
	const size_t slash = path.rfind('/');
	const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
	return import_onnx(file->bytes(), file, folder, problems);
}

} // namespace models
