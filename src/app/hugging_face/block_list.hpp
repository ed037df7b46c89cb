#pragma once

#include <string>
#include <vector>

#include "app/hugging_face/imported_model.hpp"

namespace dse::app {

/// The value of `blocks` of a model file, with its line end. A pattern of blocks that recurs is written once,
/// as a `repeat`, if this saves several blocks; sizes that recur are written once, with an anchor. A short
/// list stands on one line.
std::string block_list(const std::vector<ImportedBlock>& blocks);

}  // namespace dse::app
