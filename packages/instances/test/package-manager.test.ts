import { expect, it } from "vitest";
import { packageManagers } from "../src/package-manager.ts";

const argvOf = (name: string) => {
  const manager = packageManagers.find((each) => each.name === name);
  if (!manager) throw new Error(`There is no ${name}`);
  return {
    refresh: manager.refresh,
    install: manager.install(["git", "--evil"]),
    remove: manager.remove(["nano"]),
    clean: manager.clean,
    update: manager.certificate.update,
  };
};

it("X-06 installs and removes with apt, asking nothing and taking no package for an option", () => {
  expect(argvOf("apt")).toMatchInlineSnapshot(`
    {
      "clean": [
        [
          "apt-get",
          "clean",
        ],
        [
          "find",
          "/var/lib/apt/lists",
          "-mindepth",
          "1",
          "-delete",
        ],
      ],
      "install": [
        "apt-get",
        "install",
        "-q",
        "-y",
        "--no-install-recommends",
        "-o",
        "Dpkg::Options::=--force-confold",
        "--",
        "git",
        "--evil",
      ],
      "refresh": [
        "apt-get",
        "update",
        "-q",
        "-o",
        "Acquire::Retries=3",
      ],
      "remove": [
        "apt-get",
        "purge",
        "-q",
        "-y",
        "--",
        "nano",
      ],
      "update": [
        "update-ca-certificates",
      ],
    }
  `);
});

it("X-06 does the same with dnf", () => {
  expect(argvOf("dnf")).toMatchInlineSnapshot(`
    {
      "clean": [
        [
          "dnf",
          "clean",
          "all",
        ],
      ],
      "install": [
        "dnf",
        "install",
        "-q",
        "-y",
        "--setopt=install_weak_deps=False",
        "--",
        "git",
        "--evil",
      ],
      "refresh": undefined,
      "remove": [
        "dnf",
        "remove",
        "-q",
        "-y",
        "--",
        "nano",
      ],
      "update": [
        "update-ca-trust",
      ],
    }
  `);
});
