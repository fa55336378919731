import { Failure, shownText } from "@agent-control/base";
import type { CreateInstance, Incus } from "@agent-control/incus";

const servers: Readonly<Record<string, string>> = {
  images: "https://images.linuxcontainers.org",
};

export interface PullOptions {
  readonly step: (text: string) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * The source of an instance of this image: a local alias as it is, `images:NAME` pulled once and kept under the alias
 * `isx/NAME`. Throws `image-missing` for an alias that does not exist and for an unknown server.
 */
export async function imageSource(
  { images }: Pick<Incus, "images">,
  image: string,
  { step, signal }: PullOptions,
): Promise<CreateInstance["source"]> {
  const [prefix, name] = split(image);
  const local = name === undefined ? image : `isx/${name}`;
  const fingerprint = await images.fingerprintOf(local, signal);
  if (fingerprint !== undefined) return { type: "image", fingerprint };
  const server = name === undefined ? undefined : servers[prefix];
  if (name === undefined || server === undefined) throw missing(image);
  step(`image ${image}`);
  const request = { server, alias: name, as: local };
  return { type: "image", fingerprint: await images.pull(request, signal) };
}

function split(image: string): readonly [string, string | undefined] {
  const colon = image.indexOf(":");
  return colon < 0 ? [image, undefined] : [image.slice(0, colon), image.slice(colon + 1)];
}

function missing(image: string): Failure {
  return new Failure("refused", {
    code: "image-missing",
    message: `There is no image ${shownText(image)}`,
    next: "Name a local alias (incus image list) or an image like images:debian/12",
  });
}
