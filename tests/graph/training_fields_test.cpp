#include "dse/graph/training_fields.hpp"

#include <gtest/gtest.h>

#include "dse/config/field_index.hpp"
#include "dse/graph/software_stack.hpp"

namespace dse::graph {
namespace {

TEST(TrainingFields, AreThoseThatForwardPassesReset) {
    SoftwareStack stack;
    config::FieldIndex fields;
    fields.add("", stack);
    SoftwareStack usual = forward_part(stack, Mode::decode);
    config::FieldIndex defaults;
    defaults.add("", usual);
    int tried = 0;
    for (const config::FieldRef& field : fields.fields()) {
        const std::string& name = field.info().path;
        // Whatever the text says, no other field may say it.
        EXPECT_TRUE(!field.info().help.starts_with("training: ") || is_for_training(name)) << name;
        if (!is_for_training(name)) continue;
        EXPECT_FALSE(field.info().help.starts_with("inference: ")) << name;
        const double value = field.read();
        field.assign(value == 1.0 ? 2.0 : 1.0);
        SoftwareStack forward = forward_part(stack, Mode::decode);
        field.assign(value);
        config::FieldIndex reset;
        reset.add("", forward);
        EXPECT_EQ(reset.find(name)->read(), defaults.find(name)->read()) << name;
        ++tried;
    }
    EXPECT_GT(tried, 50);
}

TEST(TrainingFields, AreNoneThatInferenceReads) {
    for (const char* name :
         {"precision", "attention_rate", "cuda_graphs", "expert_rate", "weight_bits", "none", ""})
        EXPECT_FALSE(is_for_training(name)) << name;
}

}  // namespace
}  // namespace dse::graph
