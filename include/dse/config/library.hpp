#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dse/config/node.hpp"

namespace dse::config {

/// The data files that sweeps refer to by name: <root>/<folder>/<name>.yaml, first root that has it wins.
/// Folders: "hardware/devices", "hardware/clusters", "workloads/models", "workloads/templates".
class Library {
  public:
    /// \param roots  folders that hold `hardware`, `workloads`, `sweeps`; those that do not exist are ignored
    explicit Library(std::vector<std::string> roots);

    /// $DSE_DATA (a list with ':'), the working directory, the folders above `beside` (a sweep's file), the
    /// data installed with dse, the source tree dse was built from: in this order.
    static Library standard(const std::string& beside);

    /// The file of this name. A name with '/' or ending in ".yaml" is a path: relative to `beside` (the
    /// folder of the file that names it; may be empty), to the working directory, or to a root.
    [[nodiscard]] std::optional<std::string> find(std::string_view folder, std::string_view name,
                                                  const std::string& beside = "") const;

    /// Names of all files of a folder, sorted.
    [[nodiscard]] std::vector<std::string> names(std::string_view folder) const;

    /// Loads by name, or by `name#section` what stands under that key of the file; a map with a key `base` is
    /// merged with the file of the same folder that it names (see
    /// merge.hpp), and so on. A name that is unknown goes to `diagnostics` at its place with the nearest
    /// known one; so do files that cannot be read and files that are their own base.
    [[nodiscard]] std::optional<Node> load(std::string_view folder, const Node& name,
                                           Diagnostics& diagnostics) const;

    /// What stands behind a value that may name a file: a map as it is, a map with `base: name` merged with
    /// that file, a name loaded.
    [[nodiscard]] std::optional<Node> resolve(std::string_view folder, const Node& value,
                                              Diagnostics& diagnostics) const;

    [[nodiscard]] const std::vector<std::string>& roots() const { return roots_; }

  private:
    class Chain;
    std::vector<std::string> roots_;
};

}  // namespace dse::config
