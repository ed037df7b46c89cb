#include "trace/chakra/place_name.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace dse::trace::chakra {

PlaceName::PlaceName(const graph::Graph& graph) : schedule_{graph.schedule} {
    for (const graph::Region& region : graph.regions) {
        std::string& name = regions_.emplace_back(region.name);
        std::replace(name.begin(), name.end(), ' ', '_');
    }
}

std::string_view PlaceName::of(const graph::Task& task) {
    moves_ = 0;  // matches no position: the next node's name is built anew
    graph::Task alone = task;
    alone.form = graph::Form::plain;
    begin(&alone, graph::RegionId{});
    return text_;
}

void PlaceName::begin(const graph::Task* task, graph::RegionId region) {
    constexpr std::array<std::string_view, 3> passes{"forward.", "backward.", "weight."};
    text_.clear();
    if (task == nullptr) {
        append(regions_[region.index()]);
    } else {
        const bool is_pair = task->form == graph::Form::overlapped;
        append(is_pair ? "overlapped." : passes[static_cast<std::size_t>(task->pass)]);
        append(task->microbatch);
        if (schedule_.chunks > 1) {
            append(".chunk");
            append(task->chunk);
        }
    }
    append("/");
}

void PlaceName::descend(std::size_t item, graph::RegionId region, std::int64_t round) {
    append(regions_[region.index()]);
    append("[");
    append(item);
    append(".");
    append(static_cast<std::uint64_t>(round));
    append("]/");
}

void PlaceName::append(std::uint64_t number) {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    text_.append(digits.data(), end);
}

}  // namespace dse::trace::chakra
