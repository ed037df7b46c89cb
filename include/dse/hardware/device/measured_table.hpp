#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/config/library.hpp"
#include "dse/hardware/device/precision_rates.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Measured time of one kernel on a device.
struct MeasuredRow {
    std::string op;         ///< operator class: gemm, elementwise, normalization, …
    std::string precision;  ///< fp16, bf16, …
    /// A matrix product `batch` times (m × k)(k × n); all 0 for other kernels.
    double batch{0};
    double m{0};
    double n{0};
    double k{0};
    Bytes bytes;  ///< bytes read and written, each operand once; 0 if the shape determines them
    Seconds time;
    int line{0};  ///< line of the file, for messages
};

/// Measured kernel times of one device: a YAML file that names their source, and a CSV file beside it with
/// the columns
///
///     operator,precision,shape,bytes,seconds
///     gemm,fp16,4096x8192x8192,,0.002468         m x n x k, or batch x m x n x k
///     elementwise,fp16,,100663296,0.000112       read and written
struct MeasuredTable {
    /// Rates of a device.
    struct Rates {
        PrecisionRates peak;
        PrecisionRates sustained;
        BytesPerSecond bandwidth;
    };

    std::string name;
    std::string source;
    std::string rows_file;
    std::string rows_path;                                 ///< of the file that was read
    std::shared_ptr<const std::vector<MeasuredRow>> rows;  ///< nullptr: no table
    /// What the file of the device states, on which the rows were measured. An axis that varies these rates
    /// asks for another device, which the rows do not describe as they are. Nothing: those of the device.
    std::optional<Rates> rates;

    [[nodiscard]] bool exists() const { return rows != nullptr && !rows->empty(); }
};

/// Reads the rows of a CSV file. Errors go to `diagnostics`, line by line: a missing column, an invalid
/// shape, a time or size that is not positive.
std::vector<MeasuredRow> read_measured_rows(const std::string& file, config::Diagnostics& diagnostics);

/// Reads the rows of `table.rows_file`, a path relative to the file that names it.
/// \param map  the node from which the table was read
void load_rows(MeasuredTable& table, const config::Node& map, config::Diagnostics& diagnostics);

template <class Visitor>
void describe(Visitor& v, MeasuredTable& table) {
    v.required("name", table.name, "name for display");
    v.required("source", table.source, "who measured, with what software, in what state");
    v.required("rows", table.rows_file, "CSV file of operator, precision, shape, bytes, seconds");
    if constexpr (requires { v.diagnostics(); }) load_rows(table, v.node(), v.diagnostics());
}

}  // namespace dse::hardware
