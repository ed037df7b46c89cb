#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace dse::frontend {

/// The words of a text between blanks: names of tensors in `recompute_tensors` and `adapter.targets`, shares
/// in `stage_layers`.
inline std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(std::move(word));
    return words;
}

}  // namespace dse::frontend
