/** OpenAI's error body, the same for both of its APIs. */
export function openaiError(status: number, message: string): unknown {
  const [type, code] = errorTypes[status] ?? ["server_error", "server_error"];
  return { error: { message, type, param: null, code } };
}

// https://platform.openai.com/docs/guides/error-codes
const errorTypes: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  400: ["invalid_request_error", null],
  401: ["invalid_request_error", "invalid_api_key"],
  404: ["invalid_request_error", "model_not_found"],
  429: ["requests", "rate_limit_exceeded"],
};
