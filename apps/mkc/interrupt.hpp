#pragma once

namespace mkc::app {

/// The first Ctrl-C (or SIGTERM) only raises a flag that running work looks at; the second one ends
/// the program at once.
void catch_interrupts();
bool interrupted();

}  // namespace mkc::app
