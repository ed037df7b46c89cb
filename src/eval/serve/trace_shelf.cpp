#include "eval/serve/trace_shelf.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/serving/trace_reader.hpp"

namespace dse::eval {

TraceShelf::Entry* TraceShelf::entry(const std::string& path, std::int64_t most) {
    const auto found = std::ranges::find_if(
        entries_, [&](const Entry& entry) { return entry.path == path && entry.most == most; });
    return found == entries_.end() ? nullptr : &*found;
}

const serving::Requests& TraceShelf::find(const std::string& path, std::int64_t most) {
    if (const Entry* found = entry(path, most)) return found->requests;
    if (entries_.size() >= most_traces) entries_.clear();
    try {
        entries_.push_back({path, most, serving::read_trace(file(path), most)});
    } catch (const InputError& error) {
        throw ModelError(fmt::format("traffic.trace: {}", error.what()));
    }
    return entries_.back().requests;
}

std::string TraceShelf::file(const std::string& path) const {
    return (std::filesystem::path{folder_} / path).string();
}

bool TraceShelf::is_long(const std::string& path, std::int64_t most) {
    if (most > 0 && most <= most_kept_) return false;
    if (std::ranges::find(long_, path) != long_.end()) return true;
    if (entry(path, most) != nullptr) return false;
    const serving::Requests& first = find(path, most_kept_);
    if (std::ssize(first.all) < most_kept_) {
        entry(path, most_kept_)->most = most;  // the trace is complete
        return false;
    }
    if (!first.pieces.empty()) return false;
    long_.push_back(path);
    entries_.clear();
    return true;
}

}  // namespace dse::eval
