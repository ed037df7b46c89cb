// Also tests: validation/energy_row.cpp
#include "dse/eval/validation/validate_energy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::eval {
namespace {

constexpr const char* power_table =
    "model,task,architecture,weight_precision,gpu,gpus,tp,dp,ep,avg_batch_size,avg_output_tokens,avg_power_w,"
    "energy_per_token_j,output_tokens_per_s\n"
    "L8,chat,Dense Transformer,bfloat16,H100,1,1,1,1,64,600,500,0.2,2500\n"
    "L8,chat,Dense Transformer,bfloat16,H100,2,2,1,1,8,600,700,1,700\n"
    "L9,chat,Dense Transformer,bfloat16,H100,1,1,1,1,8,600,500,1,500\n"
    "L8,code,Dense Transformer,bfloat16,H100,1,1,1,1,8,600,500,1,500\n"
    "L8,chat,Dense Transformer,bfloat16,H100,3,1,2,1,8,600,500,1,500\n"
    "L8,chat,Dense Transformer,bfloat16,H100,1,1,1,1,8,600,,1,500\n";

class EnergyTable : public ::testing::Test {
  protected:
    EnergyTable() {
        facts_.models = {{"L8", "llama3_8b"}};
        facts_.clusters = {{"H100", "h100_ndr400"}};
        facts_.precisions = {{"bfloat16", "bf16"}};
        facts_.tasks = {{"chat", 100}};
        facts_.prompts_at_once = 16;
    }
    [[nodiscard]] std::string file(const std::string& text) const { return folder_.write("rows.csv", text); }
    [[nodiscard]] std::vector<EnergyComparison> compared(const EnergyFacts& facts) const {
        return validate_energy(read_energy_rows(file(power_table)), facts, library_);
    }

    test::TemporaryFolder folder_;
    config::Library library_{config::Library::standard("")};
    EnergyFacts facts_;
};

TEST_F(EnergyTable, IsKnownByItsColumns) {
    EXPECT_TRUE(is_energy_table(file(power_table)));
    EXPECT_FALSE(is_energy_table(file("id,value\n")));
    EXPECT_THROW((void)read_energy_rows(file("model,energy_per_token_j\n")), InputError);
}

TEST_F(EnergyTable, RefusesNumbersThatAreNotFinite) {
    const std::string more = "L8,chat,Dense Transformer,bfloat16,H100,1,1,1,1,64,600,inf,0.2,2500\n";
    try {
        static_cast<void>(read_energy_rows(file(power_table + more)));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string{error.what()}.find("row 7: avg_power_w is 'inf', which is not a finite number"),
                  std::string::npos)
            << error.what();
    }
}

TEST_F(EnergyTable, SaysWhyARowIsNotPredicted) {
    const auto rows = compared(facts_);
    ASSERT_EQ(rows.size(), 6U);
    EXPECT_TRUE(rows[0].is_compared()) << rows[0].why;
    EXPECT_TRUE(rows[1].is_compared()) << rows[1].why;
    EXPECT_EQ(rows[2].why.find("no model is described for 'L9' ("), 0U) << rows[2].why;
    EXPECT_EQ(rows[3].why, "no prompts are described for 'code'");
    EXPECT_EQ(rows[4].why, "3 devices are not shared equally by 2 replicas of attention");
    EXPECT_EQ(rows[5].why, "power or throughput is not stated");
}

/// Replicas share a batch and nothing else: two with 128 requests are two servers with 64, whose joules a
/// token are those of one.
TEST_F(EnergyTable, SharesABatchAmongReplicas) {
    const std::string two = "L8,chat,Dense Transformer,bfloat16,H100,2,1,2,1,128,600,1000,0.2,5000\n";
    const auto rows = validate_energy(read_energy_rows(file(power_table + two)), facts_, library_);
    EXPECT_NEAR(rows.back().joules_per_token, rows.front().joules_per_token,
                1e-9 * rows.front().joules_per_token);
    EXPECT_NEAR(rows.back().power, 2.0 * rows.front().power, 1e-9 * rows.front().power);
}

/// A second of host for each step adds nothing to the work: energy grows by the power of a device that does
/// nothing, for 600 / 64 steps a request.
TEST_F(EnergyTable, CountsWhatADeviceDrawsWhileItWaits) {
    const EnergyComparison prompt = compared(facts_).front();
    facts_.host_time = Seconds{1.0};
    const EnergyComparison late = compared(facts_).front();
    EXPECT_NEAR(late.joules_per_token - prompt.joules_per_token, 378.0 / 64.0, 1e-9);
    EXPECT_DOUBLE_EQ(late.power_at_pace, prompt.power_at_pace) << "the pace is the measured one";
    EXPECT_LT(prompt.power_at_pace, 700.0);
    EXPECT_GT(prompt.power_at_pace, 378.0);
}

/// Below the limit, power is `active`, operations and 43 pJ for each byte; two devices draw twice as much.
TEST_F(EnergyTable, SaysWhatThePowerAtThePaceConsistsOf) {
    const auto rows = compared(facts_);
    for (const std::size_t row : {0U, 1U}) {
        const EnergyComparison& server = rows[row];
        const double device = 378.0 + server.operations_power + 43e-12 * server.bytes_per_second;
        ASSERT_LT(device, 700.0);
        EXPECT_NEAR(server.power_at_pace, static_cast<double>(row + 1) * device, 1e-6);
    }
}

TEST_F(EnergyTable, SumsUpByKindAndDevice) {
    const auto summaries = summarize(compared(facts_));
    ASSERT_EQ(summaries.size(), 2U);
    EXPECT_EQ(summaries[0].name, "H100 dense");
    EXPECT_EQ(summaries[1].name, "all");
    EXPECT_EQ(summaries[1].rows, 2U);
    EXPECT_TRUE(summarize(std::vector<EnergyComparison>{}).empty());
}

}  // namespace
}  // namespace dse::eval
