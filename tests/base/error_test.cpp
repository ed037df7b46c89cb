#include "dse/base/error.hpp"

#include <string>
#include <type_traits>

#include <gtest/gtest.h>

namespace dse {
namespace {

// Which handler takes an error decides between a row with a reason and the end of the program, so no kind may
// be caught as another.
template <class Error>
std::string kind_of(const Error& error) {
    try {
        throw Error(error);
    } catch (const InputError&) {
        return "input";
    } catch (const ModelError&) {
        return "model";
    } catch (const Stopped&) {
        return "stopped";
    } catch (const std::runtime_error&) {
        return "other runtime error";
    } catch (const ContractViolation&) {
        return "contract";
    }
}

TEST(Error, NoKindIsCaughtAsAnother) {
    EXPECT_EQ(kind_of(InputError("x")), "input");
    EXPECT_EQ(kind_of(ModelError("x")), "model");
    EXPECT_EQ(kind_of(Stopped("x")), "stopped");
    EXPECT_EQ(kind_of(ContractViolation("x")), "contract");
    // A bug must not pass for a condition of the input where somebody catches runtime_error.
    EXPECT_FALSE((std::is_base_of_v<std::runtime_error, ContractViolation>));
}

TEST(Error, KeepsItsMessage) {
    EXPECT_STREQ(InputError("a.yaml:3:1: error: tp: missing").what(), "a.yaml:3:1: error: tp: missing");
}

// Scripts rely on the numbers.
TEST(Error, ExitCodes) {
    EXPECT_EQ(static_cast<int>(ExitCode::ok), 0);
    EXPECT_EQ(static_cast<int>(ExitCode::answer_is_no), 1);
    EXPECT_EQ(static_cast<int>(ExitCode::bad_input), 2);
    EXPECT_EQ(static_cast<int>(ExitCode::internal_error), 3);
    EXPECT_EQ(static_cast<int>(ExitCode::stopped), 4);
}

}  // namespace
}  // namespace dse
