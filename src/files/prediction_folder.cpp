#include "files/prediction_folder.hpp"

#include <nlohmann/json.hpp>

#include "base/names.hpp"
#include "files/quality_tables.hpp"
#include "formats/npz.hpp"
#include "formats/tables_out.hpp"
#include "mkc/combine.hpp"
#include "mkc/version.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::io {

namespace {

using Json = nlohmann::ordered_json;

/// meta_info.json of a prediction: version, command line, input hashes, the model it rests on.
std::string prediction_info(const SavedModel& model, const Strings& samples,
                            const Prediction& prediction, const RunRecord& record) {
  Json inputs = Json::array(), views = Json::array(), seconds = Json::object();
  for (const auto& file : record.inputs)
    inputs.push_back({{"path", file.path}, {"sha256", file.sha256}});
  for (const auto& [name, value] : record.seconds) seconds[name] = value;
  for (Index m = 0; m < model.model.n_views(); ++m)
    views.push_back({{"name", model.model.views[at(m)].name},
                     {"given", prediction.observed.col(m).count()},
                     {"predicted", prediction.observed.rows() - prediction.observed.col(m).count()},
                     {"training_variance", kernel_variance(model.model.views[at(m)].kernel)}});
  Json about = Json::parse(model.about, nullptr, false);
  if (about.is_discarded()) about = nullptr;
  const Json meta = {{"mkc_version", version},
                     {"created", record.created},
                     {"command_line", record.command_line},
                     {"threads", record.threads},
                     {"blas", linalg::blas_name()},
                     {"n_samples", samples.size()},
                     {"n_training_samples", model.model.n_samples()},
                     {"coverage", prediction.quality.coverage},
                     {"views", views},
                     {"seconds", seconds},
                     {"inputs", inputs},
                     {"notices", prediction.notices},
                     {"model", about}};
  return meta.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

void write_prediction(OutputFolder& folder, const SavedModel& model, const Strings& samples,
                      const Prediction& prediction, const RunRecord& record, bool tsv) {
  const Strings names = names_of(model.model.views);
  if (tsv) {
    const Strings files = file_names_for(names);
    for (std::size_t m = 0; m < names.size(); ++m)
      write_matrix_tsv_gz(folder.path("kernels/" + files[m] + ".tsv.gz"), samples,
                          model.model.samples, prediction.rows[m]);
    write_matrix_tsv(folder.path("diagonals.tsv"), samples, names, prediction.diagonals);
  } else {
    NpzWriter npz(folder.path("kernels.npz"));
    for (std::size_t m = 0; m < names.size(); ++m) npz.add(names[m], prediction.rows[m]);
    npz.add("samples", samples);
    npz.add("training_samples", model.model.samples);
    npz.add("diagonals", prediction.diagonals);
    npz.add("views", names);
    npz.close();
  }
  write_matrix_tsv(folder.path("observed.tsv"), samples, names, prediction.observed.cast<double>());
  write_text_file(folder.path("quality.tsv"),
                  quality_table(samples, names, prediction.observed, prediction.quality));
  write_text_file(folder.path("meta_info.json"),
                  prediction_info(model, samples, prediction, record));
}

}  // namespace mkc::io
