#include "dist/suspects.hpp"

#include "dse/dist/crash_record.hpp"

namespace dse::dist {

Suspects::Suspects(std::filesystem::path folder, const results::IntervalSet& open)
    : folder_{std::move(folder)} {
    if (folder_.empty()) return;
    losses_ = gather_crashes(folder_);
    std::erase_if(losses_, [&](const auto& entry) { return !open.contains(entry.first); });
}

std::vector<std::uint64_t> Suspects::once() const {
    return with([](int losses) { return losses < most_losses; });
}

std::vector<std::uint64_t> Suspects::condemned() const {
    return with([](int losses) { return losses >= most_losses; });
}

std::vector<std::uint64_t> Suspects::with(bool (*wanted)(int losses)) const {
    std::vector<std::uint64_t> indices;
    for (const auto& [index, losses] : losses_) {
        if (wanted(losses)) indices.push_back(index);
    }
    return indices;
}

std::optional<std::uint64_t> Suspects::at_work(int rank, const Range& range) const {
    if (folder_.empty()) return std::nullopt;
    const auto index = point_in_flight(folder_, rank);
    if (!index || *index < range.first || *index - range.first >= range.count) return std::nullopt;
    return index;
}

}  // namespace dse::dist
