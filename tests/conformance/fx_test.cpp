#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/csv.hpp"
#include "dse/ir/readers/fx/read_fx.hpp"

namespace dse::conformance {
namespace {

using Counts = std::map<std::string, int>;

Counts counts_of(const ir::Program& program) {
    Counts counts;
    for (const ir::Computation& computation : program.computations)
        for (const ir::Operation& operation : computation.operations)
            if (operation.name != ir::no_name) ++counts[std::string{program.text(operation.name)}];
    return counts;
}

class Fx : public ConformanceData {
  protected:
    // Of the family, ONNX and torch-mlir files are no FX.
    [[nodiscard]] std::vector<CsvRow> files() const {
        std::vector<CsvRow> rows = read_csv(path("ir/MANIFEST.csv"));
        std::erase_if(rows, [](const CsvRow& row) {
            return row.at("family") != "fx" || row.at("file").ends_with(".mlir") ||
                   row.at("file").ends_with(".onnx");
        });
        return rows;
    }
    [[nodiscard]] ir::Program read(const CsvRow& row) const {
        return ir::read_fx(ir::Source::file(path("ir/" + row.at("file"))));
    }
};

TEST_F(Fx, ReadsTheFiles) {
    const auto rows = files();
    EXPECT_GE(rows.size(), 18U);
    for (const CsvRow& row : rows) {
        SCOPED_TRACE(row.at("file"));
        EXPECT_NO_THROW(ir::validate(read(row)));
    }
}

// The manifest's counts were taken from the text by a pattern. It takes the class's base, torch.nn.Module,
// for an operator, and does not see torch._C._nn.*; of the raw log it counts all graphs at every stage of the
// compiler, also inside Python code, where the reader takes the two that AOTAutograd made.
TEST_F(Fx, CountsTheirOperators) {
    std::size_t compared = 0;
    for (const CsvRow& row : files()) {
        if (row.at("file").ends_with("_raw.log")) continue;
        Counts counts = counts_of(read(row));
        std::istringstream words{row.at("ops_top25")};
        for (std::string word; words >> word;) {
            const std::size_t colon = word.rfind(':');
            const std::string name = word.substr(0, colon);
            if (name == "torch.nn.Module") continue;
            EXPECT_EQ(counts[name], std::stoi(word.substr(colon + 1))) << row.at("file") << ": " << name;
            ++compared;
        }
        if (row.at("file").find("dynamo") != std::string::npos ||
            row.at("file").find("inductor") != std::string::npos)
            continue;
        int total = 1;  // torch.nn.Module
        for (const auto& [name, count] : counts) total += count;
        EXPECT_EQ(total, std::stoi(row.at("n_ops"))) << row.at("file");
    }
    std::cout << compared << " counts of operators are equal\n";
    EXPECT_GT(compared, 150U);
}

TEST_F(Fx, TakesAotAutogradsGraphsOfALog) {
    for (const CsvRow& row : files()) {
        if (!row.at("file").ends_with("_raw.log")) continue;
        Counts counts = counts_of(read(row));
        // Two compiled functions: three collectives in the one, one in the other; each is waited for.
        EXPECT_EQ(counts["_c10d_functional.all_reduce"], 2);
        EXPECT_EQ(counts["_c10d_functional.all_gather_into_tensor"], 1);
        EXPECT_EQ(counts["_c10d_functional.reduce_scatter_tensor"], 1);
        EXPECT_EQ(counts["_c10d_functional.wait_tensor"], 4);
    }
}

}  // namespace
}  // namespace dse::conformance
