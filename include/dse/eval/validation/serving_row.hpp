#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dse::eval {

/// Layout of the workers of a deployment, or of one of its pools. 0: not stated.
struct WorkerRow {
    std::int64_t workers{0};
    std::int64_t tp{0};
    std::int64_t pp{0};
    std::int64_t attention_dp{0};
    std::int64_t moe_tp{0};
    std::int64_t moe_ep{0};
};

/// A measured deployment: a closed loop of `concurrency` requests.
struct ServingRow {
    std::string id;
    std::string model;
    std::string gpu;
    std::string framework;
    std::string release;
    std::string source;        ///< kind of measurement
    std::string quantization;  ///< precision of matrix products
    bool pools_apart{false};   ///< whether prefill and decode have separate workers
    std::int64_t prompt{0};    ///< nominal length in tokens
    std::int64_t output{0};    ///< nominal length in tokens
    std::int64_t concurrency{0};
    WorkerRow worker;
    WorkerRow prefill;
    WorkerRow decode;
    std::string suspect;         ///< why its parallelism is not reliable; empty if it is
    std::string configuration;   ///< key of the configuration; equal for repeated measurements
    std::optional<double> ttft;  ///< s
    std::optional<double> tpot;  ///< s
};

/// Whether the header line of a file is that of such a table.
bool is_serving_table(const std::string& file);

/// Reads a table with the columns of ai-dynamo/aiconfigurator's silicon_sample.csv, including ttft_s and
/// tpot_s; other columns are ignored.
/// \throws InputError if the file cannot be read or lacks a required column
std::vector<ServingRow> read_serving_rows(const std::string& file);

}  // namespace dse::eval
