// Any bytes as what PyTorch's compiler prints: a program that holds together, or a reason that can be
// printed.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dse/base/error.hpp"
#include "dse/config/source_text.hpp"
#include "dse/ir/readers/fx/read_fx.hpp"
#include "fuzz/invariant.hpp"

using namespace dse;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const ir::Program program = ir::read_fx(ir::Source::text(text, "x.fx"));
        ir::validate(program);
        DSE_INVARIANT(program.devices() >= 1);
        // What is kept grows with the text: elements that are asked for may be 65536 an operator.
        DSE_INVARIANT(program.values.size() <= size + 1);
    } catch (const InputError& error) {
        const std::string_view message = error.what();
        DSE_INVARIANT(message.starts_with("x.fx:") && message.size() < 1000);
        DSE_INVARIANT(config::printable(message) == message);
    }
    return 0;
}
