// A phase as profilers show it.
#pragma once

namespace tayra {

class NamedRange {
 public:
  explicit NamedRange(const char* name);
  ~NamedRange();
  NamedRange(const NamedRange&) = delete;
  NamedRange& operator=(const NamedRange&) = delete;
};

}  // namespace tayra
