import type { Wire } from '@harvestman/ports'

import { makeClient, type Client } from './client.ts'
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
  /** Brings a tab to the front: viewers see it, and keys go there. */
  show(targetId: string): Promise<void>
  /** Told of what broke while a message was taken. Its connection ends with that, and nothing else does. */
  readonly onFault: (fault: unknown) => void
}

/**
 * Stands between a client and the browser. What is not known to be harmless is refused and not passed on, and tabs that
 * are not of this session are not there. `left` is called when the connection is over.
 */
export async function openFence(
  line: Line,
  { contextId, rest, pictures, secrets, show, onFault }: Fenced,
  left: () => void = () => undefined,
  limits: FenceLimits = defaultFenceLimits,
): Promise<Wire> {
  const focus = makeFocus(line)
  const leave = rest.follow(focus)
  const client = makeClient({
    line,
    secrets,
    longest: limits.answer,
    onFault,
    left: () => {
      leave()
      left()
    },
    take: (text) => take(text),
  })
  const targets = await makeTargets(line, contextId, client.say, ({ method, sessionId }, written) => {
    client.sayLarge({ method, sessionId }, 'params', written)
  })
  const crashes = makeCrashes()
  const tell = line.onEvent
  line.onEvent = (event) => {
    const told = tell?.(event)
    crashes.hear(event)
    return told
  }
  const root = makeRoot({ line, targets, contextId, limits, show })
  const take = makeIntake(client, rest, limits, async (command) => {
    const { method, sessionId } = command
    if (sessionId !== undefined && line.owns(sessionId)) focus.note(command, sessionId)
    if (root.takes(sessionId)) return root.carryOut(command)
    return crashes.during(sessionId, method, () => inSession(command, sessionId, line, targets.owns, pictures))
  })
  return client.wire
}

/** Takes what a client sends, as much at once as it may, and answers it. */
function makeIntake(
  client: Client,
  rest: Rest,
  limits: FenceLimits,
  carryOut: (command: Command) => Promise<Outcome>,
): (text: string) => Promise<void> {
  const read = makeReader(limits)
  const waiting = { commands: 0, size: 0 }
  const turns = makeLargeTurns()
  const answer = async (command: Command, size: number): Promise<Outcome> => {
    if (waiting.commands >= limits.waiting || waiting.size + size > limits.waitingSize)
      return { refusal: 'Too many commands wait.' }
    waiting.commands += 1
    waiting.size += size
    const done = await rest.use()
    try {
      await turns.take(size)
      return await carryOut(command)
    } finally {
      waiting.commands -= 1
      waiting.size -= size
      done()
    }
  }
  return async (text) => {
    if (!client.isOpen) return
    const command = read(text)
    if ('refusal' in command)
      return client.say({ id: command.id ?? 0, error: { code: refusedCode, message: command.refusal } })
    const { id, sessionId } = command
    const head = { id, ...(sessionId !== undefined && { sessionId }) }
    const refuse = (message: string, code = refusedCode): void => client.say({ ...head, error: { code, message } })
    const outcome = await answer(command, text.length)
    if ('refusal' in outcome) return refuse(outcome.refusal, outcome.code)
    if (outcome.written === undefined) return client.say({ ...head, result: outcome.result })
    if (!client.sayLarge(head, 'result', outcome.written)) refuse(tooLarge(limits))
  }
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
