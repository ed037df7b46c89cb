// A campaign of somebody else: a space in a text, a function of its points, rows in a file. Alone or under
// mpirun.
#include "dse/explore/campaign.hpp"

#include <cstdio>

#include "dse/dist/mpi_session.hpp"
#include "dse/explore/static_search.hpp"
#include "dse/results/row_schema.hpp"
#include "dse/space/space_text.hpp"

using namespace dse;

explore::Campaign bowl() {
    const auto space = space::parse_space("name: bowl\naxes: {x: {from: -3, to: 3}, y: {from: -2, to: 2}}\n");
    return {.search = explore::static_search(space, "bowl"),
            .evaluator =
                [] {
                    return [](const space::Point& point, explore::Fidelity, space::Record& record) {
                        const double x = point.values[0], y = point.values[1];
                        record.metrics.iteration_time = x * x + y * y;
                    };
                },
            .schema = results::row_schema(*space, metrics::parse_objectives("iteration_time"))};
}

int main(int, char** argv) {
    dist::MpiSession session;
    const auto report = explore::run(*session.channel(), bowl, {.output = argv[1]});
    if (session.rank() == 0) std::printf("%d rows\n", static_cast<int>(report.merged.rows));
}
