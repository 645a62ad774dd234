# What the library needs; docs/dependencies.md says what for. All of it comes from Debian's packages,
# see scripts/bootstrap.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(OpenBLAS REQUIRED)
find_package(LibSVM REQUIRED)
find_package(ZLIB REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(LibZip REQUIRED)
find_package(HDF5Serial REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
