#include "app/series_file.hpp"

#include <fstream>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

TEST(SeriesFile, HasARowPerInterval) {
    const dse::test::TemporaryFolder folder;
    const std::string path = folder.path() + "/series.csv";
    const double none = std::numeric_limits<double>::quiet_NaN();
    eval::Evaluation evaluation;
    evaluation.series = {{0.0, 0.5, 1.5, 2.0, 0.25, 3, 1, 0.125}, {0.5, 0.5, 0, 0, 0, 0, 2, none}};
    write_series(path, Existing::refuse, evaluation);
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    EXPECT_EQ(text.str(),
              "time_s,waiting,running,cache_use,arrived,answered,ttft_mean_s\n"
              "0,1.5,2,0.25,3,1,0.125\n"
              "0.5,0,0,0,0,2,\n");
    EXPECT_THROW(write_series(path, Existing::refuse, evaluation), InputError) << "it exists";
    EXPECT_THROW(write_series(path, Existing::replace, {}), InputError) << "no requests";
}

}  // namespace
}  // namespace dse::app
