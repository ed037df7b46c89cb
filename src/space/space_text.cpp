#include "dse/space/space_text.hpp"

#include <optional>
#include <utility>

#include "dse/config/node.hpp"

namespace dse::space {

std::shared_ptr<const Space> parse_space(const std::string& yaml, const std::string& file) {
    const config::FieldIndex no_fields;
    config::Diagnostics diagnostics;
    const config::Node root = config::parse_yaml(yaml, file, diagnostics);
    diagnostics.throw_if_any();
    SweepSpec spec = read_sweep(root, no_fields, diagnostics);
    std::optional<Space> space = Space::compile(std::move(spec), no_fields, diagnostics);
    diagnostics.throw_if_any();
    return std::make_shared<const Space>(std::move(*space));
}

}  // namespace dse::space
