#include "dse/config/csv.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::config {
namespace {

using Records = std::vector<std::vector<std::string>>;

/// Fields of the records of a text.
Records fields_of(std::string_view text) {
    Records fields;
    for (CsvRecord& record : parse_csv(text, "t")) fields.push_back(std::move(record.fields));
    return fields;
}

/// Lines on which the records of a text begin.
std::vector<int> lines_of(std::string_view text) {
    std::vector<int> lines;
    for (const CsvRecord& record : parse_csv(text, "t")) lines.push_back(record.line);
    return lines;
}

template <class Call>
std::string error_of(Call call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(ParseCsv, FieldsAndRecords) {
    EXPECT_EQ(fields_of("a,b\n1,\n"), (Records{{"a", "b"}, {"1", ""}}));
    EXPECT_EQ(fields_of("a,b\r\n1,2"), (Records{{"a", "b"}, {"1", "2"}})) << "no line end after the last";
    EXPECT_EQ(fields_of(""), Records{});
}

TEST(ParseCsv, QuotesHoldCommasQuotesAndLines) {
    EXPECT_EQ(fields_of("\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\n"),
              (Records{{"a,b", "say \"x\"", "two\nlines"}}));
}

TEST(ParseCsv, OtherFormsOfTablesAreNamed) {
    const auto error = [](std::string_view text) { return error_of([&] { parse_csv(text, "t"); }); };
    EXPECT_EQ(error("m;n;k;seconds\n1;2;3;4,5\n"), "t:1: columns are separated by semicolons, not by commas");
    EXPECT_EQ(error("m\tn\tk\n1\t2\t3\n"), "t:1: columns are separated by tabs, not by commas");
    EXPECT_EQ(error("\x1f\x8b\x08"),
              "t:1: not comma-separated values: the file is compressed: unpack it with gunzip");
    const std::string wide("\xff\xfem\0,\0n\0", 8);  // without quotes, which would be errors by themselves
    EXPECT_EQ(error(wide), "t:1: not comma-separated values: the file is in UTF-16, not UTF-8");
    EXPECT_EQ(fields_of("say; a word\n"), (Records{{"say; a word"}})) << "one column";
}

TEST(ParseCsv, BlankLinesAreNoRecordsAndCount) {
    const std::string text = "a,b\n\n \n1,2\n\n3,4\n\n";
    EXPECT_EQ(fields_of(text), (Records{{"a", "b"}, {"1", "2"}, {"3", "4"}}));
    EXPECT_EQ(lines_of(text), (std::vector{1, 4, 6}));
    EXPECT_EQ(lines_of("a,b\r\n\r\n1,2\r\n3,4"), (std::vector{1, 3, 4}));
    EXPECT_EQ(lines_of("\n\na"), std::vector{3});
}

TEST(ParseCsv, LinesInQuotesCount) {
    EXPECT_EQ(lines_of("a,\"two\nlines\"\n\"\n\n\",b\nlast\n"), (std::vector{1, 3, 6}));
}

TEST(ParseCsv, AByteOrderMarkIsNotPartOfTheFirstField) {
    EXPECT_EQ(fields_of("\xef\xbb\xbfid,b\n1,2\n"), (Records{{"id", "b"}, {"1", "2"}}));
    EXPECT_EQ(fields_of("\xef\xbb\xbf"), Records{});
}

TEST(ParseCsv, Utf16IsNamed) {
    const std::string text{"\xff\xfe\"\0i\0d\0\"\0x\0", 12};
    try {
        static_cast<void>(parse_csv(text, "rows.csv"));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string{error.what()}.find("the file is in UTF-16, not UTF-8"), std::string::npos)
            << error.what();
    }
}

TEST(ParseCsv, BrokenQuotesNameTheRecord) {
    for (const char* text : {"a\nb\n\"c", "a\nb\nc\"d\n"}) {
        try {
            static_cast<void>(parse_csv(text, "rows.csv"));
            FAIL() << text;
        } catch (const InputError& error) {
            EXPECT_NE(std::string{error.what()}.find("rows.csv:3: not comma-separated values: a quote"),
                      std::string::npos)
                << error.what();
        }
    }
}

/// A table of measurements is often larger than any configuration.
TEST(ReadCsv, TablesMayBeLargerThanConfigurations) {
    const test::TemporaryFolder folder;
    std::string text = "a,b\n";
    while (text.size() <= (9U << 20U)) text += std::string(1000, '1') + ",2\n";
    EXPECT_GT(read_csv(folder.write("rows.csv", text)).size(), 9000U);
    const std::string file = folder.write("huge.csv", "a,b\n");
    std::filesystem::resize_file(file, 100U << 20U);
    EXPECT_EQ(error_of([&] { static_cast<void>(read_csv(file)); }),
              file + ": more than 64 MiB is too large for a table (split it)");
}

TEST(ReadCsv, AFileThatIsMissingMayBeOneBesideIt) {
    const test::TemporaryFolder folder;
    const std::string file = folder.write("rows.csv", "a,b\n");
    const std::string wrong = file.substr(0, file.size() - 5) + ".csv";  // row.csv
    EXPECT_EQ(error_of([&] { static_cast<void>(read_csv(wrong)); }),
              wrong + ": cannot be read: No such file or directory (did you mean '" + file + "'?)");
}

TEST(ReadCsvHeader, TheFirstRecordOfAFile) {
    const test::TemporaryFolder folder;
    EXPECT_EQ(read_csv_header(folder.write("rows.csv", "a,b\n1,2\n")), (Records::value_type{"a", "b"}));
    EXPECT_EQ(read_csv_header(folder.write("empty.csv", "")), Records::value_type{});
    EXPECT_EQ(error_of([] { static_cast<void>(read_csv_header("/dev/null")); }),
              "/dev/null: is a pipe or a device, which can be read only once (write it to a file)");
}

}  // namespace
}  // namespace dse::config
