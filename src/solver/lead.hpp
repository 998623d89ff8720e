// A simulation on several ranks: the first one leads, the others follow.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "solver/simulation.hpp"

namespace tayra {

/// Several ranks: the first one leads. Every call that it makes on what it gets back is made by all of them,
/// who are told by it and return from follow() when it is destroyed.
std::unique_ptr<Simulation> lead(std::unique_ptr<Simulation> simulation);
/// `obey` gets the first rank's orders for work beside the flow.
void follow(Simulation& simulation, const std::function<void(const std::string& order)>& obey = {});
/// On the first rank: hands an order to all that follow.
void order(const std::string& what);

/// Where one rank of several has failed, its simulation is left to the end of the process: destroying it
/// might wait for ranks that have not.
void leave_to_the_end(std::unique_ptr<Simulation>& simulation);

}  // namespace tayra
