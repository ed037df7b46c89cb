#include "dse/config/ini.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::config {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string value_of(const IniFile& file, const char* section, const char* key) {
    const IniSection* found = file.find(section);
    const IniEntry* entry = found != nullptr ? found->find(key) : nullptr;
    return entry != nullptr ? entry->value : "none";
}

TEST(ParseIni, both_delimiters_and_any_case) {
    Diagnostics diagnostics;
    const IniFile file = parse_ini(
        "# first\n[general]\nrun_name = a:b = c\n\n[Arch]\nArrayHeight:    32\r\n ; note\nBandwidth : 1,2\n",
        "x.cfg", diagnostics);
    EXPECT_EQ(diagnostics.text(), "");
    EXPECT_EQ(value_of(file, "general", "run_name"), "a:b = c") << "the first delimiter counts";
    EXPECT_EQ(value_of(file, "Arch", "arrayheight"), "32");
    EXPECT_EQ(value_of(file, "Arch", "bandwidth"), "1,2");
    EXPECT_EQ(file.find("arch"), nullptr) << "sections keep their case";
    EXPECT_EQ(to_string(file.find("Arch")->find("bandwidth")->where), "x.cfg:8:1");
}

TEST(ParseIni, indented_lines_go_on) {
    Diagnostics diagnostics;
    const IniFile file = parse_ini("[a]\nkey = one\n  two\nother = 3\n", "x.cfg", diagnostics);
    EXPECT_EQ(value_of(file, "a", "key"), "one\ntwo");
    EXPECT_EQ(value_of(file, "a", "other"), "3");
    EXPECT_EQ(diagnostics.text(), "");
}

TEST(ParseIni, a_file_may_begin_with_a_byte_order_mark_and_end_without_a_line_end) {
    Diagnostics diagnostics;
    EXPECT_EQ(value_of(parse_ini("\xEF\xBB\xBF[a]\nb=1", "x.cfg", diagnostics), "a", "b"), "1");
    EXPECT_EQ(value_of(parse_ini("[a]\nb=", "x.cfg", diagnostics), "a", "b"), "");
    EXPECT_EQ(diagnostics.text(), "");
}

TEST(ParseIni, everything_wrong_is_named) {
    Diagnostics diagnostics;
    static_cast<void>(parse_ini("early = 1\n[a\n[b]\nx = 1\nX: 2\nnothing\n[b]\n", "x.cfg", diagnostics));
    EXPECT_THAT(diagnostics.text(),
                AllOf(HasSubstr("x.cfg:1:1: error: 'early = 1' comes before"), HasSubstr("x.cfg:2:1"),
                      HasSubstr("x.cfg:5:1: error: 'x' is given twice in [b]"),
                      HasSubstr("x.cfg:6:1: error: 'nothing' is neither"),
                      HasSubstr("x.cfg:7:1: error: section [b] is given twice")));
}

}  // namespace
}  // namespace dse::config
