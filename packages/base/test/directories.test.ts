import { expect, it } from "vitest";
import { programDirectories } from "../src/index.ts";

const home = "/home/ö 'x' $HOME";

it("uses the XDG directories", () => {
  const env = { XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s", XDG_RUNTIME_DIR: "/run/user/1" };
  expect(programDirectories("isx", env, home)).toEqual({
    config: "/c/isx",
    state: "/s/isx",
    runtime: "/run/user/1/isx",
  });
});

it("C-06 falls back below the home directory, also without XDG_RUNTIME_DIR", () => {
  expect(programDirectories("isx", {}, home)).toEqual({
    config: `${home}/.config/isx`,
    state: `${home}/.local/state/isx`,
    runtime: `${home}/.local/state/isx/run`,
  });
});

it("ignores relative and empty XDG values", () => {
  const env = { XDG_CONFIG_HOME: "c", XDG_STATE_HOME: "", XDG_RUNTIME_DIR: "./run" };
  expect(programDirectories("isx", env, home)).toEqual(programDirectories("isx", {}, home));
});
