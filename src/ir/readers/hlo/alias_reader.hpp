#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dse/ir/program/program.hpp"
#include "scanner.hpp"

namespace dse::ir::hlo {

/// A result, or an argument, that shares its buffer: its number and the index into its tuple.
struct StatedAlias {
    std::optional<Sizes> result;  ///< index into the result; none for a donated argument
    std::int64_t parameter{0};
    Sizes element;
    std::size_t place{0};  ///< position in the text
};

/// `input_output_alias={ {0}: (2, {}, may-alias), {1,0}: (3, {1}) }`
std::vector<StatedAlias> read_aliases(Scanner& scanner);

/// `buffer_donor={ (0, {}), (1, {2}) }`
std::vector<StatedAlias> read_donors(Scanner& scanner);

/// Converts these to leaf numbers of the entry's arguments and result.
/// \throws InputError if there is no such leaf
std::vector<BufferAlias> leaves_of(const std::vector<StatedAlias>& stated, const Program& program,
                                   const Scanner& scanner);

}  // namespace dse::ir::hlo
