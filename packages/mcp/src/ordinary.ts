import { isRecord } from "./message.ts";

/** The revision without a handshake. */
export const modernVersion = "2026-07-28";

/** What the protocol's own keys of `_meta` start with. */
export const reserved = "io.modelcontextprotocol";

const handshakeVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** No parameters but a progress token. */
export function isPlain(params: Readonly<Record<string, unknown>>): boolean {
  const { _meta = {}, ...rest } = params;
  return Object.keys(rest).length === 0 && hasOnly(_meta, { progressToken: isToken });
}

/** The parameters of an `initialize` of a known handshake revision, with nothing unusual in them. */
export function isOrdinaryHandshake({ _meta = {}, ...params }: Readonly<Record<string, unknown>>): boolean {
  return (
    hasOnly(_meta, { progressToken: isToken }) &&
    hasAll(params, {
      protocolVersion: (version) => handshakeVersions.some((known) => known === version),
      capabilities: isOrdinaryCapabilities,
      clientInfo: isOrdinaryClient,
    })
  );
}

/** No parameters but the envelope of 2026-07-28, with nothing unusual in it. */
export function isOrdinaryEnvelope({ _meta, ...rest }: Readonly<Record<string, unknown>>): boolean {
  if (Object.keys(rest).length > 0 || !isRecord(_meta)) return false;
  const { progressToken = 0, ...envelope } = _meta;
  return (
    isToken(progressToken) &&
    hasAll(envelope, {
      [`${reserved}/protocolVersion`]: (version) => version === modernVersion,
      [`${reserved}/clientInfo`]: isOrdinaryClient,
      [`${reserved}/clientCapabilities`]: isOrdinaryCapabilities,
    })
  );
}

function isOrdinaryClient(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { title = "", description = "", websiteUrl = "", ...required } = value;
  return (
    [title, description, websiteUrl].every(isText) && hasAll(required, { name: isText, version: isText })
  );
}

function isOrdinaryCapabilities(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.values(value).every((one) => isRecord(one) && Object.values(one).every(isSetting))
  );
}

function isSetting(value: unknown): boolean {
  return typeof value === "boolean" || (isRecord(value) && Object.keys(value).length === 0);
}

function isToken(value: unknown): boolean {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

type Checks = Readonly<Record<string, (value: unknown) => boolean>>;

/** Every key is one of the checks' and passes it. */
function hasOnly(value: unknown, checks: Checks): boolean {
  return isRecord(value) && Object.entries(value).every(([key, one]) => checks[key]?.(one) ?? false);
}

/** The keys are exactly the checks' and pass them. */
function hasAll(value: unknown, checks: Checks): boolean {
  return isRecord(value) && Object.keys(checks).every((key) => key in value) && hasOnly(value, checks);
}
