#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/serving/request.hpp"

namespace dse::eval {

/// Caches traces of requests, because neighbouring points use the same ones.
class TraceShelf {
  public:
    /// \param folder     base of relative paths
    /// \param most_kept  largest number of cached requests for a trace that can be read incrementally
    explicit TraceShelf(std::string folder, std::int64_t most_kept = 1'000'000)
        : folder_{std::move(folder)}, most_kept_{most_kept} {}

    /// Like serving::read_trace(); valid until the next call.
    /// \throws ModelError if the file is not a trace, which then is the result of the point
    const serving::Requests& find(const std::string& path, std::int64_t most);

    /// Whether a trace has more than `most_kept` requests and none with a stated prefix, so that it should be
    /// read incrementally.
    /// \throws like find()
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
    std::vector<std::string> long_;  ///< paths of long traces
};

}  // namespace dse::eval
