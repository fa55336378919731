import type { FileRequests, Place } from "./file-requests.ts";
import { headersOf, type Owner } from "./guest-file.ts";
import { guestPath } from "./guest-path.ts";
import type { GuestFiles } from "./incus.ts";
import { wrongKind } from "./incus-failure.ts";

/** Files of instances, as `GuestFiles` of the port says. */
export function createGuestFiles(requests: FileRequests): GuestFiles {
  return {
    async read(instance, path, { limit, signal }) {
      return requests.read(placeOf(instance, path, signal), limit);
    },
    async write(instance, path, bytes, { signal, ...owner }) {
      const place = placeOf(instance, path, signal);
      const headers = headersOf("file", owner);
      await makeWay(requests, place, owner);
      await requests.post(place, headers, Buffer.from(bytes));
    },
    async makeDirectory(instance, path, { signal, ...owner }) {
      const place = placeOf(instance, path, signal);
      const headers = headersOf("directory", owner);
      if (await hasDirectory(requests, place)) return;
      await requests.post(place, headers, new Uint8Array());
    },
    async makeSymlink(instance, path, target, signal) {
      const headers = { "x-incus-type": "symlink" };
      await requests.post(placeOf(instance, path, signal), headers, Buffer.from(target));
    },
    async remove(instance, path, signal) {
      return requests.remove(placeOf(instance, path, signal));
    },
  };
}

function placeOf(instance: string, path: string, signal: AbortSignal | undefined): Place {
  return { instance, path: guestPath(path), signal };
}

/** Removes a file that Incus would overwrite without giving it the new owner and mode, and a link it would follow. */
async function makeWay(requests: FileRequests, place: Place, owner: Owner): Promise<void> {
  const seen = await requests.look(place);
  if (seen === undefined) return;
  if (seen.kind === "directory") throw wrongKind(place.path, "a directory");
  const isSame = seen.mode === owner.mode && seen.uid === owner.uid && seen.gid === owner.gid;
  if (seen.kind === "symlink" || !isSame) await requests.remove(place);
}

/** Incus says that it made a directory also where a file is. */
async function hasDirectory(requests: FileRequests, place: Place): Promise<boolean> {
  const seen = await requests.look(place);
  if (seen === undefined) return false;
  const kind = seen.kind === "symlink" ? await kindBehind(requests, place) : seen.kind;
  if (kind !== "directory") throw wrongKind(place.path, "no directory");
  return true;
}

async function kindBehind(requests: FileRequests, place: Place): Promise<string | undefined> {
  return (await requests.look({ ...place, path: `${place.path}/` }))?.kind;
}
