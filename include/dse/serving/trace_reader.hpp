#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "dse/base/hash.hpp"
#include "dse/serving/request.hpp"
#include "dse/serving/request_source.hpp"

namespace dse::serving {

/// Reads a request trace in its published format, gzip-compressed or not: CSV with a header line (Azure LLM
/// inference 2023 and 2024, BurstGPT, Vidur; arrival_s, input_tokens, output_tokens), or one JSON object per
/// line (Mooncake). The first request arrives at 0.
/// \param most  number of requests to read, from the beginning; 0: all
/// \throws InputError with the line at fault: missing columns, times that are negative or decrease, requests
///         without tokens, a file without requests or with more than a run can hold
Requests read_trace(const std::string& path, std::int64_t most);

/// Whether columns of a table are those of a request trace: one of them is called as arrivals are in a
/// published format.
bool has_arrivals(std::span<const std::string> columns);

/// The requests of a trace one at a time, without their pieces. \throws as read_trace() and speed_up()
class TraceSource final : public RequestSource {
  public:
    TraceSource(const std::string& path, std::int64_t most, double speed);
    ~TraceSource() override;
    bool next(Request& request) override;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

struct CheckedTrace {
    Digest text;                      ///< of the whole uncompressed text
    std::int64_t longest_request{0};  ///< prompt and answer [tokens]
};

/// Reads a trace, or its first `most` requests, without keeping them.
/// \throws as read_trace()
CheckedTrace check_trace(const std::string& path, std::int64_t most);

/// Divides the gaps between requests by `speed`. \throws ModelError if the result lasts too long
void speed_up(double speed, Requests& requests);

}  // namespace dse::serving
