#include "app/requests_file.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using serving::to_ticks;

TEST(RequestsFile, HasARowPerRequest) {
    const dse::test::TemporaryFolder folder;
    const std::string path = folder.path() + "/requests.csv";
    eval::Evaluation evaluation;
    evaluation.series = {{}};
    evaluation.requests = {{{to_ticks(0.5), 100, 8}, to_ticks(0.75), to_ticks(2.5), 1}};
    write_requests(path, Existing::refuse, evaluation);
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    EXPECT_EQ(text.str(),
              "arrival_s,prompt_tokens,output_tokens,first_token_s,end_s,replica\n"
              "0.5,100,8,0.75,2.5,1\n");
    EXPECT_THROW(write_requests(path, Existing::refuse, evaluation), InputError) << "it exists";
}

TEST(RequestsFile, NamesTheClasses) {
    const dse::test::TemporaryFolder folder;
    const std::string path = folder.path() + "/requests.csv";
    eval::Evaluation evaluation;
    evaluation.series = {{}};
    evaluation.classes.resize(2);
    evaluation.classes[1].name = "batch";
    evaluation.requests = {{{to_ticks(0.5), 100, 8, 1}, to_ticks(2.75), to_ticks(3.5), 1}};
    write_requests(path, Existing::refuse, evaluation);
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    EXPECT_EQ(text.str(),
              "arrival_s,prompt_tokens,output_tokens,first_token_s,end_s,replica,class\n"
              "0.5,100,8,2.75,3.5,1,batch\n");
}

TEST(RequestsFile, SaysWhyThereIsNone) {
    const dse::test::TemporaryFolder folder;
    eval::Evaluation evaluation;
    EXPECT_THROW(write_requests(folder.path() + "/a.csv", Existing::refuse, evaluation), InputError);
    evaluation.series = {{}};  // answered, but not kept
    EXPECT_THROW(write_requests(folder.path() + "/a.csv", Existing::refuse, evaluation), InputError);
}

}  // namespace
}  // namespace dse::app
