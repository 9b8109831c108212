import type { Message } from './heard.ts'
import { remedyFor } from './refusals.ts'
import type { Line } from './switch.ts'

/** The result of a command, or the reason why it was rejected. */
export type Outcome =
  | { readonly result: object; readonly written?: string | undefined }
  | { readonly refusal: string; readonly code?: number }

const noMethod = -32_601

/**
 * Forwards a command to the browser, or to a session of it. Never rejects: an error of the browser, such as a lost connection, is
 * returned as `refusal`. There is no timeout.
 */
export async function pass(line: Line, method: string, params: object, sessionId?: string): Promise<Outcome> {
  const answer = await line.ask(method, params, sessionId)
  if (answer.written !== undefined) return largeResult(answer, answer.written)
  const { result, error } = answer
  return error
    ? { refusal: error.message, ...(error.code !== undefined && { code: error.code }) }
    : { result: result ?? {} }
}

/** Keeps the result unparsed. It is parsed on access, which is rare. */
function largeResult(answer: Message, written: string): Outcome {
  return {
    written,
    get result() {
      return answer.result ?? {}
    },
  }
}

const invalidParams = -32_602

/** Returns the outcome of a command with invalid parameters, which `sentence` explains. */
export function misfit(sentence: string): Outcome {
  return { refusal: sentence, code: invalidParams }
}

/** Returns the outcome of a command that is not allowed, with the alternative. Long names are truncated to 100 characters. */
export function denied(method: string): Outcome {
  return { refusal: `'${method.slice(0, 100)}' is not allowed in a live browser. ${remedyFor(method)}`, code: noMethod }
}
