#include "results/time_limit.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "dse/space/identity.hpp"

namespace dse::results {
namespace {

constexpr const char* fact = "fidelity.time_limit";
constexpr std::size_t status_buffer = std::size_t{1} << 20U;

const std::string* text_of(const ResultSchema& schema) {
    for (const auto& [name, value] : schema.sweep.facts) {
        if (name == fact) return &value;
    }
    return nullptr;
}

class Kept final : public RowCursor {
  public:
    explicit Kept(std::unique_ptr<RowCursor> all) : all_{std::move(all)} {}

    bool next(Row& row) override {
        while (all_->next(row)) {
            if (row.status != space::Status::timed_out) return true;
        }
        return false;
    }

  private:
    std::unique_ptr<RowCursor> all_;
};

class WithoutTimedOut final : public RowSource {
  public:
    explicit WithoutTimedOut(std::unique_ptr<RowSource> all) : all_{std::move(all)} {}

    [[nodiscard]] const std::string& path() const override { return all_->path(); }
    [[nodiscard]] const Header& header() const override { return all_->header(); }
    [[nodiscard]] const std::vector<std::string>& hosts() const override { return all_->hosts(); }
    [[nodiscard]] std::size_t count_runs() override { return all_->count_runs(); }

    [[nodiscard]] const Scan& scan() override {
        if (!scan_) scan_ = scan_of_kept();
        return *scan_;
    }

    [[nodiscard]] std::vector<std::unique_ptr<RowCursor>> runs(std::size_t buffer) override {
        auto cursors = all_->runs(buffer);
        for (auto& cursor : cursors) cursor = std::make_unique<Kept>(std::move(cursor));
        return cursors;
    }

    [[nodiscard]] std::unique_ptr<RowCursor> rows_as_written(std::size_t buffer) const override {
        return std::make_unique<Kept>(all_->rows_as_written(buffer));
    }

  private:
    Scan scan_of_kept() {
        Scan found = all_->scan();
        if (found.failures == 0) return found;
        std::vector<Interval> open;
        const auto rows = all_->rows_as_written(status_buffer);
        for (Row row; rows->next(row);) {
            if (row.status == space::Status::timed_out) open.push_back({row.point_id, row.point_id + 1});
        }
        found.rows -= open.size();
        found.failures -= open.size();
        found.covered = without(found.covered, std::move(open));
        return found;
    }

    static IntervalSet without(const IntervalSet& covered, std::vector<Interval> open) {
        if (covered.intervals().empty()) return covered;
        const std::uint64_t end = covered.intervals().back().last;
        const std::vector<Interval> gaps = covered.gaps(end).intervals();
        open.insert(open.end(), gaps.begin(), gaps.end());
        return IntervalSet{std::move(open)}.gaps(end);
    }

    std::unique_ptr<RowSource> all_;
    std::optional<Scan> scan_;
};

}  // namespace

double time_limit_of(const ResultSchema& schema) {
    const std::string* text = text_of(schema);
    double seconds = 0.0;
    if (text != nullptr) std::from_chars(text->data(), text->data() + text->size(), seconds);
    return seconds > 0.0 ? seconds : std::numeric_limits<double>::infinity();
}

ResultSchema with_time_limit_of(const ResultSchema& found, ResultSchema wanted) {
    const std::string* text = text_of(found);
    const auto own = std::find_if(wanted.sweep.facts.begin(), wanted.sweep.facts.end(),
                                  [](const auto& entry) { return entry.first == fact; });
    if (text == nullptr || own == wanted.sweep.facts.end() || own->second == *text) return wanted;
    own->second = *text;
    wanted.sweep.digest = space::digest(wanted.sweep.facts);
    return wanted;
}

std::unique_ptr<RowSource> without_timed_out(std::unique_ptr<RowSource> source) {
    return std::make_unique<WithoutTimedOut>(std::move(source));
}

}  // namespace dse::results
