#include "results/row_merger.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "results/columnar_writer.hpp"
#include "results/scan.hpp"

namespace dse::results {
namespace {

/// A row of one of the sources; 16 bytes.
struct Entry {
    std::uint64_t point_id;
    std::uint64_t source : 20;
    std::uint64_t row : 44;
};
static_assert(sizeof(Entry) == 16);

/// Host indices of all sources in one list of names.
class Hosts {
  public:
    explicit Hosts(const std::vector<std::unique_ptr<RowSource>>& sources) {
        for (const auto& source : sources) {
            std::vector<std::uint16_t>& map = maps_.emplace_back();
            for (const std::string& name : source->hosts()) map.push_back(index_of(name));
        }
    }

    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] std::uint16_t map(std::size_t source, std::uint16_t host) const {
        return maps_[source].at(host);
    }

  private:
    std::uint16_t index_of(const std::string& name) {
        const auto [place, is_new] = indices_.emplace(name, static_cast<std::uint16_t>(names_.size()));
        if (is_new) names_.push_back(name);
        return place->second;
    }

    std::map<std::string, std::uint16_t> indices_;
    std::vector<std::string> names_;
    std::vector<std::vector<std::uint16_t>> maps_;
};

/// Whether the evaluation came to an end of its own: such a row stands before one that broke.
bool conclusive(const RowView& row) {
    return !space::is_failure(row.status());
}

class Merger {
  public:
    Merger(const std::vector<std::unique_ptr<RowSource>>& sources, const Header& header)
        : sources_{&sources}, header_{&header}, layout_{header.schema}, hosts_{sources} {}

    MergeSummary run(const std::filesystem::path& path) {
        collect();
        ColumnarWriter writer{path, *header_, hosts_.names(), longest_reason_};
        for (std::size_t first = 0; first < entries_.size();) {
            const std::size_t last = end_of_block(first);
            write_block(first, last, writer);
            first = last;
        }
        writer.finish(coverage());
        summary_.covered = covered_.count();
        return summary_;
    }

  private:
    static constexpr std::size_t block_rows = 16384;
    /// Rows of a source that lie this close together are read in one go.
    static constexpr std::uint64_t bridged_gap = 64;

    void collect() {
        std::vector<Interval> covered;
        for (std::size_t s = 0; s < sources_->size(); ++s) {
            const Scan found = scan(*(*sources_)[s]);
            for (const RowPlace& place : found.places) entries_.push_back({place.point_id, s, place.row});
            covered.insert(covered.end(), found.covered.intervals().begin(), found.covered.intervals().end());
            summary_.invalid_rows += found.invalid_rows;
            longest_reason_ = std::max(longest_reason_, found.longest_reason);
        }
        covered_ = IntervalSet{std::move(covered)};
        std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
            if (a.point_id != b.point_id) return a.point_id < b.point_id;
            return std::make_tuple(+a.source, +a.row) < std::make_tuple(+b.source, +b.row);
        });
    }

    /// A block ends where a point ends.
    [[nodiscard]] std::size_t end_of_block(std::size_t first) const {
        std::size_t last = std::min(first + block_rows, entries_.size());
        while (last < entries_.size() && entries_[last].point_id == entries_[last - 1].point_id) ++last;
        return last;
    }

    /// The rows of entries [first, last), in their order.
    [[nodiscard]] std::vector<std::byte> read_block(std::size_t first, std::size_t last) const {
        const std::size_t stride = layout_.bytes();
        std::vector<std::size_t> order;
        for (std::size_t i = first; i < last; ++i) order.push_back(i);
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return std::make_tuple(+entries_[a].source, +entries_[a].row) <
                   std::make_tuple(+entries_[b].source, +entries_[b].row);
        });
        std::vector<std::byte> rows((last - first) * stride);
        std::vector<std::byte> run;
        for (std::size_t begin = 0; begin < order.size();) {
            const std::size_t end = end_of_run(order, begin);
            const std::uint64_t first_row = entries_[order[begin]].row;
            const std::uint64_t count = entries_[order[end - 1]].row - first_row + 1;
            run.resize(count * stride);
            (*sources_)[entries_[order[begin]].source]->read(first_row, count, run.data());
            for (; begin < end; ++begin) {
                const std::byte* const from = run.data() + (entries_[order[begin]].row - first_row) * stride;
                std::memcpy(rows.data() + (order[begin] - first) * stride, from, stride);
            }
        }
        return rows;
    }

    [[nodiscard]] std::size_t end_of_run(const std::vector<std::size_t>& order, std::size_t begin) const {
        std::size_t end = begin + 1;
        while (end < order.size() && entries_[order[end]].source == entries_[order[begin]].source &&
               entries_[order[end]].row - entries_[order[end - 1]].row <= bridged_gap) {
            ++end;
        }
        return end;
    }

    void write_block(std::size_t first, std::size_t last, ColumnarWriter& writer) {
        const std::size_t stride = layout_.bytes();
        const std::vector<std::byte> rows = read_block(first, last);
        std::vector<std::byte> kept;
        std::vector<std::uint16_t> hosts;
        kept.reserve(rows.size());
        for (std::size_t begin = first; begin < last;) {
            std::size_t end = begin + 1;
            while (end < last && entries_[end].point_id == entries_[begin].point_id) ++end;
            const std::size_t chosen = choose(begin, end, rows.data() - first * stride);
            const std::byte* const row = rows.data() + (chosen - first) * stride;
            kept.insert(kept.end(), row, row + stride);
            if (!conclusive(RowView{layout_, row})) ++summary_.failures;
            hosts.push_back(host_of(entries_[chosen]));
            if (RowView{layout_, row}.reason_is_cut()) {
                writer.add_long_reason(entries_[chosen].point_id, reason_of(entries_[chosen]));
            }
            summary_.duplicates += end - begin - 1;
            begin = end;
        }
        writer.append(kept, hosts);
        summary_.rows += hosts.size();
        for (std::size_t i = 0; i < hosts.size(); ++i) {
            ids_.push_back(RowView{layout_, kept.data() + i * stride}.point_id());
        }
    }

    /// Which of the rows [begin, end) of one point stands for all.
    /// \param rows  where the row of entry 0 would stand
    [[nodiscard]] std::size_t choose(std::size_t begin, std::size_t end, const std::byte* rows) const {
        std::size_t chosen = begin;
        const auto at = [&](std::size_t i) { return rows + i * layout_.bytes(); };
        for (std::size_t i = begin + 1; i < end; ++i) {
            const RowView held{layout_, at(chosen)};
            const RowView next{layout_, at(i)};
            if (conclusive(held) && conclusive(next)) {
                if (std::memcmp(at(chosen), at(i), layout_.answer_bytes()) != 0) disagree(chosen, i);
            } else if (conclusive(next)) {
                chosen = i;
            }
        }
        return chosen;
    }

    [[noreturn]] void disagree(std::size_t a, std::size_t b) const {
        throw InputError(
            fmt::format("'{}' and '{}' have different answers for point {}: another dse, or another input, "
                        "made one of them",
                        (*sources_)[entries_[a].source]->path(), (*sources_)[entries_[b].source]->path(),
                        entries_[a].point_id));
    }

    [[nodiscard]] std::uint16_t host_of(const Entry& entry) const {
        return hosts_.map(entry.source, (*sources_)[entry.source]->host(entry.row));
    }

    [[nodiscard]] const std::string& reason_of(const Entry& entry) const {
        return *(*sources_)[entry.source]->long_reason(entry.point_id);
    }

    [[nodiscard]] std::vector<Coverage> coverage() const {
        std::vector<Coverage> ranges;
        for (const Interval& interval : covered_.intervals()) {
            const auto begin = std::lower_bound(ids_.begin(), ids_.end(), interval.first);
            const auto end = std::lower_bound(begin, ids_.end(), interval.last);
            ranges.push_back({interval.first, interval.count(), static_cast<std::uint64_t>(end - begin)});
        }
        return ranges;
    }

    const std::vector<std::unique_ptr<RowSource>>* sources_;
    const Header* header_;
    RowLayout layout_;
    Hosts hosts_;
    std::vector<Entry> entries_;
    std::vector<std::uint64_t> ids_;  ///< of the rows written
    IntervalSet covered_;
    std::size_t longest_reason_{0};
    MergeSummary summary_;
};

}  // namespace

MergeSummary merge_rows(const std::vector<std::unique_ptr<RowSource>>& sources, const Header& header,
                        const std::filesystem::path& path) {
    return Merger{sources, header}.run(path);
}

}  // namespace dse::results
