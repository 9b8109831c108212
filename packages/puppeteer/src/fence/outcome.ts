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

const invalidParams = -32_602

/** What a client sent with a command is not what the command takes. */
export function misfit(sentence: string): Outcome {
  return { refusal: sentence, code: invalidParams }
}

export function denied(method: string): Outcome {
  return { refusal: `'${method.slice(0, 100)}' is not allowed in a live browser.`, code: noMethod }
}
