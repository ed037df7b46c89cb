#include "eval/validation/stated_precision.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/source_text.hpp"
#include "dse/model/compute/rates.hpp"

namespace dse::eval {
namespace {

graph::Precision precision_of(const std::string& name) {
    const auto names = choice_names(graph::Precision{});
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
        throw ModelError(fmt::format("no precision is called '{}'", config::excerpt(name)));
    return static_cast<graph::Precision>(found - names.begin());
}

}  // namespace

void set_precision(const NamedFile& named, const hardware::DeviceSpec& device, graph::SoftwareStack& stack) {
    stack.precision = precision_of(named.file);
    const bool is_narrow = bytes_of(stack.precision) < Bytes{2};
    const bool multiplies = model::rate_of(device.peak, stack.precision) > FlopPerSecond{};
    if (named.weight_bits == 0.0 || (is_narrow && multiplies)) return;
    stack.precision = graph::Precision::bf16;
    stack.weight_bits = named.weight_bits;
}

}  // namespace dse::eval
