#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/serving/request.hpp"

namespace dse::eval {

/// Traces of requests, read once: neighbouring points send the same.
class TraceShelf {
  public:
    /// \param folder  where paths begin that are not absolute
    /// \param most_kept  requests of a trace, where they can be read one after another
    explicit TraceShelf(std::string folder, std::int64_t most_kept = 1'000'000)
        : folder_{std::move(folder)}, most_kept_{most_kept} {}

    /// As serving::read_trace(); valid until the next call.
    /// \throws ModelError where the file is no trace: that is the point's answer
    const serving::Requests& find(const std::string& path, std::int64_t most);

    /// Whether it has so many requests, none of which says what it begins with, that they are better read one
    /// after another. \throws as find()
    bool is_long(const std::string& path, std::int64_t most);
    [[nodiscard]] std::string file(const std::string& path) const;

  private:
    static constexpr std::size_t most_traces = 8;
    struct Entry {
        std::string path;
        std::int64_t most{0};
        serving::Requests requests;
    };
    Entry* entry(const std::string& path, std::int64_t most);

    std::string folder_;
    std::int64_t most_kept_;
    std::vector<Entry> entries_;
    std::vector<std::string> long_;  ///< paths
};

}  // namespace dse::eval
