#include "trace/chakra/process_groups.hpp"

#include <gtest/gtest.h>

namespace dse::trace::chakra {
namespace {

TEST(ProcessGroups, ReadsListsOfPyTorch) {
    std::vector<ProcessGroup> groups;
    EXPECT_TRUE(read_process_groups(R"([{"pg_name": "0", "ranks": [], "group_size": 2}])", groups));
    EXPECT_TRUE(read_process_groups(R"(['[{"pg_name": 3, "ranks": {"5": 1, "4": 0}}]'])", groups));
    EXPECT_TRUE(read_process_groups("['[]']", groups));
    EXPECT_EQ(groups, (std::vector<ProcessGroup>{{"0", "", {}}, {"3", "", {4, 5}}}));
}

TEST(ProcessGroups, RefusesWhatIsNone) {
    std::vector<ProcessGroup> groups;
    for (const char* text :
         {"", "[", "{}", "[1]", R"([{"pg_name": "0"}])", R"([{"pg_name": "0", "ranks": 1}])",
          R"([{"pg_name": "0", "ranks": ["1"]}])", R"([{"pg_name": "0", "ranks": {"x": 1}}])",
          R"([{"pg_name": "1", "ranks": [1]}, 2])"})
        EXPECT_FALSE(read_process_groups(text, groups)) << text;
    EXPECT_TRUE(groups.empty());
}

}  // namespace
}  // namespace dse::trace::chakra
