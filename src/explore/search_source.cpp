#include "explore/search_source.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"

namespace dse::explore {
namespace {

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

}  // namespace

SearchSource::SearchSource(Search& search, Replay known, std::uint64_t limit)
    : search_{search}, known_{std::move(known)}, left_{limit} {
    advance();
}

std::optional<Trial> SearchSource::next() {
    if (is_preparing_ && waiting_.empty() && left_ > 0) advance();
    if (waiting_.empty() || left_ == 0) return std::nullopt;
    --left_;
    Trial trial = std::move(waiting_.front());
    waiting_.pop_front();
    return trial;
}

void SearchSource::answer(const space::Record& record) {
    Batch* const batch = batch_of(record.point.id);
    if (batch == nullptr) return;
    const auto at = static_cast<std::size_t>(record.point.id - batch->first);
    if (batch->answered[at]) return;
    space::Record& mine = batch->records[at];
    std::vector<double> values = std::move(mine.point.values);
    mine = record;
    mine.point.values = std::move(values);
    batch->answered[at] = true;
    if (--batch->open == 0) advance();
}

bool SearchSource::exhausted() const {
    return left_ == 0 || (ended_ && waiting_.empty());
}

void SearchSource::advance() {
    while (true) {
        while (!ended_ && batches_.size() <= search_.lag()) {
            is_preparing_ = !search_.prepare();
            if (is_preparing_) return;
            ask();
        }
        if (batches_.empty() || batches_.front().open > 0) return;
        if (!batches_.front().records.empty()) search_.tell(batches_.front().records);
        batches_.pop_front();
    }
}

void SearchSource::ask() {
    std::vector<Trial> trials = search_.ask();
    if (trials.empty()) return wait_or_end();
    DSE_REQUIRE(trials.size() <= search_.size() - asked_);
    Batch& batch = batches_.emplace_back();
    batch.first = asked_;
    batch.records.resize(trials.size());
    batch.answered.resize(trials.size());
    for (std::size_t i = 0; i < trials.size(); ++i) {
        Trial& trial = trials[i];
        trial.point.id = asked_++;
        batch.records[i].point = trial.point;
        if (known_.contains(trial.point.id)) {
            batch.records[i] = known(trial);
            batch.answered[i] = true;
        } else {
            ++batch.open;
            waiting_.push_back(std::move(trial));
        }
    }
}

/// Whether more will be told depends on what was asked, not on the answers so far.
void SearchSource::wait_or_end() {
    const auto is_empty = [](const Batch& batch) { return batch.records.empty(); };
    if (std::all_of(batches_.begin(), batches_.end(), is_empty)) {
        ended_ = true;
        batches_.clear();
    } else {
        batches_.emplace_back().first = asked_;
    }
}

space::Record SearchSource::known(const Trial& trial) {
    const auto found = known_.find(trial.point.id);
    space::Record record = std::move(found->second);
    known_.erase(found);
    if (same_bits(record.point.values, trial.point.values)) return record;
    throw InputError(
        fmt::format("row {} holds another point than the search asks for: the search was changed since, or "
                    "answers depend on more than the point (--fresh starts over)",
                    trial.point.id));
}

SearchSource::Batch* SearchSource::batch_of(std::uint64_t id) {
    if (batches_.empty() || id < batches_.front().first || id >= asked_) return nullptr;
    const auto after =
        std::upper_bound(batches_.begin(), batches_.end(), id,
                         [](std::uint64_t one, const Batch& batch) { return one < batch.first; });
    return &*std::prev(after);
}

}  // namespace dse::explore
