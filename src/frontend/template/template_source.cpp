#include "dse/frontend/template/template_source.hpp"

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"
#include "dse/config/reader.hpp"
#include "dse/config/require_kind.hpp"

namespace dse::frontend {
namespace {

using config::Diagnostics;
using config::Node;
using config::Reader;
using config::require_kind;

std::vector<std::string> texts(const Node& node, std::string_view wanted, Diagnostics& diagnostics) {
    std::vector<std::string> result;
    if (!require_kind(node, Node::Kind::sequence, wanted, diagnostics)) return result;
    for (const Node& item : node.items()) {
        if (require_kind(item, Node::Kind::scalar, "text", diagnostics)) result.push_back(item.text());
    }
    return result;
}

std::optional<graph::MeshAxis> axis_of(std::string_view name) {
    for (std::size_t i = 0; i < graph::mesh_axis_count; ++i) {
        const auto axis = static_cast<graph::MeshAxis>(i);
        if (graph::short_name(axis) == name) return axis;
    }
    return std::nullopt;
}

/// Adds the axes of "tp" or "cp, tp".
void add_axes(std::string_view text, const Node& node, graph::AxisSet& axes, Diagnostics& diagnostics) {
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        std::string_view word = text.substr(0, comma);
        while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
        while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
        const auto axis = axis_of(word);
        // Templates cannot declare splits over these axes: rows of experts are split over edp automatically,
        // and stages and replicas do not split tensors.
        constexpr graph::AxisSet never = graph::AxisSet{graph::MeshAxis::pipeline} |
                                         graph::MeshAxis::replica | graph::MeshAxis::expert_data;
        if (!axis || never.contains(*axis)) {
            diagnostics.error(node.location(), node.path(),
                              fmt::format("'{}' is not a mesh axis that splits tensors{}", word,
                                          suggestion(word, {"tp", "cp", "dp", "ep", "etp"})));
        } else {
            axes = axes | *axis;
        }
        text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    }
}

/// "tp", "tp if sequence_parallel": one entry of a split.
TemplateSource::Split read_axes(const std::string& text, const Node& node, TemplateSource::Split split,
                                Diagnostics& diagnostics) {
    const std::size_t condition = text.find(" if ");
    add_axes(std::string_view{text}.substr(0, condition), node, split.axes, diagnostics);
    if (condition != std::string::npos) split.condition = text.substr(condition + 4);
    return split;
}

void read_split(const config::Node::Entry& entry, std::size_t rank,
                std::vector<TemplateSource::Split>& splits, Diagnostics& diagnostics) {
    TemplateSource::Split split;
    split.where = entry.location;
    const std::string& key = entry.key;
    const auto [end, status] = std::from_chars(key.data(), key.data() + key.size(), split.dimension);
    if (status != std::errc{} || end != key.data() + key.size() || split.dimension >= rank) {
        diagnostics.error(
            entry.location, entry.value.path(),
            fmt::format("'{}' is not a dimension of a tensor with {} (they count from 0)", key, rank));
        split.dimension = 0;
    }
    std::vector<std::string> entries;
    if (entry.value.is_sequence()) {
        entries = texts(entry.value, "a list of mesh axes", diagnostics);
    } else if (require_kind(entry.value, Node::Kind::scalar, "a mesh axis", diagnostics)) {
        entries = {entry.value.text()};
    }
    graph::AxisSet named;
    for (const std::string& text : entries) {
        splits.push_back(read_axes(text, entry.value, split, diagnostics));
        named = named | splits.back().axes;
    }
    if (named.empty() && diagnostics.ok())
        diagnostics.error(entry.location, entry.value.path(), "names no mesh axis");
}

TemplateSource::TensorText read_tensor(const std::string& name, const Node& node,
                                       const config::Location& where, Diagnostics& diagnostics) {
    TemplateSource::TensorText tensor;
    tensor.name = name;
    tensor.where = where;
    if (!require_kind(node, Node::Kind::map, "a map with the tensor's shape", diagnostics)) return tensor;
    Reader reader(node, nullptr, diagnostics);
    reader.optional("when", tensor.condition, "");
    reader.optional("tied", tensor.tied, "");
    reader.optional("sparse", tensor.sparse, "");
    if (const Node* shape = reader.take("shape")) {
        tensor.shape = texts(*shape, "a list of dimensions", diagnostics);
    } else {
        diagnostics.error(where, node.path(), "a tensor has a shape");
    }
    if (const Node* split = reader.take("split")) {
        if (require_kind(*split, Node::Kind::map, "a map from dimension to mesh axes", diagnostics)) {
            for (const Node::Entry& entry : split->entries()) {
                read_split(entry, tensor.shape.size(), tensor.splits, diagnostics);
            }
        }
    }
    std::string storage = "activation";
    reader.optional("storage", storage, "");
    if (storage == "index") {
        tensor.storage = Storage::index;
    } else if (storage == "full") {
        tensor.storage = Storage::full;
    } else if (storage != "activation") {
        diagnostics.error(node.location(), node.path(),
                          fmt::format("unknown storage '{}'{}", storage,
                                      suggestion(storage, {"activation", "full", "index"})));
    }
    reader.finish();
    return tensor;
}

std::vector<TemplateSource::TensorText> read_tensors(const Node* node, Diagnostics& diagnostics) {
    std::vector<TemplateSource::TensorText> tensors;
    if (node == nullptr || !require_kind(*node, Node::Kind::map, "a map of tensors", diagnostics))
        return tensors;
    for (const Node::Entry& entry : node->entries()) {
        tensors.push_back(read_tensor(entry.key, entry.value, entry.location, diagnostics));
    }
    return tensors;
}

void read_lines(const Node& node, const std::string& condition, std::vector<TemplateSource::Line>& lines,
                Diagnostics& diagnostics) {
    if (!require_kind(node, Node::Kind::sequence, "a list of operators", diagnostics)) return;
    for (const Node& item : node.items()) {
        if (item.is_scalar()) {
            lines.push_back({item.text(), condition, item.location()});
            continue;
        }
        if (!require_kind(item, Node::Kind::map, "an operator or a group with `when` and `operators`",
                          diagnostics))
            continue;
        Reader reader(item, nullptr, diagnostics);
        std::string when;
        reader.required("when", when, "");
        if (const Node* group = reader.take("operators")) {
            if (!condition.empty()) when = fmt::format("({}) and ({})", condition, when);
            read_lines(*group, when, lines, diagnostics);
        }
        reader.finish();
    }
}

TemplateSource::Block read_block(const Node::Entry& entry, Diagnostics& diagnostics) {
    TemplateSource::Block block;
    block.name = entry.key;
    block.where = entry.location;
    if (!require_kind(entry.value, Node::Kind::map, "a block", diagnostics)) return block;
    Reader reader(entry.value, nullptr, diagnostics);
    if (const Node* symbols = reader.take("symbols")) {
        block.symbols = texts(*symbols, "a list of names", diagnostics);
    }
    if (const Node* boundary = reader.take("boundary")) {
        block.boundary = read_tensor("x", *boundary, boundary->location(), diagnostics);
    }
    block.inputs = read_tensors(reader.take("inputs"), diagnostics);
    block.parameters = read_tensors(reader.take("parameters"), diagnostics);
    if (const Node* operators = reader.take("operators")) {
        read_lines(*operators, "", block.lines, diagnostics);
    } else {
        diagnostics.error(entry.location, entry.value.path(), "a block has operators");
    }
    reader.optional("output", block.output, "");
    if (const Node* recompute = reader.take("recompute")) {
        block.recomputable = true;
        Reader inner(*recompute, nullptr, diagnostics);
        if (const Node* selective = inner.take("selective")) {
            block.selective = texts(*selective, "a list of tensors", diagnostics);
        }
        inner.finish();
    }
    reader.finish();
    return block;
}

}  // namespace

const TemplateSource::Block* TemplateSource::find(std::string_view name) const {
    for (const Block& block : blocks) {
        if (block.name == name) return &block;
    }
    return nullptr;
}

std::vector<std::string> TemplateSource::block_names() const {
    std::vector<std::string> names;
    for (const Block& block : blocks) names.push_back(block.name);
    return names;
}

TemplateSource read_template(const Node& node, Diagnostics& diagnostics) {
    TemplateSource source;
    if (node.location().file) source.file = *node.location().file;
    Reader reader(node, nullptr, diagnostics);
    std::string text;
    reader.optional("name", text, "");
    reader.optional("description", text, "");
    if (const Node* symbols = reader.take("symbols")) {
        source.symbols = texts(*symbols, "a list of names", diagnostics);
    }
    if (const Node* boundary = reader.take("boundary")) {
        source.boundary = read_tensor("x", *boundary, boundary->location(), diagnostics);
    } else {
        diagnostics.error(node.location(), "boundary", "a template says what passes between its blocks");
    }
    const Node* blocks = reader.take("blocks");
    if (blocks == nullptr) {
        diagnostics.error(node.location(), "blocks", "a template has blocks");
    } else if (require_kind(*blocks, Node::Kind::map, "a map of blocks", diagnostics)) {
        for (const Node::Entry& entry : blocks->entries())
            source.blocks.push_back(read_block(entry, diagnostics));
    }
    reader.finish();
    return source;
}

}  // namespace dse::frontend
