/** How packages get into a guest: argv as data. */
export interface PackageManager {
  readonly name: "apt" | "dnf";
  /** A guest that has this program is of this kind. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Run once before the first install; undefined: not needed. */
  readonly refresh: readonly string[] | undefined;
  install(packages: readonly string[]): readonly string[];
  remove(packages: readonly string[]): readonly string[];
  /** Removes what was downloaded, so that images stay small. */
  readonly clean: readonly (readonly string[])[];
  /** Where a certificate is put so that all programs trust it, and what has to be run then. */
  readonly certificate: { readonly path: string; readonly update: readonly string[] };
}

const apt: PackageManager = {
  name: "apt",
  program: "/usr/bin/apt-get",
  environment: { DEBIAN_FRONTEND: "noninteractive" },
  refresh: ["apt-get", "update", "-q", "-o", "Acquire::Retries=3"],
  install: (packages) => [
    "apt-get",
    "install",
    "-q",
    "-y",
    "--no-install-recommends",
    "-o",
    "Dpkg::Options::=--force-confold",
    "--",
    ...packages,
  ],
  remove: (packages) => ["apt-get", "purge", "-q", "-y", "--", ...packages],
  clean: [
    ["apt-get", "clean"],
    ["find", "/var/lib/apt/lists", "-mindepth", "1", "-delete"],
  ],
  certificate: {
    path: "/usr/local/share/ca-certificates/isx-proxy.crt",
    update: ["update-ca-certificates"],
  },
};

const dnf: PackageManager = {
  name: "dnf",
  program: "/usr/bin/dnf",
  environment: {},
  refresh: undefined,
  install: (packages) => [
    "dnf",
    "install",
    "-q",
    "-y",
    "--setopt=install_weak_deps=False",
    "--",
    ...packages,
  ],
  remove: (packages) => ["dnf", "remove", "-q", "-y", "--", ...packages],
  clean: [["dnf", "clean", "all"]],
  certificate: {
    path: "/etc/pki/ca-trust/source/anchors/isx-proxy.pem",
    update: ["update-ca-trust"],
  },
};

/** The package managers that a build can use. */
export const packageManagers: readonly PackageManager[] = [apt, dnf];
