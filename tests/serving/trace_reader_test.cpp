// Also tests: trace_line.cpp, line_reader.cpp
#include "dse/serving/trace_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "serving/line_reader.hpp"
#include "serving/trace_line.hpp"
#include "support/soft_equal.hpp"
#include "support/temporary_folder.hpp"

namespace dse::serving {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Traces : public ::testing::Test {
  protected:
    Requests read(const std::string& text, std::int64_t most = 0) {
        return read_trace(folder_.write("trace.csv", text), most);
    }
    std::string error_of(const std::string& text) {
        try {
            read(text);
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    }

    test::TemporaryFolder folder_;
};

/// The first lines of AzureLLMInferenceTrace_conv.csv (2023), as published.
TEST_F(Traces, OfAzureHaveDates) {
    const Requests found = read(
        "TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:15:46.6805900,374,44\r\n"
        "2023-11-16 18:15:50.9951690,396,109\r\n");
    ASSERT_EQ(found.all.size(), 2U);
    EXPECT_EQ(found.all[0], (Request{0, 374, 44}));
    EXPECT_NEAR(to_seconds(found.all[1].arrival), 4.314579, 1e-6);
    EXPECT_TRUE(found.first_piece.empty());
    // 2024: with a zone.
    EXPECT_SOFT_EQ(parse_time("2024-05-10 00:00:00.5+00:00") - parse_time("2024-05-09 23:59:59+00:00"), 1.5);
}

TEST_F(Traces, MayBeginWithAByteOrderMark) {
    const Requests found = read(
        "\xef\xbb\xbf"
        "arrival_s,input_tokens,output_tokens\n1,2,3\n");
    EXPECT_THAT(found.all, ElementsAre(Request{0, 2, 3}));
}

/// 01:30 with an offset of an hour is 00:30 in universal time, and so is 20:30 of the day before with one of
/// -4.
TEST_F(Traces, MayStateATimeZone) {
    const Requests found = read(
        "TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-10 00:00:00.5Z,1,1\n"
        "2024-05-10 01:30:00.5+01:00,1,1\n2024-05-09T20:30:00.50 -0400,1,1\n2024-05-10 00:31:00.5,1,1\n");
    EXPECT_THAT(found.all, ElementsAre(Request{0, 1, 1}, Request{to_ticks(1800.0), 1, 1},
                                       Request{to_ticks(1800.0), 1, 1}, Request{to_ticks(1860.0), 1, 1}));
}

TEST_F(Traces, OfBurstGptNameTheirColumns) {
    const Requests found = read(
        "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
        "5,ChatGPT,472,18,490,Conversation log\n45,ChatGPT,1087,230,1317,Conversation log\n");
    EXPECT_THAT(found.all, ElementsAre(Request{0, 472, 18}, Request{to_ticks(40.0), 1087, 230}));
}

TEST_F(Traces, OfMooncakeAreJsonLines) {
    const Requests found =
        read(R"({"timestamp": 27482, "input_length": 955, "output_length": 52, "hash_ids": [46, 47]})"
             "\n"
             R"({"timestamp": 30535, "input_length": 1024, "output_length": 26, "hash_ids": [46, 2366]})");
    EXPECT_THAT(found.all, ElementsAre(Request{0, 955, 52}, Request{to_ticks(3.053), 1024, 26}));
    EXPECT_THAT(found.first_piece, ElementsAre(0U, 2U, 4U));
    EXPECT_THAT(found.pieces, ElementsAre(0U, 1U, 0U, 2U)) << "numbered as they come";
    EXPECT_EQ(found.piece_names, 3U);
    EXPECT_EQ(found.piece_tokens, 512);
}

/// Requests that failed have no response tokens, says BurstGPT; other tables may not have such lines.
TEST_F(Traces, OfBurstGptHaveFailures) {
    const Requests found = read(
        "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
        "5,a,1.5,ChatGPT,472,0,472,API log\n15,a,1.5,ChatGPT,472,18,490,API log\n25,b,2,GPT-4,9,0,9,API log\n"
        "45,b,1,GPT-4,1087,230,1317,API log\n");
    EXPECT_THAT(found.all, ElementsAre(Request{0, 472, 18}, Request{to_ticks(30.0), 1087, 230}));
}

/// Seconds, and blocks of 16 tokens.
TEST_F(Traces, OfQwenBailianHaveOtherUnits) {
    const std::string first =
        R"({"chat_id": 159, "parent_chat_id": -1, "timestamp": 61.114, "input_length": 33, )"
        R"("output_length": 132, "type": "text", "turn": 1, "hash_ids": [9, 8, 7]})"
        "\n";
    const Requests found = read(
        first +
        R"({"chat_id": 160, "timestamp": 62.614, "input_length": 16, "output_length": 1, "hash_ids": [9]})");
    EXPECT_THAT(found.all, ElementsAre(Request{0, 33, 132}, Request{to_ticks(1.5), 16, 1}));
    EXPECT_EQ(found.piece_tokens, 16);
    EXPECT_THAT(error_of(first + R"({"timestamp": 70, "input_length": 16, "output_length": 1})"),
                HasSubstr("trace.csv:2: is of another kind"));
}

TEST_F(Traces, HoldPiecesInAColumn) {
    const Requests found =
        read("arrival_s,input_tokens,output_tokens,prefix_block_ids\n0.0,600,5,7 8\n0.5,9,1,\n");
    EXPECT_THAT(found.first_piece, ElementsAre(0U, 2U, 2U));
    EXPECT_THAT(found.pieces, ElementsAre(0U, 1U));
}

/// 1,300 tokens are two whole blocks, and a part of a third.
TEST_F(Traces, MayLeaveOutTheBlockThatAPromptDoesNotFill) {
    const Requests found = read(
        "arrival_s,input_tokens,output_tokens,prefix_block_ids\n0,1300,5,7 8\n1,1300,5,7 8 9\n2,1300,5,\n");
    EXPECT_THAT(found.first_piece, ElementsAre(0U, 2U, 5U, 5U));
}

TEST_F(Traces, MayBeCutAndSpedUp) {
    Requests found = read("arrival_s,input_tokens,output_tokens\n1,1,1\n2,1,1\n5,1,1\n", 2);
    EXPECT_EQ(found.all.size(), 2U);
    speed_up(4.0, found);
    EXPECT_EQ(found.all[1].arrival, to_ticks(0.25));
    EXPECT_THROW(speed_up(1e-9, found), ModelError);
}

TEST_F(Traces, OfServersNameTokensAsInTheirAnswers) {
    const Requests found = read(
        "user,timestamp,prompt_tokens,completion_tokens,total_tokens\n"
        "a,2026-11-29T10:00:00.5Z,7,5,12\nb,2026-11-29T10:00:02Z,9,4,13\n");
    ASSERT_EQ(found.all.size(), 2U);
    EXPECT_EQ(found.all[1].prompt, 9);
    EXPECT_EQ(found.all[1].output, 4);
    EXPECT_NEAR(to_seconds(found.all[1].arrival - found.all[0].arrival), 1.5, 1e-6);
}

TEST_F(Traces, ThatCannotBeSayWhere) {
    const std::string head = "arrival_s,input_tokens,output_tokens\n0.5,1,1\n";
    EXPECT_THAT(error_of(head + "-1,1,1\n"), HasSubstr("trace.csv:3: arrives at -1 s, before the beginning"));
    EXPECT_THAT(error_of(head + "0.25,1,1\n"),
                HasSubstr("trace.csv:3: arrives 0.25 s before the line above it"));
    EXPECT_THAT(error_of(head + "1,0,1\n"), HasSubstr("trace.csv:3: has no prompt tokens"));
    EXPECT_THAT(error_of(head + "1,1,0\n"), HasSubstr("trace.csv:3: has no output tokens"));
    EXPECT_THAT(error_of(head + "1,1.5,1\n"), HasSubstr("1.5 prompt tokens are none"));
    EXPECT_THAT(error_of(head + "1,-3,1\n"), HasSubstr("-3 prompt tokens are none"));
    EXPECT_THAT(error_of(head + "soon,1,1\n"), HasSubstr("trace.csv:3: 'soon' is not a time"));
    EXPECT_THAT(error_of(head + "nan,1,1\n"), HasSubstr("'nan' is not a time"));
    EXPECT_THAT(error_of(head + "1,many,1\n"), HasSubstr("'many' is not a number of tokens"));
    EXPECT_THAT(error_of(head + "1,1\n"), HasSubstr("trace.csv:3: has 2 columns, not 3"));
    EXPECT_THAT(error_of(head + "8e6,1,1\n"), HasSubstr("a run may last"));
    EXPECT_THAT(error_of("timestamp,prompt_tokens,completion_tokens\n1764410000123,1,1\n"),
                HasSubstr("trace.csv:2: '1764410000123' is a time in milliseconds or less"));
    EXPECT_THAT(error_of("time,input_tokens\n1,1\n"),
                HasSubstr("trace.csv:1: no column arrival_s or TIMESTAMP"));
    EXPECT_THAT(error_of("arrival_s,input_tokens,output_tokens\n"), HasSubstr("holds no requests"));
    EXPECT_THAT(error_of("{\"timestamp\": 1}\n"), HasSubstr("has no number \"input_length\""));
    EXPECT_THAT(error_of(head + "1,10,5,7\n"), HasSubstr("trace.csv:3: has 4 columns, not 3"));
    EXPECT_THAT(error_of("arrival_s,input_tokens,output_tokens,prefix_block_ids\n0,1024,1,1 2 3\n"),
                HasSubstr("trace.csv:2: names 3 blocks of its prompt, and 1024 tokens are 2 blocks of 512"));
    EXPECT_THAT(error_of("arrival_s,input_tokens,output_tokens,prefix_block_ids\n0,1600,1,1 2\n"),
                HasSubstr("trace.csv:2: names 2 blocks of its prompt, and 1600 tokens are 4 blocks of 512"));
    for (const char* zone : {"+25:00", "+1", "CET", "+01:60", "Z0"})
        EXPECT_THAT(error_of(head + "2024-05-10 18:00:00" + zone + ",1,1\n"), HasSubstr("is not a time"))
            << zone;
    EXPECT_THAT(error_of(head + "2024-05-10 28:00:00,1,1\n"),
                HasSubstr("'2024-05-10 28:00:00' is not a time"));
    EXPECT_THAT(error_of("arrival_s,TIMESTAMP,input_tokens,output_tokens\n1,1,1,1\n"),
                HasSubstr("trace.csv:1: columns 1 and 2 state the same (arrival_s or TIMESTAMP"));
    const std::string line = R"({"timestamp": 1, "input_length": 9, "output_length": 1, "hash_ids": )";
    EXPECT_THAT(error_of(line + "[4294967296]}\n"), HasSubstr("is not a number below 2^32"));
    EXPECT_THAT(error_of(line + "{\"a\": 3}}\n"), HasSubstr("\"hash_ids\" that are not a list"));
    EXPECT_THAT(error_of("{\"timestamp\": 1\n"), HasSubstr("is not a JSON object"));
    EXPECT_THROW(read_trace(folder_.path("none.csv"), 0), InputError);
}

/// Lines longer than the buffer's first size, and a last one without an end.
TEST_F(Traces, LinesMayBeLong) {
    const std::string text = std::string(3'000'000, 'a') + "\n\nb";
    LineReader lines{folder_.write("long", text)};
    std::string_view line;
    ASSERT_TRUE(lines.next(line));
    EXPECT_EQ(line.size(), 3'000'000U);
    ASSERT_TRUE(lines.next(line));
    EXPECT_EQ(line, "");
    ASSERT_TRUE(lines.next(line));
    EXPECT_EQ(line, "b");
    EXPECT_THAT(lines.where(), HasSubstr("long:3"));
    EXPECT_FALSE(lines.next(line));
}

TEST_F(Traces, AreCheckedWithoutBeingKept) {
    const std::string text = "arrival_s,input_tokens,output_tokens\n1,5,2\n3,6,1\n";
    const std::string path = folder_.write("trace.csv", text);
    EXPECT_EQ(check_trace(path, 0).text, digest(text));
    EXPECT_EQ(check_trace(path, 1).text, digest(text)) << "of the whole text";
    EXPECT_EQ(check_trace(path, 0).longest_request, 7);
    EXPECT_EQ(check_trace(folder_.write("more.csv", text + "4,9,3\n"), 0).longest_request, 12);
    EXPECT_EQ(check_trace(folder_.path("more.csv"), 2).longest_request, 7) << "of those that are read";
    EXPECT_THROW(check_trace(folder_.write("bad.csv", text + "2,1,1\n"), 0), InputError);
    EXPECT_THROW(check_trace(folder_.write("none.csv", "arrival_s,input_tokens,output_tokens\n"), 0),
                 InputError);
}

/// One after another they are those that are read together.
TEST_F(Traces, ComeOneAfterAnother) {
    const std::string path =
        folder_.write("trace.csv", "arrival_s,input_tokens,output_tokens\n1,5,2\n3,6,1\n7,1,1\n");
    TraceSource source{path, 2, 4.0};
    Request request;
    ASSERT_TRUE(source.next(request));
    EXPECT_EQ(request, (Request{0, 5, 2}));
    ASSERT_TRUE(source.next(request));
    EXPECT_EQ(request, (Request{to_ticks(0.5), 6, 1}));
    EXPECT_FALSE(source.next(request)) << "of two";
}

}  // namespace
}  // namespace dse::serving
