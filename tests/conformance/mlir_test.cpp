#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/csv.hpp"
#include "conformance/operator_counts.hpp"
#include "dse/base/error.hpp"
#include "dse/ir/program/cost/program_cost.hpp"
#include "dse/ir/readers/mlir/read_mlir.hpp"

namespace dse::conformance {
namespace {

using Counts = std::map<std::string, std::int64_t>;

class Mlir : public ConformanceData {
  protected:
    [[nodiscard]] std::vector<CsvRow> files() const {
        std::vector<CsvRow> rows = read_csv(path("ir/MANIFEST.csv"));
        std::erase_if(rows, [](const CsvRow& row) { return row.at("family") != "stablehlo"; });
        return rows;
    }
    [[nodiscard]] std::vector<ir::Program> read(const std::string& file) const {
        return ir::read_mlir_modules(ir::Source::file(path("ir/" + file)));
    }
    /// The StableHLO specification's tests of its verifier, each a text of its own.
    [[nodiscard]] std::vector<std::string> specification_parts() const {
        const auto source = ir::Source::file(path("ir/stablehlo/spec_ops_stablehlo.mlir"));
        const std::string_view text = source.text();
        constexpr std::string_view mark = "// -----";
        std::vector<std::string> parts;
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find(mark, begin), text.size());
            parts.emplace_back(text.substr(begin, end - begin));
            begin = end + mark.size();
        }
        return parts;
    }
};

Counts counts_of(const std::vector<ir::Program>& programs) {
    Counts counts;
    for (const ir::Program& program : programs)
        for (const auto& [name, count] : ir::program_cost(program).operators) counts[name] += count;
    return counts;
}

// Names in the manifest that are keys of attributes: its counts were taken from the text by a pattern.
const std::set<std::string>& attribute_keys() {
    static const std::set<std::string> keys{
        "mhlo.attributes",        "mhlo.cross_program_prefetches",   "mhlo.input_output_alias",
        "mhlo.is_dynamic",        "mhlo.use_auto_spmd_partitioning", "mhlo.version",
        "sdy.original_func_name", "torch.debug_module_name"};
    return keys;
}

// It counted the dialects that it knew; names without one (return, call) it left out.
bool manifest_counts(const std::string& name) {
    static const std::set<std::string> dialects{"stablehlo", "mhlo", "chlo", "sdy", "func", "arith", "torch"};
    const std::size_t dot = name.find('.');
    return dot != std::string::npos && dialects.contains(name.substr(0, dot));
}

TEST_F(Mlir, ReadsTheFiles) {
    std::size_t read_files = 0;
    const auto rows = files();
    for (const CsvRow& row : rows) {
        try {
            for (const ir::Program& program : read(row.at("file"))) ir::validate(program);
            ++read_files;
        } catch (const InputError& error) {
            std::cout << row.at("file") << " is refused: " << error.what() << '\n';
        }
    }
    std::cout << read_files << " of " << rows.size() << " files are read\n";
    EXPECT_GE(static_cast<double>(read_files), 0.95 * static_cast<double>(rows.size()));
}

// The specification's own tests hold programs that are wrong on purpose: only these may be refused.
TEST_F(Mlir, ReadsEveryRightPartOfTheSpecificationsTests) {
    std::size_t right = 0;
    std::size_t refused = 0;
    for (const std::string& part : specification_parts()) {
        const bool holds_something =
            part.find("func.func") != std::string::npos || part.find("\"stablehlo") != std::string::npos;
        if (!holds_something || part.find("expected-error") != std::string::npos) continue;
        ++right;
        try {
            ir::read_mlir_modules(ir::Source::text(part, "part"));
        } catch (const InputError& error) {
            ++refused;
            std::cout << error.what() << "\nof" << part.substr(0, 400) << '\n';
        }
    }
    std::cout << right - refused << " of " << right << " right parts are read\n";
    EXPECT_GE(right, 150U);
    EXPECT_EQ(refused, 0U);
}

// What is refused is mostly wrong in a shape; what is read is wrong in regions of reductions, layouts,
// quantised types, or operators that are not held against their shapes (batch normalisation, FFTs, random
// numbers).
TEST_F(Mlir, RefusesWrongPartsOfTheSpecificationsTests) {
    std::size_t wrong = 0;
    std::size_t refused = 0;
    for (const std::string& part : specification_parts()) {
        if (part.find("expected-error") == std::string::npos) continue;
        ++wrong;
        try {
            ir::read_mlir_modules(ir::Source::text(part, "part"));
        } catch (const InputError&) {
            ++refused;
        }
    }
    std::cout << refused << " of " << wrong << " wrong parts are refused\n";
    EXPECT_GE(refused, 150U);
}

TEST_F(Mlir, CountsTheirOperations) {
    std::size_t compared = 0;
    for (const CsvRow& row : files()) {
        Counts counts;
        try {
            counts = counts_of(read(row.at("file")));
        } catch (const InputError&) {
            continue;
        }
        std::int64_t all = 0;
        for (const auto& [name, count] : counts)
            if (manifest_counts(name)) all += count;
        for (const auto& [name, count] : operator_counts(row.at("ops_top25"))) {
            if (attribute_keys().contains(name)) {
                all += count;
                continue;
            }
            EXPECT_EQ(counts[name], count) << row.at("file") << ": " << name;
            ++compared;
        }
        // Its pattern knows no hyphens (cross-replica-sum), and has keys of attributes beyond the 25 names.
        const std::string file = row.at("file");
        const int missed = file.ends_with("multi_device_jax.mlir")    ? -1
                           : file.find("rule_registry") < file.size() ? 2
                                                                      : 0;
        EXPECT_EQ(all + missed, std::stoll(row.at("n_ops"))) << file;
    }
    std::cout << compared << " counts are equal\n";
    EXPECT_GE(compared, 400U);
}

// Products and convolutions of the entry and of what it calls, loops once.
TEST_F(Mlir, ProductsAndConvolutionsEqualTheReference) {
    const auto rows = read_csv(path("ir/REFERENCE_COST_STABLEHLO.csv"));
    for (const CsvRow& row : rows) {
        const std::vector<ir::Program> programs = read(row.at("file"));
        ASSERT_EQ(programs.size(), 1U) << row.at("file");
        const ir::Cost cost = ir::program_cost(programs.front()).once;
        EXPECT_EQ(cost.dot, number(row, "dot_flops")) << row.at("file");
        EXPECT_EQ(cost.convolution, number(row, "conv_flops_valid_positions(XLA rule)")) << row.at("file");
        EXPECT_EQ(cost.convolution_full, number(row, "conv_flops_full_window(2*MAC)")) << row.at("file");
    }
    EXPECT_EQ(rows.size(), 24U);
}

}  // namespace
}  // namespace dse::conformance
