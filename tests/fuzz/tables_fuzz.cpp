// Any bytes as each of the tables that people write or measure: no crash, no hang, nothing thrown but what a
// user is told; errors lie on lines of the file; and what is accepted can be used.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/kernel_file.hpp"
#include "dse/base/error.hpp"
#include "dse/config/source_text.hpp"
#include "dse/eval/validation/energy_row.hpp"
#include "dse/eval/validation/serving_row.hpp"
#include "dse/eval/validation/truth_row.hpp"
#include "dse/hardware/device/learned_spec.hpp"
#include "dse/hardware/device/measured_table.hpp"
#include "dse/serving/trace_reader.hpp"
#include "fuzz/input_file.hpp"
#include "fuzz/invariant.hpp"

namespace {

using namespace dse;

/// Calls `read` with diagnostics of its own. \return whether it found no fault
template <class Read>
bool accepts(int lines, Read read) {
    config::Diagnostics diagnostics;
    try {
        read(diagnostics);
    } catch (const InputError& error) {
        DSE_INVARIANT(*error.what() != '\0');
        return false;
    }
    for (const config::Diagnostic& diagnostic : diagnostics.all()) {
        DSE_INVARIANT(diagnostic.where.line >= 1 && diagnostic.where.line <= lines);
    }
    DSE_INVARIANT(config::printable(diagnostics.text()) == diagnostics.text());
    return diagnostics.ok();
}

void check(const hardware::LearnedKind& kind) {
    for (const double value : {-1e30, 0.0, 1.0, 1e30}) {
        const std::vector<double> features(hardware::TreeEnsemble::most_features, value);
        DSE_INVARIANT(std::isfinite(kind.trees(features)));
    }
    for (std::size_t count = 1; count <= hardware::CostSums::most_costs; ++count) {
        if (kind.sums.fit(count)) DSE_INVARIANT(kind.sums(0, std::vector<double>(count, 1e-6)) >= 0.0);
    }
}

void check(const serving::Requests& requests) {
    DSE_INVARIANT(!requests.all.empty() && requests.all.front().arrival == 0);
    serving::Ticks last = 0;
    for (const serving::Request& request : requests.all) {
        DSE_INVARIANT(request.arrival >= last && request.prompt >= 1 && request.output >= 1);
        last = request.arrival;
    }
    if (requests.first_piece.empty()) return;
    DSE_INVARIANT(requests.first_piece.size() == requests.all.size() + 1);
    DSE_INVARIANT(std::ranges::is_sorted(requests.first_piece));
    DSE_INVARIANT(requests.first_piece.back() == requests.pieces.size());
    for (const std::uint32_t piece : requests.pieces) DSE_INVARIANT(piece < requests.piece_names);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string& file = fuzz::input_file(data, size, ".table");
    const int lines = static_cast<int>(std::count(data, data + size, '\n')) + 1;
    accepts(lines, [&](config::Diagnostics& diagnostics) {
        const hardware::LearnedTrees trees = hardware::read_trees(file, diagnostics);
        for (const auto& [name, kind] : trees.kinds) check(kind);
    });
    accepts(lines, [&](auto& diagnostics) { (void)hardware::read_measured_rows(file, diagnostics); });
    accepts(lines, [&](auto& diagnostics) { (void)app::read_kernels(file, diagnostics); });
    accepts(lines, [&](auto&) { check(serving::read_trace(file, 0)); });
    accepts(lines, [&](auto&) { (void)eval::read_truth(file); });
    accepts(lines, [&](auto&) { (void)eval::read_serving_rows(file); });
    accepts(lines, [&](auto&) { (void)eval::read_energy_rows(file); });
    return 0;
}
