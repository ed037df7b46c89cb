#include "process_groups.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dse/config/source_text.hpp"
#include "ir/program/mesh_groups.hpp"

namespace dse::ir::fx {
namespace {

// The order of keys is the order of the mesh's axes.
using OrderedJson = nlohmann::ordered_json;

constexpr std::int64_t most_devices = std::int64_t{1} << 20;

/// The value of a "# key: " line in the comments at the beginning of the text.
struct Comment {
    OrderedJson value;
    std::size_t position{0};
};

std::optional<Comment> comment_of(const Source& source, std::string_view key) {
    const std::string_view text = source.text();
    const std::string begin = fmt::format("# {}: ", key);
    std::size_t position = 0;
    while (position < text.size() && (text[position] == '#' || text[position] == '\n')) {
        const std::size_t end = std::min(text.find('\n', position), text.size());
        const std::string_view line = text.substr(position, end - position);
        if (line.starts_with(begin)) {
            OrderedJson value = OrderedJson::parse(line.substr(begin.size()), nullptr, false);
            if (!value.is_object()) source.refuse(position, fmt::format("'{}' must be a JSON object", key));
            return Comment{std::move(value), position};
        }
        position = end + 1;
    }
    return std::nullopt;
}

std::vector<DeviceMesh::Axis> axes_of(const Comment& comment, const Source& source) {
    std::vector<DeviceMesh::Axis> axes;
    std::int64_t devices = 1;
    for (const auto& [name, size] : comment.value.items()) {
        const std::int64_t ranks = size.is_number_integer() ? size.get<std::int64_t>() : 0;
        if (ranks < 1 || ranks > most_devices / devices)
            source.refuse(comment.position,
                          fmt::format("mesh: invalid size of axis '{}'", config::excerpt(name)));
        devices *= ranks;
        axes.push_back({name, ranks});
    }
    return axes;
}

/// The axes with these names, in the order of the mesh; nothing if any is missing.
std::optional<std::vector<AxisRef>> axes_called(const OrderedJson& names, const DeviceMesh& mesh) {
    std::vector<AxisRef> axes;
    for (std::size_t i = 0; i < mesh.axes.size(); ++i)
        if (std::find(names.begin(), names.end(), OrderedJson(mesh.axes[i].name)) != names.end())
            axes.push_back({static_cast<std::uint32_t>(i), 1, mesh.axes[i].size});
    if (axes.size() != names.size()) return std::nullopt;
    return axes;
}

/// Whether one of the groups consists of these ranks.
bool contains(const DeviceGroups& groups, const OrderedJson& ranks, std::int64_t devices) {
    const auto members = groups.members(devices);
    return std::any_of(members.begin(), members.end(), [&ranks](const auto& group) {
        return ranks.size() == group.size() && std::equal(group.begin(), group.end(), ranks.begin(),
                                                          [](std::int64_t member, const OrderedJson& rank) {
                                                              return rank == OrderedJson(member);
                                                          });
    });
}

}  // namespace

ProcessGroups read_process_groups(const Source& source) {
    ProcessGroups result;
    const auto mesh = comment_of(source, "mesh");
    const auto groups = comment_of(source, "process_groups");
    if (mesh) result.mesh = {"mesh", axes_of(*mesh, source), {}};
    if (!groups) return result;
    if (!mesh) source.refuse(groups->position, "process_groups: their axes need a line '# mesh: {…}'");
    for (const auto& [name, group] : groups->value.items()) {
        const auto refuse = [&, &name = name](std::string_view reason) {
            source.refuse(groups->position,
                          fmt::format("process group '{}': {}", config::excerpt(name), reason));
        };
        if (!group.is_object() || !group.contains("axes") || !group["axes"].is_array())
            refuse("expected {\"axes\": [names]}");
        const auto axes = axes_called(group["axes"], result.mesh);
        if (!axes) refuse("its axes are not those of the mesh");
        DeviceGroups groups_of_ranks = groups_along(result.mesh, *axes);
        if (group.contains("ranks") && !contains(groups_of_ranks, group["ranks"], result.mesh.device_count()))
            refuse("its ranks do not lie along its axes");
        result.groups.emplace(name, std::move(groups_of_ranks));
    }
    return result;
}

void apply(const ProcessGroups& groups, Program& program, const Source& source) {
    program.replicas = std::max<std::int64_t>(program.replicas, groups.mesh.device_count());
    if (!groups.mesh.axes.empty()) program.meshes.push_back(groups.mesh);
    for (Attribute& attribute : program.attributes) {
        auto* communication = std::get_if<Communication>(&attribute);
        if (communication == nullptr) continue;
        const std::string name{program.text(communication->process_group)};
        const auto found = groups.groups.find(name);
        if (found != groups.groups.end()) {
            communication->groups = found->second;
            const std::int64_t size = found->second.size(program.replicas);
            if (communication->group_size != 0 && communication->group_size != size)
                source.refuse(0, fmt::format("process group '{}' has {} ranks, a collective says {}", name,
                                             size, communication->group_size));
            communication->group_size = size;
        } else if (!groups.groups.empty()) {
            source.refuse(
                0, fmt::format("process group '{}' of a collective is not among those that the comments "
                               "list",
                               config::excerpt(name)));
        } else {
            program.replicas = std::max(program.replicas, communication->group_size);
        }
    }
}

}  // namespace dse::ir::fx
