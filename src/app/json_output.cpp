#include "app/json_output.hpp"

#include <iostream>

namespace dse::app {

Json json_object() {
    return Json{{"schema", json_schema}};
}

void print_json(const Json& object) {
    std::cout << object.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace dse::app
