// Without MPI there are no messages.
#include "halo/messages.hpp"

namespace tayra {

struct Messages::Implementation {};

Messages::Messages(const HaloSite&, Moves, MessageRoute) {}
Messages::~Messages() = default;
bool Messages::empty() const { return true; }
void Messages::start(int) {}
void Messages::finish(int) {}

}  // namespace tayra
