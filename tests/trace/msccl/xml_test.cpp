#include "trace/msccl/xml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_message.hpp"

namespace dse::trace::msccl {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& text) {
    return dse::test::error_message([&] { read_xml(text, "a.xml"); });
}

TEST(Xml, ElementsHaveAttributesAndChildren) {
    const XmlElement root = read_xml(
        "<?xml version=\"1.0\"?>\n<!-- a > b -->\n<a x='1' y = \"&lt;&amp;&apos;\">\n text\n <b/><b "
        "z=\"\"></b >\n</a>\n",
        "a.xml");
    EXPECT_EQ(root.name, "a");
    EXPECT_EQ(root.line, 3U);
    EXPECT_EQ(root.attribute("x"), "1");
    EXPECT_EQ(root.attribute("y"), "<&'");
    EXPECT_FALSE(root.attribute("z"));
    ASSERT_EQ(root.children.size(), 2U);
    EXPECT_EQ(root.children[0].line, 5U);
    EXPECT_EQ(root.children[1].attribute("z"), "");
}

TEST(Xml, SaysWhereItIsWrong) {
    EXPECT_THAT(error_of(""), HasSubstr("'a.xml': line 1: there is no element"));
    EXPECT_THAT(error_of("<a>\n<b>\n</a>"), HasSubstr("line 3: </a> ends <b> of line 2"));
    EXPECT_THAT(error_of("<a>"), HasSubstr("<a> of line 1 does not end"));
    EXPECT_THAT(error_of("<a x>"), HasSubstr("attribute 'x' has no value"));
    EXPECT_THAT(error_of("<a x=1/>"), HasSubstr("not in quotes"));
    EXPECT_THAT(error_of("<a x='1' x='2'/>"), HasSubstr("twice"));
    EXPECT_THAT(error_of("<a x='1>\n<b/></a>"), HasSubstr("does not end"));
    EXPECT_THAT(error_of("<a x='&other;'/>"), HasSubstr("entity"));
    EXPECT_THAT(error_of("<a/><b/>"), HasSubstr("another element follows the root"));
    EXPECT_THAT(error_of("<!-- <a/>"), HasSubstr("a comment does not end"));
    EXPECT_THAT(error_of("< a/>"), HasSubstr("a name is missing"));
    std::string deep;
    for (int level = 0; level < 100'000; ++level) deep += "<a>";
    EXPECT_THAT(error_of(deep), HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace dse::trace::msccl
