// Values by name; one read as a type that it was not declared with is a mistake of the program.
#include "core/parameters.hpp"

#include <cstdint>
#include <stdexcept>

namespace tayra {
namespace {

template <class T>
const T& get(const std::map<std::string, Value>& values, const std::string& name) {
  const auto found = values.find(name);
  if (found == values.end() || !std::holds_alternative<T>(found->second))
    throw std::logic_error("parameter '" + name + "' is not declared with the type it is read as");
  return std::get<T>(found->second);
}

}  // namespace

bool Parameters::has(const std::string& name) const {
  const auto found = values_.find(name);
  return found != values_.end() && !std::holds_alternative<std::monostate>(found->second);
}

bool Parameters::flag(const std::string& name) const { return get<bool>(values_, name); }
std::int64_t Parameters::integer(const std::string& name) const { return get<std::int64_t>(values_, name); }
double Parameters::number(const std::string& name) const { return get<double>(values_, name); }
const std::string& Parameters::text(const std::string& name) const { return get<std::string>(values_, name); }
std::vector<double> Parameters::numbers(const std::string& name) const {
  return get<std::vector<double>>(values_, name);
}
std::vector<std::int64_t> Parameters::integers(const std::string& name) const {
  return get<std::vector<std::int64_t>>(values_, name);
}
std::vector<std::string> Parameters::texts(const std::string& name) const {
  return get<std::vector<std::string>>(values_, name);
}

}  // namespace tayra
