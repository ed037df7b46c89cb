#include "dse/trace/chakra/obfuscate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "chakra/execution_trace.pb.h"
#include "dse/base/error.hpp"
#include "dse/base/hash.hpp"
#include "dse/graph/work.hpp"
#include "dse/trace/chakra/trace_file.hpp"
#include "trace/chakra/rewrite_trace.hpp"

namespace dse::trace::chakra {
namespace {

using Attribute = wire::Attribute;

/// Applies a function to an attribute that is a single number of any kind, preserving the kind.
template <class Change>
void change_number(Attribute& attribute, Change change) {
    const auto apply = [&](auto value) {
        using Value = decltype(value);
        const std::uint64_t changed =
            change(value < 0 ? std::uint64_t{0} : static_cast<std::uint64_t>(value));
        const auto most = static_cast<std::uint64_t>(std::numeric_limits<Value>::max());
        return static_cast<Value>(std::min(changed, most));
    };
    switch (attribute.value_case()) {
        case Attribute::kInt32Val:
            return attribute.set_int32_val(apply(attribute.int32_val()));
        case Attribute::kInt64Val:
            return attribute.set_int64_val(apply(attribute.int64_val()));
        case Attribute::kUint32Val:
            return attribute.set_uint32_val(apply(attribute.uint32_val()));
        case Attribute::kUint64Val:
            return attribute.set_uint64_val(apply(attribute.uint64_val()));
        case Attribute::kSint32Val:
            return attribute.set_sint32_val(apply(attribute.sint32_val()));
        case Attribute::kSint64Val:
            return attribute.set_sint64_val(apply(attribute.sint64_val()));
        default:
            return;
    }
}

bool is_size(std::string_view name) {
    return name == "num_ops" || name == "model_ops" || name == "tensor_size" || name == "comm_size";
}

bool is_common_operator(const std::string& operation) {
    for (std::size_t i = 0; i < graph::op_class_count; ++i) {
        if (name(static_cast<graph::OpClass>(i)) == operation) return true;
    }
    return false;
}

/// Salted hash: equal names give equal numbers; never 0.
std::uint64_t salted(std::string_view what, std::string_view text, const Obfuscation& how) {
    constexpr std::uint64_t most = 0x3fffffff;  // ASTRA-sim's groups and tags have 31 bits
    const std::uint64_t hash = digest(fmt::format("{}\x1f{}\x1f{}", how.salt, what, text)).low;
    return 1 + hash % most;
}

class Hiding {
  public:
    explicit Hiding(const Obfuscation& how) : how_{how} {}

    void apply(wire::Node& node);
    [[nodiscard]] const Obfuscated& done() const { return done_; }

  private:
    void apply(Attribute& attribute);
    void apply_to_size(Attribute& attribute);
    void hide_time(wire::Node& node);
    [[nodiscard]] std::uint64_t renamed_tag(std::uint64_t tag) const;

    const Obfuscation& how_;
    Obfuscated done_;
    std::optional<std::uint64_t> begin_;
};

void Hiding::apply_to_size(Attribute& attribute) {
    const bool operations = attribute.name() == "num_ops";
    const bool counted = operations || attribute.name() != "model_ops";
    change_number(attribute, [&](std::uint64_t size) {
        const std::uint64_t rounded = quantised(size, how_.steps_per_octave);
        if (counted) {
            (operations ? done_.operations_before : done_.bytes_before) += static_cast<double>(size);
            (operations ? done_.operations_after : done_.bytes_after) += static_cast<double>(rounded);
        }
        return rounded;
    });
}

/// A bijection below 2^30: different messages between two ranks keep different tags.
std::uint64_t Hiding::renamed_tag(std::uint64_t tag) const {
    constexpr std::uint64_t most = 0x3fffffff;
    const std::uint64_t factor = salted("factor of tags", "", how_) | 1U;
    return (tag * factor + salted("begin of tags", "", how_)) & most;
}

void Hiding::apply(Attribute& attribute) {
    attribute.clear_documentation();
    if (is_size(attribute.name())) return apply_to_size(attribute);
    if (attribute.name() == "op_type" && !is_common_operator(attribute.string_val())) {
        attribute.set_string_val("other");
        ++done_.operators_renamed;
    } else if (attribute.name() == "pg_name") {
        attribute.set_string_val(renamed_group(attribute.string_val(), how_));
    } else if (attribute.name() == "comm_tag") {
        change_number(attribute, [&](std::uint64_t tag) { return renamed_tag(tag); });
    }
}

/// Makes times relative to the first node that has one.
void Hiding::hide_time(wire::Node& node) {
    if (node.start_time_micros() > 0) {
        if (!begin_) begin_ = node.start_time_micros();
        node.set_start_time_micros(node.start_time_micros() - std::min(*begin_, node.start_time_micros()));
    }
    const std::uint64_t rounded = quantised(node.duration_micros(), how_.steps_per_octave);
    node.set_duration_micros(how_.keep_durations ? rounded : 0);
}

void Hiding::apply(wire::Node& node) {
    ++done_.nodes;
    node.set_name(fmt::format("node.{}", node.id()));
    node.clear_inputs();
    node.clear_outputs();
    hide_time(node);
    google::protobuf::RepeatedPtrField<Attribute> kept;
    for (Attribute& attribute : *node.mutable_attributes()) {
        const auto list = kept_attributes();
        if (std::find(list.begin(), list.end(), attribute.name()) == list.end()) {
            ++done_.attributes_dropped;
            continue;
        }
        apply(attribute);
        *kept.Add() = std::move(attribute);
    }
    node.mutable_attributes()->Swap(&kept);
}

}  // namespace

std::span<const std::string_view> kept_attributes() {
    static constexpr std::array<std::string_view, 15> names{
        "is_cpu_op", "num_ops",       "model_ops", "tensor_size",  "op_type",
        "comm_type", "comm_size",     "comm_src",  "comm_dst",     "comm_tag",
        "pg_name",   "comm_priority", "stream",    "involved_dim", "tid"};
    return names;
}

std::string renamed_group(std::string_view name, const Obfuscation& how) {
    if (name.empty() || name == "0") return std::string{name};
    return fmt::format("{}", salted("group", name, how));
}

std::uint64_t quantised(std::uint64_t size, int steps_per_octave) {
    if (size < 2) return size;
    const double steps = static_cast<double>(steps_per_octave);
    return static_cast<std::uint64_t>(
        std::llround(std::exp2(std::round(std::log2(static_cast<double>(size)) * steps) / steps)));
}

Obfuscated obfuscate_trace(const std::string& from, const std::string& to, const Obfuscation& how,
                           Existing existing) {
    Hiding hiding{how};
    const auto keep_version = [](wire::GlobalMetadata& metadata) {
        wire::GlobalMetadata kept;
        kept.set_version(metadata.version());
        metadata.Swap(&kept);
    };
    rewrite_trace(from, to, existing,
                  {keep_version, [&](wire::Node& node, std::size_t) { hiding.apply(node); }});
    return hiding.done();
}

void obfuscate_groups(const std::string& from, const std::string& to, const Obfuscation& how,
                      Existing existing) {
    nlohmann::json groups;
    try {
        groups = nlohmann::json::parse(std::ifstream{from});
    } catch (const nlohmann::json::exception& error) {
        throw InputError(fmt::format("'{}': no groups of ranks: {}", from, error.what()));
    }
    nlohmann::json renamed = nlohmann::json::object();
    for (const auto& [name, members] : groups.items()) {
        const std::string other = renamed_group(name, how);
        if (renamed.contains(other))
            throw InputError(
                fmt::format("'{}': two groups would be called '{}': take another salt", from, other));
        renamed[other] = members;
    }
    OutputFile file{to, existing};
    file.stream() << renamed.dump() << '\n';
    file.close();
}

}  // namespace dse::trace::chakra
