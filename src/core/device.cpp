// What holds for the queues of every kind of device.
#include "core/device.hpp"

namespace tayra {

void fork(const std::vector<const Queue*>& queues) {
  for (std::size_t i = 1; i < queues.size(); ++i) queues[i]->follow(*queues.front());
}

void gather(const std::vector<const Queue*>& queues) {
  for (std::size_t i = 1; i < queues.size(); ++i) queues.front()->follow(*queues[i]);
}

}  // namespace tayra
