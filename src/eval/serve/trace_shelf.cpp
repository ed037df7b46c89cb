#include "eval/serve/trace_shelf.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/serving/trace_reader.hpp"

namespace dse::eval {

const serving::Requests& TraceShelf::find(const std::string& path, std::int64_t most) {
    const auto found = std::ranges::find_if(
        entries_, [&](const Entry& entry) { return entry.path == path && entry.most == most; });
    if (found != entries_.end()) return found->requests;
    if (entries_.size() >= most_traces) entries_.clear();
    try {
        const std::string file = (std::filesystem::path{folder_} / path).string();
        entries_.push_back({path, most, serving::read_trace(file, most)});
    } catch (const InputError& error) {
        throw ModelError(fmt::format("traffic.trace: {}", error.what()));
    }
    return entries_.back().requests;
}

}  // namespace dse::eval
