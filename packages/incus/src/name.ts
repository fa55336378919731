import { badRequest } from "./incus-failure.ts";

/** Refuses what a URL would take for the list above or another level: "", "." and "..". */
export function requireName(name: string): void {
  if (name !== "" && name !== "." && name !== "..") return;
  throw badRequest("bad-name", `"${name}" is not a name`, "Name the thing that is meant");
}
