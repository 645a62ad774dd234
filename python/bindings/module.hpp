#pragma once

#include <nanobind/nanobind.h>

namespace mkc::python {

namespace nb = nanobind;

void bind_problem(nb::module_& module);   // views in memory -> Problem
void bind_methods(nb::module_& module);   // the registry
void bind_complete(nb::module_& module);  // complete()
void bind_factor(nb::module_& module);    // completion in factor form
void bind_evaluate(nb::module_& module);  // evaluation cells, hiding
void bind_analyse(nb::module_& module);   // axes, clusters, drivers
void bind_advise(nb::module_& module);    // which pair to measure next
void bind_tools(nb::module_& module);     // combine, inspection, made-up data
void bind_predict(nb::module_& module);   // new samples
void bind_model(nb::module_& module);     // model files
void bind_read(nb::module_& module);      // view files
void bind_shards(nb::module_& module);    // steps of several processes
void bind_samples(nb::module_& module);   // ids, replicates, rows of zeros

}  // namespace mkc::python
