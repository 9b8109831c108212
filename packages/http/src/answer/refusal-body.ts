import type { Refusal } from './answer.ts'

/** Maximum size of an error response, in bytes, whatever the request contained. */
export const maxBytes = 16_384
const maxProblems = 20
const maxMessageLength = 1_000
const maxNameLength = 100
const maxPathLength = 20

/**
 * Returns the body of an error response, of at most 16,384 bytes, because it quotes input of the caller. A message is cut at
 * 1,000 characters, and a list of details at 20 entries. Details that are still too large are shortened (a list) or omitted.
 */
export function refusalBody({ code, error, details, topLevel }: Refusal): object {
  const body = {
    success: false,
    ...(code !== undefined && { code }),
    error: clip(error, maxMessageLength),
    ...topLevel,
  }
  if (details === undefined) return body
  if (!Array.isArray(details)) return fits({ ...body, details }) ? { ...body, details } : body
  for (let count = Math.min(details.length, maxProblems); count > 0; count = Math.floor(count / 2)) {
    const limited = { ...body, details: details.slice(0, count).map(clipProblem) }
    if (fits(limited)) return limited
  }
  return body
}

function fits(body: object): boolean {
  return Buffer.byteLength(JSON.stringify(body)) <= maxBytes
}

function clip(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

function clipProblem(problem: unknown): unknown {
  if (typeof problem !== 'object' || problem === null) return problem
  const { path, message } = problem as { readonly path?: unknown; readonly message?: unknown }
  return {
    ...problem,
    ...(Array.isArray(path) && { path: path.slice(0, maxPathLength).map(clipName) }),
    ...(typeof message === 'string' && { message: clip(message, maxMessageLength) }),
  }
}

function clipName(name: unknown): unknown {
  return typeof name === 'string' ? clip(name, maxNameLength) : name
}
