#include "dse/base/check.hpp"

namespace dse::detail {

void contract_violated(const char* kind, const char* condition, const char* file, int line) {
    throw ContractViolation(
        fmt::format("{}:{}: {} does not hold: {} (this is a bug in dse)", file, line, kind, condition));
}

}  // namespace dse::detail
