import { parseJson } from '@harvestman/toolbox/parse-json'
import { maxSizeOf } from './commands.ts'
import { makeRate, type FenceLimits } from './limits.ts'
import { scan } from './scan.ts'
import { isRecord } from '@harvestman/ports'
import type { Params } from './shapes.ts'

export interface Command {
  readonly id: number
  readonly method: string
  readonly params: Params
  readonly sessionId: string | undefined
}

export interface Unreadable {
  readonly id?: number | undefined
  readonly refusal: string
}

/**
 * Returns a parser of client messages. It returns a refusal for messages that are malformed or exceed the limits, which are
 * checked on the raw string, before any value is created.
 */
export function makeReader({ size, depth, values, rate }: FenceLimits): (text: string) => Command | Unreadable {
  const isInTime = makeRate(rate)
  return (text) => {
    if (text.length > size) return { refusal: `A message has at most ${size} characters.` }
    const found = scan(text)
    const { id } = found
    if (!isInTime()) return { id, refusal: `At most ${rate} messages are taken in a second.` }
    const tooLarge = whyTooLarge(text, found.method)
    if (tooLarge !== undefined) return { id, refusal: tooLarge }
    if (found.depth > depth) return { id, refusal: `The parts of a message lie at most ${depth} deep in each other.` }
    if (found.values > values) return { id, refusal: `A message has at most ${values} values.` }
    const command = parse(text)
    // A method name with escapes is only known after parsing.
    const wasHidden =
      'method' in command && command.method !== found.method ? whyTooLarge(text, command.method) : undefined
    return wasHidden === undefined ? command : { id, refusal: wasHidden }
  }
}

function whyTooLarge(text: string, method = 'any other command'): string | undefined {
  const most = maxSizeOf(method)
  return text.length > most ? `A message with ${method.slice(0, 100)} has at most ${most} characters.` : undefined
}

function parse(text: string): Command | Unreadable {
  const message = parseJson(text)
  if (message === undefined) return { refusal: 'The message is not JSON.' }
  if (!isRecord(message)) return { refusal: 'The message is not a command.' }
  const { id, method, params = {}, sessionId } = message
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return { refusal: 'A command needs a number as its id.' }
  if (typeof method !== 'string') return { id, refusal: 'A command needs a method.' }
  if (!isRecord(params)) return { id, refusal: 'The params of a command are a record.' }
  if (sessionId !== undefined && typeof sessionId !== 'string')
    return { id, refusal: 'The sessionId must be a string.' }
  return { id, method, params, sessionId: sessionId === '' ? undefined : sessionId }
}
