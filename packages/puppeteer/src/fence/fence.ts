import { guarded } from '@harvestman/ports/adapters'
import type { Wire } from '@harvestman/ports'

import { answeredHere, sessionRules } from './commands.ts'
import type { Rest } from './rest.ts'
import { makeCrashes } from './crashes.ts'
import { makeFocus } from './focus.ts'
import { makeLargeTurns } from './large-turns.ts'
import { defaultFenceLimits, type FenceLimits } from './limits.ts'
import { denied, misfit, pass, type Outcome } from './outcome.ts'
import type { Pictures } from './pictures.ts'
import { makeReader, type Command } from './reader.ts'
import { makeRoot } from './root.ts'
import { makePrint } from './secrets.ts'
import type { Line } from './switch.ts'
import { makeTargets } from './targets.ts'
import { mayOpen } from './urls.ts'

const noSession = -32_001
const refusedCode = -32_000

/** What all clients of one live browser share. */
export interface Fenced {
  readonly contextId: string
  readonly rest: Rest
  readonly pictures: Pictures
  /** What no client is told. */
  readonly secrets: readonly string[]
  /** Told of what broke while a message was taken. Its connection ends with that, and nothing else does. */
  readonly onFault: (fault: unknown) => void
}

/**
 * Stands between a client and the browser. What is not known to be harmless is refused and not passed on, and tabs that
 * are not of this session are not there. `left` is called when the connection is over.
 */
// oxlint-disable-next-line max-lines-per-function -- short steps that share whether the connection is open
export async function openFence(
  line: Line,
  { contextId, rest, pictures, secrets, onFault }: Fenced,
  left: () => void = () => undefined,
  limits: FenceLimits = defaultFenceLimits,
): Promise<Wire> {
  const print = makePrint(secrets)
  let isOpen = true
  let leave = (): void => undefined
  const end = (): boolean => {
    const wasOpen = isOpen
    isOpen = false
    leave()
    left()
    return wasOpen
  }
  const fail = (fault: unknown): void => {
    if (!end()) return
    line.close()
    onFault(fault)
    wire.onClose?.(fault)
  }
  const wire: Wire = {
    onMessage: undefined,
    onClose: undefined,
    send: guarded((text: string) => take(text), fail),
    close: () => {
      if (end()) line.close()
    },
  }
  line.onFault = fail
  const say = (message: object): void => {
    if (isOpen) wire.onMessage?.(print(message))
  }
  /** Whether it could be said: it is not when it is too large, or holds a secret that cannot be found in time. */
  const sayLarge = (head: object, name: 'result' | 'params', written: string): boolean => {
    if (!isOpen) return true
    const text = written.length > limits.answer ? undefined : print.large(head, name, written)
    if (text !== undefined) wire.onMessage?.(text)
    return text !== undefined
  }
  const targets = await makeTargets(line, contextId, say, ({ method, sessionId }, written) => {
    sayLarge({ method, sessionId }, 'params', written)
  })
  const crashes = makeCrashes()
  const tell = line.onEvent
  line.onEvent = (event) => {
    const told = tell?.(event)
    crashes.hear(event)
    return told
  }
  const root = makeRoot({ line, targets, contextId, limits })
  const read = makeReader(limits)
  const focus = makeFocus(line)
  leave = rest.follow(focus)
  const waiting = { commands: 0, size: 0 }
  const turns = makeLargeTurns()

  const take = async (text: string): Promise<void> => {
    if (!isOpen) return
    const command = read(text)
    if ('refusal' in command)
      return say({ id: command.id ?? 0, error: { code: refusedCode, message: command.refusal } })
    const { id, sessionId } = command
    const head = { id, ...(sessionId !== undefined && { sessionId }) }
    const refuse = (message: string, code = refusedCode): void => say({ ...head, error: { code, message } })
    const { length: size } = text
    if (waiting.commands >= limits.waiting || waiting.size + size > limits.waitingSize)
      return refuse('Too many commands wait.')
    waiting.commands += 1
    waiting.size += size
    const done = await rest.use()
    try {
      await turns.take(size)
      if (sessionId !== undefined && line.owns(sessionId)) focus.note(command, sessionId)
      const outcome = root.takes(sessionId)
        ? await root.carryOut(command)
        : await crashes.during(sessionId, command.method, () =>
            inSession(command, sessionId, line, targets.owns, pictures),
          )
      if ('refusal' in outcome) return refuse(outcome.refusal, outcome.code)
      if (outcome.written === undefined) return say({ ...head, result: outcome.result })
      if (!sayLarge(head, 'result', outcome.written)) refuse(tooLarge(limits))
    } finally {
      waiting.commands -= 1
      waiting.size -= size
      done()
    }
  }
  line.onGone = () => {
    end()
    wire.onClose?.()
  }
  return wire
}

function tooLarge({ answer }: FenceLimits): string {
  return `The answer has more than ${answer} characters. Ask for less, or for a part at a time.`
}

async function inSession(
  { method, params: given }: Command,
  sessionId: string,
  line: Line,
  owns: (targetId: unknown) => boolean,
  pictures: Pictures,
): Promise<Outcome> {
  if (!line.owns(sessionId)) return { refusal: 'Session with given id not found.', code: noSession }
  if (answeredHere.has(method)) return { result: {} }
  const read = sessionRules.get(method)
  if (!read) return denied(method)
  const params = read(given)
  if (typeof params === 'string') return misfit(params)
  if (method === 'Target.setAutoAttach') return pass(line, method, { ...params, flatten: true }, sessionId)
  if (method === 'Page.navigate') {
    const url = String(params['url'])
    if (!mayOpen(url)) return { refusal: `A live browser does not go to ${url.slice(0, 200)}.` }
    return pass(line, method, params, sessionId)
  }
  if (pictures.has(method)) return pictures.carryOut(method, params, line, sessionId)
  const { targetId } = params
  if (targetId !== undefined && !owns(targetId)) return { refusal: 'No target with given id found' }
  return pass(line, method, params, sessionId)
}
