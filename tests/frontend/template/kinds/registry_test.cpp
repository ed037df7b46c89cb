#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "frontend/template/one_line.hpp"

namespace dse::frontend {
namespace {

TEST(OperatorKinds, UnknownOnesNameTheNearest) {
    try {
        static_cast<void>(operator_kinds().find("rmsnorm"));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("rms_norm"), std::string::npos) << error.what();
    }
}

/// No kind crashes on operands of any rank, nor on none: it makes an operation or says why not.
TEST(OperatorKinds, AnyOperandsAreReadOrRefused) {
    int refused = 0;
    int read = 0;
    for (const std::string& kind : operator_kinds().names()) {
        for (const char* operands :
             {"", "t0", "t1", "t2", "t3", "t4", "i2", "t2, t2", "t3, p1", "t3, p2", "p2, t3", "i2, p2",
              "t4, t3", "t3, p1, p1", "t3, t3, t3", "t0, t0", "t3, t2, t2"}) {
            for (const char* text : {"", "\"ab,bc->ac\"", "\"abc,cd->abd\"", "\",->\""}) {
                test::OneLine line;
                line.declare("t0", {});
                line.declare("t1", {"h"});
                line.declare("t2", {"b", "s"});
                line.declare("t3", {"b", "s", "h"});
                line.declare("t4", {"b", "n", "s", "s"});
                line.declare("i2", {"b", "s"}, TensorRole::input, Storage::index);
                line.parameter("p1", {"h"});
                line.parameter("p2", {"h", "h"});
                const std::string comma = *text != '\0' && *operands != '\0' ? ", " : "";
                const auto operation = line.read("y = " + kind + "(" + text + comma + operands + ")");
                EXPECT_NE(operation.has_value(), !line.errors().empty()) << kind << " of " << operands;
                ++(operation ? read : refused);
            }
        }
    }
    EXPECT_GT(read, 30);
    EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace dse::frontend
