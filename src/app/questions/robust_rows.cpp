#include "app/questions/robust_rows.hpp"

#include "app/questions/asked_rows.hpp"
#include "dse/config/library.hpp"
#include "dse/eval/error_table.hpp"

namespace dse::app {

void each_robust_row(const RowQuestion& question, const std::map<RowGroups::Values, RobustFront>& fronts,
                     const RobustRowVisitor& visit) {
    AskedRows{question}.each([&](const RowGroups::Values& values, const results::Table& rows) {
        const auto front = fronts.find(values);
        if (front == fronts.end()) return;
        for (std::size_t row = 0; row < rows.rows(); ++row) {
            if (front->second.holds(rows, row)) visit(values, rows, row);
        }
    });
}

SharedErrors shared_errors(const RowQuestion& question) {
    const eval::ErrorTable table = eval::read_errors(config::Library::standard(question.file));
    return {table.correlation, table.correlation_apart};
}

}  // namespace dse::app
