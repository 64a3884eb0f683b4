package dev.ridgeline.report.run;

import java.util.Map;

/** Names what is inside a processor by the numbers in {@code /proc/cpuinfo}. */
final class Microarchitecture {
  private Microarchitecture() {}

  /** Empty when it is not in the table. */
  static String of(Map<String, String> cpuinfo) {
    int family = number(cpuinfo, "cpu family");
    int model = number(cpuinfo, "model");
    return switch (cpuinfo.getOrDefault("vendor_id", "")) {
      case "AuthenticAMD" -> amd(family, model);
      case "GenuineIntel" -> family == 6 ? intel(model, number(cpuinfo, "stepping")) : "";
      default -> arm(number(cpuinfo, "CPU implementer"), number(cpuinfo, "CPU part"));
    };
  }

  private static String amd(int family, int model) {
    return switch (family) {
      case 0x17 -> model < 0x30 ? "Zen" : "Zen 2";
      case 0x19 ->
          switch (model >> 4) {
            case 0x1, 0x6, 0x7, 0xa -> "Zen 4";
            default -> "Zen 3";
          };
      case 0x1a -> "Zen 5";
      default -> "";
    };
  }

  private static String intel(int model, int stepping) {
    return switch (model) {
      case 0x3f, 0x3c, 0x45, 0x46 -> "Haswell";
      case 0x4f, 0x56, 0x3d, 0x47 -> "Broadwell";
      case 0x4e, 0x5e, 0x8e, 0x9e -> "Skylake";
      case 0x55 -> stepping < 5 ? "Skylake-SP" : stepping < 10 ? "Cascade Lake" : "Cooper Lake";
      case 0x6a, 0x6c, 0x7d, 0x7e -> "Ice Lake";
      case 0x8c, 0x8d -> "Tiger Lake";
      case 0x8f -> "Sapphire Rapids";
      case 0xcf -> "Emerald Rapids";
      case 0xad, 0xae -> "Granite Rapids";
      case 0x97, 0x9a -> "Alder Lake";
      case 0xb7, 0xba, 0xbf -> "Raptor Lake";
      case 0xaa, 0xac -> "Meteor Lake";
      default -> "";
    };
  }

  private static String arm(int implementer, int part) {
    if (implementer != 0x41) return "";
    return switch (part) {
      case 0xd08 -> "Cortex-A72";
      case 0xd0b -> "Cortex-A76";
      case 0xd0c -> "Neoverse N1";
      case 0xd40 -> "Neoverse V1";
      case 0xd49 -> "Neoverse N2";
      case 0xd4f -> "Neoverse V2";
      default -> "";
    };
  }

  private static int number(Map<String, String> cpuinfo, String name) {
    try {
      return Integer.decode(cpuinfo.getOrDefault(name, "-1"));
    } catch (NumberFormatException _) {
      return -1;
    }
  }
}
