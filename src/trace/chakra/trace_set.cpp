#include "dse/trace/chakra/trace_set.hpp"

#include <charconv>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "trace/chakra/file_checksum.hpp"

namespace dse::trace::chakra {
namespace {

namespace fs = std::filesystem;

/// The rank in "PREFIX.<rank>.et", if the file is named like that.
std::optional<std::uint64_t> rank_in(std::string_view file, std::string_view prefix) {
    constexpr std::string_view ending = ".et";
    if (!file.starts_with(prefix) || !file.ends_with(ending)) return std::nullopt;
    file.remove_prefix(prefix.size());
    if (file.size() <= ending.size() + 1 || file.front() != '.') return std::nullopt;
    file = file.substr(1, file.size() - 1 - ending.size());
    std::uint64_t rank = 0;
    const auto [end, error] = std::from_chars(file.data(), file.data() + file.size(), rank);
    const bool whole = error == std::errc{} && end == file.data() + file.size();
    // The standard's tools would not open "t.00.et".
    return whole && fmt::format("{}", rank) == file ? std::optional{rank} : std::nullopt;
}

using Reader = std::function<RankTrace(const std::string& path, std::size_t rank)>;

/// Reads files one by one and keeps those that are new.
class SetReader {
  public:
    SetReader(const std::vector<std::string>& files, const Reader& read) : files_{files}, read_{read} {}

    TraceSet run() {
        for (const std::string& file : files_) ++files_of_size_[size_of(file)];
        for (std::size_t rank = 0; rank < files_.size(); ++rank) add(rank);
        set_.programs = static_cast<std::uint32_t>(programs_.size());
        return std::move(set_);
    }

  private:
    struct Content {
        std::uintmax_t size{0};
        std::uint64_t checksum{0};
        friend auto operator<=>(const Content&, const Content&) = default;
    };

    static std::uintmax_t size_of(const std::string& file) {
        std::error_code error;
        const std::uintmax_t size = fs::file_size(file, error);
        return error ? 0 : size;  // the reader will report the error
    }

    void add(std::size_t rank) {
        const std::string& file = files_[rank];
        const std::uintmax_t size = size_of(file);
        std::optional<Content> content;
        // A file with a unique size cannot have a copy.
        if (files_of_size_[size] > 1) content = Content{size, file_checksum(file)};
        if (content) {
            if (const auto found = first_with_.find(*content); found != first_with_.end()) {
                set_.ranks.push_back(set_.ranks[found->second]);
                set_.ranks.back().path = file;
                set_.program.push_back(set_.program[found->second]);
                return;
            }
            first_with_.emplace(*content, rank);
        }
        ++set_.decoded;
        set_.ranks.push_back(read_(file, rank));
        set_.program.push_back(share(set_.ranks.back().trace));
    }

    /// Replaces the trace by an equal one if there is one. \return number of the program
    std::uint32_t share(std::shared_ptr<const Trace>& trace) {
        std::vector<std::uint32_t>& candidates = by_checksum_[trace->checksum()];
        for (const std::uint32_t candidate : candidates) {
            if (*programs_[candidate] == *trace) {
                trace = programs_[candidate];
                return candidate;
            }
        }
        const auto number = static_cast<std::uint32_t>(programs_.size());
        programs_.push_back(trace);
        candidates.push_back(number);
        return number;
    }

    const std::vector<std::string>& files_;
    const Reader& read_;
    TraceSet set_;
    std::map<std::uintmax_t, std::size_t> files_of_size_;
    std::map<Content, std::size_t> first_with_;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_checksum_;
    std::vector<std::shared_ptr<const Trace>> programs_;
};

/// Of a folder that was named in place of a prefix: the prefix of the traces in it, if it has any.
std::string prefix_in(const fs::path& folder) {
    constexpr std::string_view first_rank = ".0.et";
    std::error_code error;
    for (const auto& entry : fs::directory_iterator{folder, error}) {
        const std::string file = entry.path().string();
        if (file.ends_with(first_rank)) return file.substr(0, file.size() - first_rank.size());
    }
    return {};
}

std::string no_traces(const std::string& prefix) {
    const std::string inside = prefix_in(prefix);
    std::error_code ignored;
    const bool is_folder = fs::is_directory(prefix, ignored);
    const std::string hint = !inside.empty() ? fmt::format(" (did you mean '{}'?)", inside)
                             : is_folder     ? fmt::format(" ('{}' is a directory without traces)", prefix)
                                             : "";
    return fmt::format("there is no trace '{0}', and none '{0}.<rank>.et'{1}", prefix, hint);
}

}  // namespace

std::vector<std::string> trace_files(const std::string& prefix) {
    std::error_code error;
    if (fs::is_regular_file(prefix, error)) return {prefix};
    const fs::path path{prefix};
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path{"."};
    const std::string start = path.filename().string();
    std::map<std::uint64_t, std::string> found;
    for (const auto& entry : fs::directory_iterator{folder, error}) {
        const std::string file = entry.path().filename().string();
        if (const auto rank = rank_in(file, start))
            found.emplace(*rank, fmt::format("{}.{}.et", prefix, *rank));
    }
    if (error)
        throw InputError(fmt::format("there are no traces '{}.<rank>.et': {}", prefix, error.message()));
    if (found.empty()) throw InputError(no_traces(prefix));
    std::vector<std::string> files;
    for (auto& [rank, file] : found) {
        if (rank != files.size())
            throw InputError(
                fmt::format("the trace '{}.{}.et' is missing: the ranks go up to {} (where only some "
                            "are wanted, as of --ranks classes, name one file: '{}.{}.et')",
                            prefix, files.size(), found.rbegin()->first, prefix, found.begin()->first));
        files.push_back(std::move(file));
    }
    return files;
}

TraceSet read_traces(const std::vector<std::string>& files) {
    const Reader read = [](const std::string& path, std::size_t) { return read_trace(path); };
    return SetReader{files, read}.run();
}

TraceSet read_traces(const std::vector<std::string>& files, std::vector<RankFaults>& faults) {
    faults.clear();
    const Reader read = [&faults](const std::string& path, std::size_t rank) {
        RankFaults own{rank, {}};
        RankTrace trace = read_trace(path, own.faults);
        if (own.faults.count > 0) faults.push_back(std::move(own));
        return trace;
    };
    return SetReader{files, read}.run();
}

}  // namespace dse::trace::chakra
