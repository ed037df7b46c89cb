#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dse::eval {

/// How the workers of a deployment, or of one of its pools, lie on devices. 0: not stated.
struct WorkerRow {
    std::int64_t workers{0};
    std::int64_t tp{0};
    std::int64_t pp{0};
    std::int64_t attention_dp{0};
    std::int64_t moe_tp{0};
    std::int64_t moe_ep{0};
};

/// One measured deployment: closed loop of `concurrency` requests.
struct ServingRow {
    std::string id;
    std::string model;
    std::string gpu;
    std::string framework;
    std::string release;
    std::string source;        ///< kind of measurement
    std::string quantization;  ///< of products
    bool pools_apart{false};   ///< prefill and decode on workers of their own
    std::int64_t prompt{0};    ///< tokens, nominal
    std::int64_t output{0};    ///< the same
    std::int64_t concurrency{0};
    WorkerRow worker;
    WorkerRow prefill;
    WorkerRow decode;
    std::string suspect;         ///< why its sizes are not to be trusted; empty where they are
    std::string configuration;   ///< equal for repeats
    std::optional<double> ttft;  ///< s
    std::optional<double> tpot;  ///< s
};

/// Whether the first line of a file names the columns of such a table.
bool is_serving_table(const std::string& file);

/// Reads a table whose columns are those of ai-dynamo/aiconfigurator's silicon_sample.csv with ttft_s and
/// tpot_s; others are ignored. \throws InputError when the file cannot be read or lacks a column that rows
/// cannot do without
std::vector<ServingRow> read_serving_rows(const std::string& file);

}  // namespace dse::eval
