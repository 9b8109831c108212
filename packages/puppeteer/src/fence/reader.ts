import { isTooDeep, makeRate, type FenceLimits } from './limits.ts'

export interface Command {
  readonly id: number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly sessionId: string | undefined
}

export interface Unreadable {
  readonly id?: number | undefined
  readonly refusal: string
}

/** Reads what a client says. Its size is looked at before anything is done with it. */
export function makeReader({ bytes, depth, rate }: FenceLimits): (text: string) => Command | Unreadable {
  const isInTime = makeRate(rate)
  return (text) => {
    if (text.length > bytes) return { refusal: `A message has at most ${bytes} characters.` }
    if (!isInTime()) return { id: idIn(text), refusal: `At most ${rate} messages are taken in a second.` }
    if (isTooDeep(text, depth)) return { refusal: `The parts of a message lie at most ${depth} deep in each other.` }
    return parse(text)
  }
}

function idIn(text: string): number | undefined {
  const match = /"id"\s*:\s*(\d{1,15})/.exec(text.slice(0, 200))
  return match ? Number(match[1]) : undefined
}

function parse(text: string): Command | Unreadable {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return { refusal: 'The message is not JSON.' }
  }
  if (!isRecord(message)) return { refusal: 'The message is not a command.' }
  const { id, method, params = {}, sessionId } = message
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return { refusal: 'A command needs a number as its id.' }
  if (typeof method !== 'string') return { id, refusal: 'A command needs a method.' }
  if (!isRecord(params)) return { id, refusal: 'The params of a command are a record.' }
  if (sessionId !== undefined && typeof sessionId !== 'string') return { id, refusal: 'A sessionId is a text.' }
  return { id, method, params, sessionId: sessionId === '' ? undefined : sessionId }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
