#include "app/series_file.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::app {

void write_series(const std::string& path, Existing existing, const eval::Evaluation& evaluation) {
    if (evaluation.series.empty())
        throw InputError("--series: the point has no requests over time (only those of mode serving do)");
    OutputFile file{path, existing};
    file.stream() << "time_s,waiting,running,cache_use,arrived,answered,ttft_mean_s\n";
    for (const auto& interval : evaluation.series) {
        const std::string first =
            std::isnan(interval.first_token) ? std::string{} : fmt::format("{}", interval.first_token);
        file.stream() << fmt::format("{},{},{},{},{},{},{}\n", interval.start, interval.waiting,
                                     interval.running, interval.cache_use, interval.arrived,
                                     interval.answered, first);
    }
    file.close();
}

}  // namespace dse::app
