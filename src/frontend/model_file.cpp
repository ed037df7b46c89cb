#include "dse/frontend/model_file.hpp"

#include <fmt/format.h>

#include "dse/config/reader.hpp"
#include "dse/graph/serving.hpp"

namespace dse::frontend {
namespace {

using config::Diagnostics;
using config::Node;

void read_symbols(const Node& node, ModelFile& model, Diagnostics& diagnostics) {
    if (!node.is_map()) {
        diagnostics.error(node.location(), node.path(),
                          fmt::format("expected a map, found {}", node.describe()));
        return;
    }
    for (const Node::Entry& entry : node.entries()) {
        const config::FieldInfo info{
            .path = entry.value.path(), .help = {}, .type = config::FieldType::integer};
        const auto value = config::parse_value(entry.value, info, diagnostics);
        if (!value) continue;
        if (*value < 1) {
            diagnostics.error(entry.value.location(), entry.value.path(), "a size must be at least 1");
        } else {
            model.symbols.push_back({entry.key, *value, entry.location});
        }
    }
}

/// "layers", or {count: layers, width: 64}.
void read_use(const Node::Entry& entry, ModelFile& model, Diagnostics& diagnostics) {
    ModelFile::BlockUse use{entry.key, "1", entry.location};
    if (entry.value.is_scalar()) use.count = entry.value.text();
    for (const Node::Entry& size : entry.value.entries()) {
        if (!size.value.is_scalar()) {
            diagnostics.error(size.location, size.value.path(),
                              fmt::format("expected a size of the block, found {}", size.value.describe()));
        } else if (size.key == "count") {
            use.count = size.value.text();
        } else {
            use.sizes.push_back({size.key, size.value.text(), size.location});
        }
    }
    model.blocks.push_back(std::move(use));
}

void read_blocks(const Node& node, ModelFile& model, Diagnostics& diagnostics);

/// {times: layers/6, blocks: [window_layer: 5, full_layer]}.
void read_repeat(const Node::Entry& entry, ModelFile& model, Diagnostics& diagnostics) {
    const Node* times = entry.value.find("times");
    const Node* blocks = entry.value.find("blocks");
    if (times == nullptr || !times->is_scalar() || blocks == nullptr || entry.value.entries().size() != 2) {
        diagnostics.error(entry.location, entry.value.path(),
                          "expected repeat: {times: …, blocks: […]}, blocks that recur together");
        return;
    }
    const std::size_t begin = model.blocks.size();
    const std::size_t repeats = model.repeats.size();
    read_blocks(*blocks, model, diagnostics);
    if (model.repeats.size() != repeats)
        diagnostics.error(entry.location, entry.value.path(), "a repeat within a repeat (write it out)");
    model.repeats.push_back({begin, model.blocks.size(), times->text(), times->location()});
}

void read_blocks(const Node& node, ModelFile& model, Diagnostics& diagnostics) {
    if (!node.is_sequence() || node.items().empty()) {
        diagnostics.error(node.location(), node.path(),
                          fmt::format("expected a list of blocks, found {}", node.describe()));
        return;
    }
    for (const Node& item : node.items()) {
        const bool is_pair = item.is_map() && item.entries().size() == 1;
        if (item.is_scalar()) {
            model.blocks.push_back({item.text(), "1", item.location()});
        } else if (is_pair && item.entries().front().key == "repeat" &&
                   item.entries().front().value.is_map()) {
            read_repeat(item.entries().front(), model, diagnostics);
        } else if (is_pair && !item.entries().front().value.is_sequence()) {
            read_use(item.entries().front(), model, diagnostics);
        } else {
            diagnostics.error(
                item.location(), item.path(),
                fmt::format("expected a block, `block: count`, `block: {{count: …, size: …}}` or `repeat: "
                            "{{times: …, blocks: […]}}`, found {}",
                            item.describe()));
        }
    }
}

}  // namespace

ModelFile read_model(const Node& node, Diagnostics& diagnostics) {
    ModelFile model;
    config::Reader reader(node, nullptr, diagnostics);
    std::string ignored;
    reader.required("name", model.name, "");
    reader.optional("source", ignored, "");
    reader.required("template", model.template_name, "");
    if (const Node* name = node.find("template")) model.template_where = name->location();
    if (const Node* symbols = reader.take("symbols")) {
        read_symbols(*symbols, model, diagnostics);
    } else {
        diagnostics.error(node.location(), "symbols", "missing (the sizes of the model)");
    }
    if (const Node* blocks = reader.take("blocks")) {
        read_blocks(*blocks, model, diagnostics);
    } else {
        diagnostics.error(node.location(), "blocks", "missing (the model's blocks in order)");
    }
    reader.optional("draft_heads", model.draft_heads, config::between(0, 64), "");
    reader.optional("context", model.context, config::between(1, graph::most_tokens), "");
    reader.finish();
    return model;
}

}  // namespace dse::frontend
