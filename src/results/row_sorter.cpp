#include "results/row_sorter.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "results/host_names.hpp"
#include "results/log/append_file.hpp"
#include "results/shard_records.hpp"
#include "results/shard_source.hpp"

namespace dse::results {
namespace {

/// Bytes of rows that are sorted in memory.
constexpr std::size_t stretch_bytes = std::size_t{64} << 20U;
constexpr std::size_t read_buffer = std::size_t{1} << 20U;

class RowSorter {
  public:
    RowSorter(const LogHeader& header, AppendFile file)
        : shape_{header.header.schema}, file_{std::move(file)} {
        const std::vector<std::byte> content = encode(header);
        salt_ = salt_of(content);
        add_record(RecordKind::header, content);
    }

    void add(const Row& row) {
        const std::size_t begin = payloads_.size();
        encode(row, shape_, payloads_);
        places_.push_back({row.point_id, begin, payloads_.size()});
        if (payloads_.size() >= stretch_bytes) end_stretch();
    }

    AppendFile take() {
        end_stretch();
        return std::move(file_);
    }

  private:
    struct Place {
        std::uint64_t point_id;
        std::size_t begin;
        std::size_t end;
    };

    void end_stretch() {
        std::stable_sort(places_.begin(), places_.end(),
                         [](const Place& a, const Place& b) { return a.point_id < b.point_id; });
        while (!places_.empty()) write_run();
        write();
        payloads_.clear();
    }

    /// Writes the first row of each point; the others stay for the next run.
    void write_run() {
        std::vector<Place> others;
        const Place* last = nullptr;
        for (const Place& place : places_) {
            if (last != nullptr && last->point_id == place.point_id) {
                others.push_back(place);
                continue;
            }
            last = &place;
            add_record(RecordKind::row, std::span{payloads_}.subspan(place.begin, place.end - place.begin));
            if (records_.bytes().size() >= read_buffer) write();
        }
        places_ = std::move(others);
    }

    void add_record(RecordKind kind, std::span<const std::byte> payload) {
        records_.begin(kind);
        records_.bytes().insert(records_.bytes().end(), payload.begin(), payload.end());
        records_.end(salt_);
    }

    void write() {
        file_.append(records_.bytes());
        records_.clear();
    }

    RowShape shape_;
    AppendFile file_;
    std::uint64_t salt_{0};
    std::vector<std::byte> payloads_;
    std::vector<Place> places_;
    RecordWriter records_;
};

}  // namespace

std::unique_ptr<RowSource> sorted_rows(const Sources& sources, const std::filesystem::path& folder) {
    HostNames names;
    std::vector<std::vector<std::uint16_t>> hosts;
    for (const auto& source : sources) hosts.push_back(names.add(source->hosts()));
    const LogHeader header{.header = sources.front()->header(), .hosts = names.names(), .name = "sorted"};
    RowSorter sorter{header, AppendFile::nameless(folder)};
    for (std::size_t s = 0; s < sources.size(); ++s) {
        const auto rows = sources[s]->rows_as_written(read_buffer);
        Row row;
        while (rows->next(row)) {
            row.host = hosts[s].at(row.host);
            sorter.add(row);
        }
    }
    return std::make_unique<ShardSource>(sorter.take(), fmt::format("rows of {} files", sources.size()));
}

}  // namespace dse::results
