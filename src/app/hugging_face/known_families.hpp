#pragma once

#include <string>
#include <string_view>

namespace dse::app {

/// What a published family without a template is, and what is nearest to it: "is an encoder with a decoder;
/// nearest: …". Empty for families that are not known either.
/// \param type  model_type, or the class of a pipeline of diffusers
std::string why_without_template(std::string_view type);

}  // namespace dse::app
