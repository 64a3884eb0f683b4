package dev.ridgeline.cli.doctor;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.List;
import java.util.Optional;

/** Devices beside the CPU: seen, not used. */
record GpuProbe(KernelFiles files) implements Probe {
  private static final Check.Item CUDA = Check.of("gpu.cuda", "CUDA");
  private static final Check.Item OPEN_CL = Check.of("gpu.openCl", "OpenCL");

  @Override
  public List<Check> examine() {
    return List.of(cuda(), openCl());
  }

  private Check cuda() {
    List<String> gpus =
        files.names("/proc/driver/nvidia/gpus").stream()
            .flatMap(
                gpu ->
                    files
                        .field("/proc/driver/nvidia/gpus/" + gpu + "/information", "Model")
                        .stream())
            .toList();
    boolean device = !gpus.isEmpty() || files.exists("/dev/nvidiactl");
    boolean library = loads("libcuda.so.1");
    String what = gpus.isEmpty() ? "NVIDIA device" : String.join(", ", gpus);
    if (device && library) return CUDA.ok(gpus, what + ", libcuda.so.1");
    if (device) {
      return CUDA.warning(
          gpus,
          what + ", but libcuda.so.1 does not load",
          "install the driver's libraries (package libcuda1 or nvidia-driver), in a container run"
              + " with --gpus all");
    }
    return CUDA.note(gpus, "no NVIDIA device");
  }

  private Check openCl() {
    List<String> drivers =
        files.names("/etc/OpenCL/vendors").stream().filter(n -> n.endsWith(".icd")).toList();
    boolean library = loads("libOpenCL.so.1");
    if (drivers.isEmpty()) {
      return OPEN_CL.note(drivers, "no driver registered");
    }
    String text = String.join(", ", drivers);
    if (library) return OPEN_CL.ok(drivers, text + ", libOpenCL.so.1");
    return OPEN_CL.warning(
        drivers, text + ", but libOpenCL.so.1 does not load", "apt install ocl-icd-libopencl1");
  }

  private static boolean loads(String library) {
    try (var arena = Arena.ofConfined()) {
      return Optional.ofNullable(SymbolLookup.libraryLookup(library, arena)).isPresent();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
