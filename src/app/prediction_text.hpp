// Predictions as `tayra model` and `tayra check` print them.
#pragma once

#include <string>

#include "app/model.hpp"

namespace tayra {

/// "sweep 1.2, rim 0.02, …", without parts that are nothing.
std::string parts_text(const Prediction& prediction);
std::string prediction_header();
std::string prediction_line(const ModelCase& what, const Prediction& prediction);

}  // namespace tayra
