#pragma once

#include <cpp11.hpp>

/// What R calls, each under the same name with a dot in front. Arguments are checked and made to
/// fit by the R code of this package.
namespace mkc::r {

SEXP assemble_views(SEXP tables, SEXP options);
SEXP kernels_of_views(SEXP problem);
SEXP complete_problem(SEXP problem, SEXP method, SEXP run, SEXP callback);
SEXP evaluate_methods(SEXP problem, SEXP plan, SEXP threads, SEXP callback);
SEXP predict_samples(SEXP model, SEXP tables, SEXP options);
SEXP combine_kernels(SEXP kernels, SEXP weights, SEXP views, SEXP scale);
SEXP label_weights(SEXP kernels, SEXP labels, SEXP samples, SEXP rule, SEXP scale);
SEXP cluster_kernels(SEXP kernels, SEXP views, SEXP samples, SEXP options, SEXP callback);
SEXP embed_kernels(SEXP kernels, SEXP views, SEXP samples, SEXP method, SEXP dimensions);
SEXP all_methods();
SEXP check_method(SEXP text);
SEXP make_example(SEXP samples, SEXP missing, SEXP seed);
SEXP about();

}  // namespace mkc::r
