#include "app/questions/robust_rows.hpp"

#include "app/questions/masked_rows.hpp"
#include "dse/config/library.hpp"
#include "dse/eval/error_table.hpp"
#include "dse/results/results_reader.hpp"

namespace dse::app {

void each_robust_row(const RowQuestion& question, const std::map<RowGroups::Values, RobustFront>& fronts,
                     const RobustRowVisitor& visit) {
    results::ResultsReader reader{question.file, results::ResultsReader::Extent::so_far, question.trust};
    RowGroups groups{reader.columns(), question.by};
    MaskedRows rows_where{question.where};
    reader.each([&](const results::Table& block) {
        groups.each(rows_where.of(block), [&](const RowGroups::Values& values, const results::Table& rows) {
            const auto front = fronts.find(values);
            if (front == fronts.end()) return;
            for (std::size_t row = 0; row < rows.rows(); ++row) {
                if (front->second.holds(rows, row)) visit(values, rows, row);
            }
        });
    });
}

double error_correlation(const RowQuestion& question) {
    return eval::read_errors(config::Library::standard(question.file)).correlation;
}

}  // namespace dse::app
