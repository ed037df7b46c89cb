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
    explicit TraceShelf(std::string folder) : folder_{std::move(folder)} {}

    /// As serving::read_trace(); valid until the next call.
    /// \throws ModelError where the file is no trace: that is the point's answer
    const serving::Requests& find(const std::string& path, std::int64_t most);

  private:
    static constexpr std::size_t most_traces = 8;
    struct Entry {
        std::string path;
        std::int64_t most{0};
        serving::Requests requests;
    };
    std::string folder_;
    std::vector<Entry> entries_;
};

}  // namespace dse::eval
