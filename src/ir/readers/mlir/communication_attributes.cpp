#include <string_view>
#include <utility>
#include <vector>

#include "dse/ir/program/group_mode.hpp"
#include "ir/program/mesh_groups.hpp"
#include "ir/readers/mlir/meaning.hpp"

namespace dse::ir::mlir {
namespace {

std::int64_t channel(const Meaning& meaning) {
    if (meaning.statement.has("channel_id")) return meaning.integer("channel_id", 0);
    for (const Statement::Entry& field : meaning.text.fields(meaning.statement.value("channel_handle")))
        if (field.key == "handle") return meaning.text.integer(field.value);
    return 0;
}

// Shorter groups are padded with -1.
DeviceGroups of_table(const Meaning& meaning, std::string_view text) {
    const Integers table = meaning.text.integers(text);
    if (table.values.empty()) return {};
    const std::size_t width =
        table.shape.size() == 2 ? static_cast<std::size_t>(table.shape[1]) : table.values.size();
    std::vector<std::vector<std::int64_t>> groups;
    for (std::size_t begin = 0; begin < table.values.size(); begin += width) {
        auto& group = groups.emplace_back();
        for (std::size_t i = begin; i < begin + width; ++i)
            if (table.values[i] >= 0) group.push_back(table.values[i]);
    }
    return regular_groups(std::move(groups));
}

// `<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>`
DeviceGroups of_mesh(const Meaning& meaning, std::string_view text) {
    const Fields fields{meaning, text, {"mesh", "axes"}};
    if (fields.text("mesh").empty() || fields.text("axes").empty())
        meaning.text.refuse(text, "groups of a mesh's axes need `mesh` and `axes`");
    const MeshId mesh = meaning.sdy.mesh_at(meaning.text.at(fields.text("mesh")));
    const auto axes = meaning.sdy.axis_references(meaning.text.at(fields.text("axes")), mesh);
    return groups_along(meaning.program().meshes[mesh.index()], axes);
}

DeviceGroups groups(const Meaning& meaning) {
    const std::string_view text = meaning.text.resolved(meaning.statement.value("replica_groups"));
    return text.find("mesh_axes") == std::string_view::npos ? of_table(meaning, text)
                                                            : of_mesh(meaning, text);
}

std::vector<std::pair<std::int64_t, std::int64_t>> pairs(const Meaning& meaning) {
    const std::string_view text = meaning.statement.value("source_target_pairs");
    const Sizes flat = meaning.text.sizes(text);
    if (flat.size() % 2 != 0) meaning.text.refuse(text, "expected pairs of a source and a target");
    std::vector<std::pair<std::int64_t, std::int64_t>> result;
    for (std::size_t i = 0; i < flat.size(); i += 2) result.emplace_back(flat[i], flat[i + 1]);
    return result;
}

std::int64_t dimension(const Meaning& meaning) {
    for (const std::string_view key : {"all_gather_dim", "scatter_dimension", "split_dimension"})
        if (meaning.statement.has(key)) return meaning.integer(key, 0);
    return 0;
}

}  // namespace

Attribute communication(const Meaning& meaning) {
    Communication result;
    result.channel = channel(meaning);
    result.mode =
        stated_group_mode(meaning.opcode, result.channel > 0, meaning.statement.has("use_global_device_ids"));
    result.groups = groups(meaning);
    result.pairs = pairs(meaning);
    result.dimension = dimension(meaning);
    result.concat_dimension = meaning.integer("concat_dimension", 0);
    return result;
}

}  // namespace dse::ir::mlir
