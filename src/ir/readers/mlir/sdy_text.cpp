#include "ir/readers/mlir/sdy_text.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"

namespace dse::ir::mlir {
namespace {

// Maximum number of devices of a mesh: larger numbers are errors, and the product must not overflow.
constexpr std::int64_t most_devices = std::int64_t{1} << 40U;

// Whether two parts of axes can divide the same array: parts of one axis must not overlap.
bool apart(const AxisRef& a, const AxisRef& b) {
    if (a.axis != b.axis) return true;
    const AxisRef& major = a.pre_size <= b.pre_size ? a : b;
    const AxisRef& minor = a.pre_size <= b.pre_size ? b : a;
    return minor.pre_size % (major.pre_size * major.size) == 0;
}

void refuse_overlaps(const Tokens& tokens, const std::vector<AxisRef>& axes, const DeviceMesh& mesh) {
    for (std::size_t i = 0; i < axes.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (!apart(axes[i], axes[j]))
                tokens.refuse(fmt::format("the axis '{}' is used twice", mesh.axes[axes[i].axis].name));
}

std::vector<AxisRef> all_axes(const Sharding& sharding) {
    std::vector<AxisRef> all = sharding.replicated;
    all.insert(all.end(), sharding.unreduced.begin(), sharding.unreduced.end());
    for (const Sharding::Dimension& dimension : sharding.dimensions)
        all.insert(all.end(), dimension.axes.begin(), dimension.axes.end());
    return all;
}

}  // namespace

MeshId SdyText::define(std::string_view name, Tokens& tokens) {
    const MeshId id{program_.meshes.size()};
    if (!named_.emplace(name, id).second) tokens.refuse(fmt::format("the mesh @{} is defined already", name));
    DeviceMesh mesh = mesh_body(tokens);
    mesh.name = unquoted(name);
    program_.meshes.push_back(std::move(mesh));
    return id;
}

void SdyText::define_all(Tokens& tokens) {
    tokens.expect('{');
    while (!tokens.accept('}')) {
        tokens.skip();
        const std::string_view name = tokens.identifier();
        tokens.expect('=');
        tokens.accept("#sdy.mesh");
        define(name, tokens);
        tokens.accept(',');
    }
}

MeshId SdyText::mesh_at(Tokens& tokens) {
    follow_alias(tokens);
    tokens.skip();
    const std::size_t begin = tokens.position();
    if (tokens.accept('@')) {
        tokens.move_to(begin);
        const std::string_view name = tokens.symbol();
        const auto found = named_.find(name);
        if (found != named_.end()) return found->second;
        std::vector<std::string> known;
        for (const auto& [known_name, id] : named_) known.emplace_back(known_name);
        tokens.move_to(begin);
        tokens.refuse(fmt::format("there is no mesh @{}{}", name, suggestion(name, known)));
    }
    if (!tokens.accept_word("mesh") && !tokens.accept("#sdy.mesh") && !tokens.accept("#stablehlo.mesh"))
        tokens.refuse(fmt::format("expected a mesh, found {}", tokens.found()));
    DeviceMesh mesh = mesh_body(tokens);
    for (std::size_t i = 0; i < program_.meshes.size(); ++i)
        if (program_.meshes[i] == mesh) return MeshId{i};
    program_.meshes.push_back(std::move(mesh));
    return MeshId{program_.meshes.size() - 1};
}

DeviceMesh SdyText::mesh_body(Tokens& tokens) {
    DeviceMesh mesh;
    tokens.expect('<');
    // StableHLO's own meshes: `<axes = [#stablehlo.mesh_axis<name = "x", size = 2>], device_ids = dense<…>>`.
    const bool has_fields = tokens.accept_word("axes");
    if (has_fields) tokens.expect('=');
    tokens.expect('[');
    while (!tokens.accept(']')) {
        DeviceMesh::Axis axis;
        if (has_fields) {
            tokens.accept("#stablehlo.mesh_axis");
            tokens.expect("<");
            tokens.expect("name");
            tokens.expect('=');
            axis.name = tokens.quoted();
            tokens.expect(',');
            tokens.expect("size");
            tokens.expect('=');
            axis.size = tokens.integer();
            tokens.expect('>');
        } else {
            axis.name = tokens.quoted();
            tokens.expect('=');
            axis.size = tokens.integer();
        }
        if (axis.size < 1 || axis.size > most_devices / mesh.device_count())
            tokens.refuse(fmt::format("invalid size of axis '{}'", axis.name));
        mesh.axes.push_back(std::move(axis));
        tokens.accept(',');
    }
    if (tokens.accept(',')) {
        tokens.expect("device_ids");
        tokens.expect('=');
        if (has_fields) {
            tokens.expect("dense");
            tokens.expect('<');
        }
        tokens.expect('[');
        while (!tokens.accept(']')) {
            mesh.devices.push_back(tokens.integer());
            tokens.accept(',');
        }
        if (has_fields) {
            tokens.expect('>');
            if (tokens.accept(':')) tokens.value();  // tensor<4xi64>
        }
        if (static_cast<std::int64_t>(mesh.devices.size()) != mesh.device_count())
            tokens.refuse(fmt::format("{} device ids for a mesh of {} devices", mesh.devices.size(),
                                      mesh.device_count()));
    }
    tokens.expect('>');
    return mesh;
}

void SdyText::follow_alias(Tokens& tokens) {
    for (int i = 0; i < 16; ++i) {
        tokens.skip();
        const std::size_t begin = tokens.position();
        if (tokens.peek() != '#') return;
        tokens.advance();
        tokens.suffix();
        const auto alias = aliases_.find(tokens.since(begin));
        tokens.move_to(alias == aliases_.end() ? begin : tokens.offset(alias->second));
        if (alias == aliases_.end()) return;
    }
}

Sharding SdyText::sharding(Tokens& tokens) {
    follow_alias(tokens);
    tokens.accept("#sdy.sharding");
    tokens.expect('<');
    Sharding result;
    result.mesh = mesh_at(tokens);
    const DeviceMesh& mesh = program_.meshes[result.mesh.index()];
    if (mesh.axes.empty() && !mesh.devices.empty()) {
        result.kind = Sharding::Kind::maximal;
        result.device = mesh.devices.front();
    }
    tokens.expect(',');
    tokens.expect('[');
    while (!tokens.accept(']')) {
        result.dimensions.push_back(dimension(tokens, result.mesh));
        tokens.accept(',');
    }
    while (tokens.accept(',')) {
        const bool replicated = tokens.accept_word("replicated");
        if (!replicated && !tokens.accept_word("unreduced"))
            tokens.refuse(fmt::format("expected 'replicated' or 'unreduced', found {}", tokens.found()));
        tokens.expect('=');
        tokens.skip();
        tokens.identifier();  // the reduction, `unreduced=max{"x"}`; a sum if omitted
        (replicated ? result.replicated : result.unreduced) = axes(tokens, result.mesh);
    }
    tokens.expect('>');
    refuse_overlaps(tokens, all_axes(result), program_.meshes[result.mesh.index()]);
    return result;
}

std::vector<Sharding> SdyText::shardings(Tokens& tokens) {
    follow_alias(tokens);
    const bool wrapped = tokens.accept("#sdy.sharding_per_value");
    if (wrapped) tokens.expect('<');
    tokens.skip();
    if (!wrapped && tokens.peek() != '[') return {sharding(tokens)};
    std::vector<Sharding> result;
    tokens.expect('[');
    while (!tokens.accept(']')) {
        result.push_back(sharding(tokens));
        tokens.accept(',');
    }
    if (wrapped) tokens.expect('>');
    return result;
}

Sharding::Dimension SdyText::dimension(Tokens& tokens, MeshId mesh) {
    Sharding::Dimension result;
    tokens.expect('{');
    while (!tokens.accept('}')) {
        if (tokens.accept('?'))
            result.open = true;
        else
            result.axes.push_back(axis(tokens, mesh));
        tokens.accept(',');
    }
    if (tokens.peek() == 'p') {
        tokens.advance();
        result.priority = static_cast<std::int32_t>(tokens.integer());
    }
    return result;
}

std::vector<AxisRef> SdyText::axes(Tokens& tokens, MeshId mesh) {
    std::vector<AxisRef> result;
    tokens.expect('{');
    while (!tokens.accept('}')) {
        result.push_back(axis(tokens, mesh));
        tokens.accept(',');
    }
    return result;
}

AxisRef SdyText::whole_axis(Tokens& tokens, MeshId mesh) {
    tokens.skip();
    const std::size_t begin = tokens.position();
    const std::string_view name = tokens.quoted();
    const DeviceMesh& owner = program_.meshes[mesh.index()];
    std::vector<std::string> known;
    for (std::uint32_t i = 0; i < owner.axes.size(); ++i) {
        if (owner.axes[i].name == name) return {i, 1, owner.axes[i].size};
        known.push_back(owner.axes[i].name);
    }
    tokens.move_to(begin);
    tokens.refuse(fmt::format("the mesh '{}' has no axis '{}'{}", owner.name, name, suggestion(name, known)));
}

AxisRef SdyText::axis(Tokens& tokens, MeshId mesh) {
    const AxisRef whole = whole_axis(tokens, mesh);
    return tokens.accept(':') ? sub_axis(tokens, whole) : whole;
}

// `(2)4`: the factor of size 4 after one of size 2.
AxisRef SdyText::sub_axis(Tokens& tokens, AxisRef whole) {
    tokens.skip();
    const std::size_t begin = tokens.position();
    AxisRef part{whole.axis, 1, 1};
    tokens.expect('(');
    part.pre_size = tokens.integer();
    tokens.expect(')');
    part.size = tokens.integer();
    if (part.pre_size < 1 || part.size < 1 || part.pre_size > whole.size ||
        part.size > whole.size / part.pre_size || whole.size % (part.pre_size * part.size) != 0) {
        tokens.move_to(begin);
        tokens.refuse(fmt::format("({}){} is not a factor of an axis of size {}", part.pre_size, part.size,
                                  whole.size));
    }
    return part;
}

std::vector<AxisRef> SdyText::axis_references(Tokens& tokens, MeshId mesh) {
    std::vector<AxisRef> result;
    tokens.expect('[');
    while (!tokens.accept(']')) {
        const bool wrapped = tokens.accept("#stablehlo.axis_ref");
        if (wrapped) {
            tokens.expect("<");
            tokens.expect("name");
            tokens.expect('=');
        }
        AxisRef axis = whole_axis(tokens, mesh);
        if (wrapped && tokens.accept(',')) {
            tokens.expect("sub_axis_info");
            tokens.expect('=');
            axis = sub_axis(tokens, axis);
        }
        if (wrapped) tokens.expect('>');
        result.push_back(axis);
        tokens.accept(',');
    }
    refuse_overlaps(tokens, result, program_.meshes[mesh.index()]);
    return result;
}

}  // namespace dse::ir::mlir
