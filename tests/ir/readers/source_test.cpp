#include "dse/ir/readers/source.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <zlib.h>

#include "dse/base/error.hpp"
#include "support/error_message.hpp"
#include "support/temporary_folder.hpp"

namespace dse::ir {
namespace {

TEST(Source, ReadsAFile) {
    const test::TemporaryFolder folder;
    const std::string path = folder.path() + "/a.hlo";
    std::ofstream{path} << "HloModule a\n";
    const Source source = Source::file(path);
    EXPECT_EQ(source.text(), "HloModule a\n");
    EXPECT_EQ(source.name(), path);
    source.release(0, source.text().size());
    EXPECT_EQ(source.text(), "HloModule a\n");
}

TEST(Source, ReadsACompressedFile) {
    const test::TemporaryFolder folder;
    const std::string path = folder.path() + "/a.hlo.gz";
    gzFile file = gzopen(path.c_str(), "wb");
    ASSERT_NE(file, nullptr);
    gzputs(file, "HloModule a\n");
    gzclose(file);
    EXPECT_EQ(Source::file(path).text(), "HloModule a\n");
}

TEST(Source, RefusesWhatItCannotRead) {
    const test::TemporaryFolder folder;
    EXPECT_THROW(Source::file(folder.path() + "/none.hlo"), InputError);
    EXPECT_THROW(Source::file(folder.path()), InputError);
    // The first bytes of a compressed file, and no more.
    const std::string path = folder.path() + "/cut.gz";
    std::ofstream{path} << "\x1f\x8b\x08";
    EXPECT_THROW(Source::file(path), InputError);
}

TEST(Source, ReadsWhatEditorsSave) {
    const test::TemporaryFolder folder;
    const std::string path = folder.path() + "/a.hlo";
    std::ofstream{path} << "\xef\xbb\xbfHloModule a\n";
    EXPECT_EQ(Source::file(path).text(), "HloModule a\n");
    EXPECT_EQ(Source::text("\xef\xbb\xbfHloModule a\n", "a").text(), "HloModule a\n");
    std::ofstream{path} << std::string("\xff\xfeH\0", 4);
    EXPECT_NE(test::error_message<InputError>([&] { Source::file(path); }).find("UTF-16"), std::string::npos);
}

TEST(Source, IsEmptyWhereTheFileIs) {
    const test::TemporaryFolder folder;
    const std::string path = folder.path() + "/empty.hlo";
    std::ofstream{path}.flush();
    EXPECT_EQ(Source::file(path).text(), "");
}

TEST(Source, SaysWhere) {
    const Source source = Source::text("ab\ncd\x01\n", "x.hlo");
    EXPECT_EQ(source.place(0).line, 1U);
    EXPECT_EQ(source.place(4).line, 2U);
    EXPECT_EQ(source.place(4).column, 2U);
    EXPECT_EQ(test::error_message([&] { source.refuse(4, "no 'd' here"); }), "x.hlo:2:2: no 'd' here");
}

}  // namespace
}  // namespace dse::ir
