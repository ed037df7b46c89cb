#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "dse/base/hash.hpp"
#include "dse/serving/request.hpp"
#include "dse/serving/request_source.hpp"

namespace dse::serving {

/// Reads a trace of requests as its publishers write it, packed by gzip or not: CSV with a head line (Azure
/// LLM inference 2023 and 2024, BurstGPT, Vidur; arrival_s, input_tokens, output_tokens), or a JSON object a
/// line (Mooncake). The first request arrives at 0.
/// \param most  requests, from the beginning; 0: all
/// \throws InputError with the line of what cannot be: columns that lack, times that are negative or go back,
/// requests without tokens, a file without requests or with more than a run holds
Requests read_trace(const std::string& path, std::int64_t most);

/// The requests of a trace one after another, without their pieces. \throws as read_trace() and speed_up()
class TraceSource final : public RequestSource {
  public:
    TraceSource(const std::string& path, std::int64_t most, double speed);
    ~TraceSource() override;
    bool next(Request& request) override;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Reads a trace, or so many requests of it, and keeps none. \returns the digest of its whole text, unpacked
/// \throws as read_trace()
Digest check_trace(const std::string& path, std::int64_t most);

/// The same requests with gaps divided by `speed`. \throws ModelError where that lasts too long
void speed_up(double speed, Requests& requests);

}  // namespace dse::serving
