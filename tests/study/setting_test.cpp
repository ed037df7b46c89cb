#include "dse/study/setting.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::study {
namespace {

TEST(ParseSetting, IsKeyAndValue) {
    const Setting setting = parse_setting("a.b=c=d");
    EXPECT_EQ(setting.key, "a.b");
    EXPECT_EQ(setting.value, "c=d");
    EXPECT_EQ(parse_setting("a=").value, "");
    EXPECT_THROW(static_cast<void>(parse_setting("a")), InputError);
    EXPECT_THROW(static_cast<void>(parse_setting("=1")), InputError);
}

}  // namespace
}  // namespace dse::study
