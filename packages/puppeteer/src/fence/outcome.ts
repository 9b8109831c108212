import type { Line } from './switch.ts'

/** What a command comes to: an answer, or a sentence about why it is refused. */
export type Outcome = { readonly result: object } | { readonly refusal: string; readonly code?: number }

const noMethod = -32_601

/** Passes a command on. */
export async function pass(line: Line, method: string, params: object, sessionId?: string): Promise<Outcome> {
  const { result, error } = await line.ask(method, params, sessionId)
  return error
    ? { refusal: error.message, ...(error.code !== undefined && { code: error.code }) }
    : { result: result ?? {} }
}

export function denied(method: string): Outcome {
  return { refusal: `'${method}' is not allowed in a live browser.`, code: noMethod }
}
