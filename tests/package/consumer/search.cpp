// Somebody else's function, searched by methods that learn: the same points alone and under mpirun.
#include <algorithm>
#include <cstdio>

#include "dse/dist/mpi_session.hpp"
#include "dse/explore/campaign.hpp"
#include "dse/explore/registry.hpp"
#include "dse/results/hdf5_reader.hpp"
#include "dse/results/row_schema.hpp"
#include "dse/space/space_text.hpp"

using namespace dse;

explore::Campaign two_valleys() {
    const auto space = space::parse_space(
        "name: two valleys\n"
        "axes: {x: {from: 0, to: 400}, y: {from: 0, to: 300}}\n"
        "search: {method: [nsga2, refine], budget: 400, population: 20}\n");
    const auto objectives = metrics::parse_objectives("iteration_time, energy");
    explore::Campaign campaign;
    campaign.search = explore::make_search(space, "two valleys", objectives);
    campaign.evaluator = [] {
        return [](const space::Point& point, explore::Fidelity, space::Record& record) {
            const double x = point.values[0], y = point.values[1];
            record.metrics.iteration_time = (x - 100) * (x - 100) + (y - 100) * (y - 100);
            record.metrics.energy = (x - 110) * (x - 110) + (y - 200) * (y - 200);
        };
    };
    campaign.schema = results::row_schema(*space, objectives);
    explore::add_goals(*space, campaign.schema);
    return campaign;
}

int main(int, char** argv) {
    dist::MpiSession session;
    const auto report = explore::run(*session.channel(), two_valleys, {.output = argv[1]});
    if (session.rank() != 0) return 0;
    const results::Table table = results::read_results(argv[1]);
    double least = 1e300, sum = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        least = std::min(least, table.metric("iteration_time")[row]);
        sum += static_cast<double>(row + 1) * table.point_value("x")[row];
    }
    std::printf("%s; least %g, sum %.0f\n", report.state.c_str(), least, sum);
    return report.merged.rows > 200 && report.merged.rows <= 400 && least < 300 ? 0 : 1;
}
