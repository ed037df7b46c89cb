#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dse/config/node.hpp"

namespace dse::config {

class Documents;

/// The data files that sweeps refer to by name: <root>/<folder>/<name>.yaml, in the first root that has it.
/// Folders: "hardware/devices", "hardware/clusters", "workloads/models", "workloads/templates".
/// A library and its copies read each file once.
class Library {
  public:
    /// \param roots  folders that contain `hardware`, `workloads`, `sweeps`; missing ones are ignored
    explicit Library(std::vector<std::string> roots);

    /// The standard roots, in this order: $DSE_DATA (separated by ':'), the working directory, the folders
    /// above `beside` (the file of a sweep), the data installed with dse, the source tree dse was built from.
    static Library standard(const std::string& beside);

    /// The file of this name. A name that contains '/' or ends in ".yaml" is a path, relative to `beside`
    /// (the folder of the file that names it), to home(), to the working directory, or to a root.
    [[nodiscard]] std::optional<std::string> find(std::string_view folder, std::string_view name,
                                                  const std::string& beside = "") const;

    /// The file of a name after a key `base`: as `find`, or a file of <folder>/bases. Those lack what each of
    /// their heirs has to state, so that nothing else can name them.
    [[nodiscard]] std::optional<std::string> find_base(std::string_view folder, std::string_view name,
                                                       const std::string& beside = "") const;

    /// Names of all files of a folder, sorted.
    [[nodiscard]] std::vector<std::string> names(std::string_view folder) const;

    /// Loads a file by name, or only the value of one of its keys by `name#section`. A map with a key `base`
    /// is merged with the file that `find_base` finds (see merge.hpp), recursively. Unknown names (with the
    /// nearest known one), unreadable files and circular bases are reported to `diagnostics`.
    [[nodiscard]] std::optional<Node> load(std::string_view folder, const Node& name,
                                           Diagnostics& diagnostics) const;

    /// The content of a value that may name a file: a map as it is, a map with `base: name` merged with that
    /// file, or the file of a name.
    [[nodiscard]] std::optional<Node> resolve(std::string_view folder, const Node& value,
                                              Diagnostics& diagnostics) const;

    [[nodiscard]] const std::vector<std::string>& roots() const { return roots_; }

    /// The folder of the sweep, to which the paths in it are relative; empty if there is none.
    [[nodiscard]] const std::string& home() const { return home_; }

  private:
    class Chain;
    std::vector<std::string> roots_;
    std::string home_;
    std::shared_ptr<Documents> documents_;
};

}  // namespace dse::config
