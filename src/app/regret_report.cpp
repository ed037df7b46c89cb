#include "app/regret_report.hpp"

#include <utility>

#include <fmt/format.h>

#include "app/csv.hpp"
#include "app/human.hpp"
#include "app/result_columns.hpp"
#include "app/row_point.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/eval/uncertain_evaluator.hpp"
#include "dse/metrics/regret.hpp"
#include "dse/results/front_rows.hpp"

namespace dse::app {
namespace {

const std::vector<metrics::Objective>& regret_columns() {
    static const std::vector<metrics::Objective> columns{{"regret_worst"}, {"regret_p90"}, {"regret_mean"}};
    return columns;
}

/// \return shape [design][draw]
std::vector<std::vector<double>> drawn(const study::Sweep& sweep, const results::Table& designs,
                                       std::size_t metric) {
    eval::UncertainEvaluator evaluator{sweep, sim::Asked::For::time};
    std::vector<std::vector<double>> answers;
    space::Record record;
    for (std::size_t row = 0; row < designs.rows(); ++row) {
        if (dist::stop_requested()) throw Stopped("stopped between two points");
        evaluator.evaluate(point_of(sweep, designs, row), record);
        answers.push_back(evaluator.drawn()[metric]);
    }
    return answers;
}

}  // namespace

Regrets regrets_of(const study::Sweep& sweep, const results::Table& designs, std::size_t metric) {
    Regrets result{sweep.uncertain->of[metric], static_cast<std::size_t>(sweep.uncertain->draws), designs};
    std::vector<double> worst;
    std::vector<double> p90;
    std::vector<double> mean;
    for (std::vector<double>& own : metrics::regrets(drawn(sweep, designs, metric), result.of.direction)) {
        const metrics::RegretSummary summary = metrics::summed_up(std::move(own));
        worst.push_back(summary.worst);
        p90.push_back(summary.p90);
        mean.push_back(summary.mean);
    }
    for (const metrics::Objective& column : regret_columns())
        result.designs.schema.metrics.push_back({column.metric, "1"});
    for (std::vector<double>* column : {&worst, &p90, &mean})
        result.designs.metrics.push_back(std::move(*column));
    result.designs = results::best_first(result.designs, regret_columns());
    return result;
}

std::string regret_text(const Regrets& regrets, const std::vector<std::size_t>& varied, std::size_t top) {
    return fmt::format("Regret of {} against the best of {} designs, under {} draws:\n{}", regrets.of.metric,
                       human_count(regrets.designs.rows()), human_count(regrets.draws),
                       rows_text(regrets.designs, first_rows(regrets.designs, top), regret_columns(), varied,
                                 {}, {regrets.of.metric}));
}

Json regret_json(const Regrets& regrets, std::size_t top) {
    Json json{{"metric", regrets.of.metric},
              {"designs", regrets.designs.rows()},
              {"draws", regrets.draws},
              {"rows", Json::array()}};
    for (const std::size_t row : first_rows(regrets.designs, top))
        json["rows"].push_back(row_json(regrets.designs, row));
    return json;
}

}  // namespace dse::app
