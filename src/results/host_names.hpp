#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace dse::results {

/// The machines of several files in one list.
class HostNames {
  public:
    /// \return index in the list for each name
    std::vector<std::uint16_t> add(const std::vector<std::string>& names) {
        std::vector<std::uint16_t> indices;
        for (const std::string& name : names) {
            const auto known = std::find(names_.begin(), names_.end(), name);
            indices.push_back(static_cast<std::uint16_t>(known - names_.begin()));
            if (known == names_.end()) names_.push_back(name);
        }
        return indices;
    }

    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  private:
    std::vector<std::string> names_;
};

}  // namespace dse::results
