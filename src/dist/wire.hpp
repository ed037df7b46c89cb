#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/dist/trial.hpp"
#include "dse/space/record.hpp"

/// Bodies of messages: numbers in native representation, since all ranks run the same program.
namespace dse::dist {

void append(std::string& body, const Trial& trial);
std::vector<Trial> trials_of(std::string_view body);

/// Without the values of the point, which the recipient has.
void append(std::string& body, const space::Record& record);
std::vector<space::Record> records_of(std::string_view body);

void append(std::string& body, std::span<const double> numbers);
std::vector<double> numbers_of(std::string_view body);

}  // namespace dse::dist
