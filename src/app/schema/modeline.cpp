#include "app/schema/modeline.hpp"

#include <filesystem>

#include <fmt/format.h>

namespace dse::app {

std::string modeline(const std::string& kind, const config::Library& library) {
    namespace fs = std::filesystem;
    std::error_code error;
    for (const std::string& root : library.roots()) {
        const fs::path schema = fs::absolute(root, error) / "schemas" / (kind + ".json");
        if (fs::is_regular_file(schema, error))
            return fmt::format("# yaml-language-server: $schema={}\n", schema.lexically_normal().string());
    }
    return "";
}

}  // namespace dse::app
