import { memoryFiles } from "@agent-control/base/testing";
import { expect, it } from "vitest";
import { isSafeSocket } from "../src/index.ts";

function filesWith(directoryMode: number, directoryUid?: number) {
  const files = memoryFiles({ uid: 1000 });
  if (directoryUid === undefined) files.makeDirectory("/run/me");
  else files.place("/run/me", "directory", { uid: directoryUid });
  files.setMode("/run/me", 0o777);
  files.place("/run/me/socket", "socket");
  files.setMode("/run/me", directoryMode);
  return files;
}

const codeOf = (files: ReturnType<typeof memoryFiles>, path = "/run/me/socket") => {
  const decision = isSafeSocket(files, path, 1000);
  return decision.allow ? "allowed" : decision.code;
};

it("T-12 allows this user's socket in a directory that others cannot write, or a sticky one", () => {
  expect(codeOf(filesWith(0o700))).toBe("allowed");
  expect(codeOf(filesWith(0o755))).toBe("allowed");
  expect(codeOf(filesWith(0o1777))).toBe("allowed");
  expect(codeOf(filesWith(0o755, 0))).toBe("allowed");
});

it("T-12 refuses a directory in which somebody else can replace the socket", () => {
  expect(codeOf(filesWith(0o777))).toBe("open-socket-directory");
  expect(codeOf(filesWith(0o770))).toBe("open-socket-directory");
  expect(codeOf(filesWith(0o755, 1001))).toBe("open-socket-directory");
});

it("T-12 refuses what is missing, no socket, or another user's", () => {
  const files = filesWith(0o700);
  files.place("/run/me/file", "file");
  files.place("/run/me/fifo", "fifo");
  files.place("/run/me/theirs", "socket", { uid: 1001 });
  expect(codeOf(files, "/run/me/none")).toBe("socket-missing");
  expect(codeOf(files, "/run/me/file")).toBe("not-a-socket");
  expect(codeOf(files, "/run/me/fifo")).toBe("not-a-socket");
  expect(codeOf(files, "/run/me/theirs")).toBe("foreign-socket");
});

it("T-12 judges what a symlink leads to, not the symlink", () => {
  const files = filesWith(0o700);
  files.place("/run/me/theirs", "socket", { uid: 1001 });
  files.place("/run/me/good", "symlink", { target: "/run/me/socket" });
  files.place("/run/me/bad", "symlink", { target: "/run/me/theirs" });
  expect(codeOf(files, "/run/me/good")).toBe("allowed");
  expect(codeOf(files, "/run/me/bad")).toBe("foreign-socket");
});
