#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "kinds.hpp"

namespace dse::frontend::kinds {
namespace {

struct Target {
    std::size_t dimension{0};
    graph::AxisSet axis;
};

/// Parses "tp->1".
bool parse(const std::string& text, std::size_t rank, Target& target) {
    const std::size_t arrow = text.find("->");
    if (arrow == std::string::npos) return false;
    for (const graph::MeshAxis axis : {graph::MeshAxis::tensor, graph::MeshAxis::context}) {
        if (graph::short_name(axis) == text.substr(0, arrow)) target.axis = axis;
    }
    const char* const last = text.data() + text.size();
    const auto [end, status] = std::from_chars(text.data() + arrow + 2, last, target.dimension);
    return status == std::errc{} && end == last && target.dimension < rank && !target.axis.empty();
}

/// Parses "2->whole".
std::optional<std::size_t> parse_whole(const std::string& text, std::size_t rank) {
    std::size_t dimension = 0;
    const char* const last = text.data() + text.size();
    const auto [end, status] = std::from_chars(text.data(), last, dimension);
    if (status != std::errc{} || std::string_view(end, static_cast<std::size_t>(last - end)) != "->whole" ||
        dimension >= rank)
        return std::nullopt;
    return dimension;
}

}  // namespace

/// The same tensor with a mesh axis splitting one of its dimensions, regardless of what it split before, or
/// with one of its dimensions whole on every device.
void redistribute(OperationBuilder& builder) {
    if (!builder.expect_operands({0})) return;
    builder.letter_by_position(0);
    const std::string letters = builder.operation().operands[0].letters;
    const std::optional<std::size_t> whole = parse_whole(builder.text(), letters.size());
    Target target;
    if (!whole && !parse(builder.text(), letters.size(), target)) {
        return builder.fail(
            fmt::format("'{}' does not map tp or cp to a dimension of '{}' (write it as \"tp->1\"; "
                        "\"1->whole\": not split)",
                        builder.text(), builder.tensor(0).name));
    }
    // Each replica has samples of its own; a device with those of all of them would do the work of every
    // replica.
    if (whole && builder.is_batch(builder.tensor(0).shape[*whole])) {
        return builder.fail(
            fmt::format("dimension {} of '{}' is b, the samples that dp splits, which no device has whole "
                        "(only what tp or cp split is gathered)",
                        *whole, builder.tensor(0).name));
    }
    builder.add_result(0, builder.tensor(0).shape, letters);
    Operation& operation = builder.operation();
    operation.view = true;
    if (whole) {
        operation.whole = letters[*whole];
    } else {
        operation.moves = {{target.axis, letters[target.dimension]}};
    }
    operation.passes_gradient = {0};
}

}  // namespace dse::frontend::kinds
