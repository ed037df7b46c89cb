#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dse::eval {

/// Layout of the workers of a deployment, or of one of its pools. 0: not stated.
struct WorkerRow {
    std::int64_t workers{0};       ///< equal ones; requests are divided among them
    std::int64_t tp{0};            ///< of attention and dense layers
    std::int64_t pp{0};            ///< pipeline stages
    std::int64_t attention_dp{0};  ///< ranks of attention that each have their own requests
    std::int64_t moe_ep{0};        ///< devices over which experts are distributed
};

/// A measured deployment: a closed loop of `concurrency` requests.
struct ServingRow {
    std::string id;     ///< of this row alone
    std::string model;  ///< as the table calls it, like `gpu`, `framework` and `release`
    std::string gpu;
    std::string framework;  ///< "vllm", "sglang", "trtllm"
    std::string release;
    std::string source;           ///< kind of measurement
    std::string quantization;     ///< precision of matrix products
    bool pools_apart{false};      ///< whether prefill and decode have separate workers
    std::int64_t prompt{0};       ///< nominal length in tokens
    std::int64_t output{0};       ///< nominal length in tokens
    std::int64_t concurrency{0};  ///< requests at any time, at least 1; 0: not stated
    WorkerRow worker;             ///< unless pools_apart
    WorkerRow prefill;            ///< if pools_apart, like `decode`
    WorkerRow decode;
    std::string suspect;         ///< why its parallelism is not reliable; empty if it is
    std::string configuration;   ///< key of the configuration; equal for repeated measurements
    std::optional<double> ttft;  ///< time to first token, s, mean or median as the table states it
    std::optional<double> tpot;  ///< time per further output token, s, likewise
};

/// Whether the header line of a file is that of such a table. \throws InputError if it cannot be read
bool is_serving_table(const std::string& file);

/// Reads a table with the columns of ai-dynamo/aiconfigurator's silicon_sample.csv, including ttft_s and
/// tpot_s; other columns are ignored.
/// \throws InputError if the file cannot be read or lacks a required column
std::vector<ServingRow> read_serving_rows(const std::string& file);

}  // namespace dse::eval
