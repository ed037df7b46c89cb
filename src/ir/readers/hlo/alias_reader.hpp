#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dse/ir/program/program.hpp"
#include "scanner.hpp"

namespace dse::ir::hlo {

/// A result, or an argument, that shares its buffer: by number, and by the way into its tuple.
struct StatedAlias {
    std::optional<Sizes> result;  ///< the way into the one result; none of a donated argument
    std::int64_t parameter{0};
    Sizes element;
    std::size_t place{0};  ///< in the text
};

/// `input_output_alias={ {0}: (2, {}, may-alias), {1,0}: (3, {1}) }`
std::vector<StatedAlias> read_aliases(Scanner& scanner);

/// `buffer_donor={ (0, {}), (1, {2}) }`
std::vector<StatedAlias> read_donors(Scanner& scanner);

/// The same by numbers of leaves of the entry's arguments and result. \throws InputError where there is no
/// such leaf
std::vector<BufferAlias> leaves_of(const std::vector<StatedAlias>& stated, const Program& program,
                                   const Scanner& scanner);

}  // namespace dse::ir::hlo
