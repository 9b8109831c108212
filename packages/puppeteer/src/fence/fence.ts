import type { Wire } from '@harvestman/core/ports'

import { answeredHere, sessionCommands } from './commands.ts'
import type { Rest } from '../live/rest.ts'
import { makeFocus } from './focus.ts'
import { defaultFenceLimits, type FenceLimits } from './limits.ts'
import { denied, pass, type Outcome } from './outcome.ts'
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
}

/**
 * Stands between a client and the browser. What is not known to be harmless is refused and not passed on, and tabs that
 * are not of this session are not there.
 */
export async function openFence(
  line: Line,
  { contextId, rest, pictures, secrets }: Fenced,
  limits: FenceLimits = defaultFenceLimits,
): Promise<Wire> {
  const print = makePrint(secrets)
  let isOpen = true
  const wire: Wire = {
    onMessage: undefined,
    onClose: undefined,
    send: (text) => void take(text),
    close: () => {
      if (!isOpen) return
      isOpen = false
      leave()
      line.close()
    },
  }
  const say = (message: object): void => {
    if (isOpen) wire.onMessage?.(print(message))
  }
  const targets = await makeTargets(line, contextId, say)
  const root = makeRoot({ line, targets, contextId, limits })
  const read = makeReader(limits)
  const focus = makeFocus(line)
  const leave = rest.follow(focus)
  let waiting = 0

  const take = async (text: string): Promise<void> => {
    const command = read(text)
    if ('refusal' in command)
      return say({ id: command.id ?? 0, error: { code: refusedCode, message: command.refusal } })
    const { id, sessionId } = command
    const answer = (rest: object): void => say({ id, ...(sessionId !== undefined && { sessionId }), ...rest })
    if (waiting >= limits.waiting) return answer({ error: { code: refusedCode, message: 'Too many commands wait.' } })
    waiting += 1
    const done = await rest.use()
    try {
      if (sessionId !== undefined && line.owns(sessionId)) focus.note(command, sessionId)
      const outcome = root.takes(sessionId)
        ? await root.carryOut(command)
        : await inSession(command, sessionId, line, targets.owns, pictures)
      if ('result' in outcome) answer({ result: outcome.result })
      else answer({ error: { code: outcome.code ?? refusedCode, message: outcome.refusal } })
    } finally {
      waiting -= 1
      done()
    }
  }
  line.onGone = () => {
    isOpen = false
    leave()
    wire.onClose?.()
  }
  return wire
}

async function inSession(
  { method, params }: Command,
  sessionId: string,
  line: Line,
  owns: (targetId: unknown) => boolean,
  pictures: Pictures,
): Promise<Outcome> {
  if (!line.owns(sessionId)) return { refusal: 'Session with given id not found.', code: noSession }
  if (answeredHere.has(method)) return { result: {} }
  if (method === 'Target.setAutoAttach') return pass(line, method, { ...params, flatten: true }, sessionId)
  if (method === 'Page.navigate') {
    const url = String(params['url'])
    if (!mayOpen(url)) return { refusal: `A live browser does not go to ${url.slice(0, 200)}.` }
    return pass(line, method, params, sessionId)
  }
  if (pictures.has(method)) return pictures.carryOut(method, params, line, sessionId)
  const check = sessionCommands.get(method)
  if (!check) return denied(method)
  const { targetId } = params
  if (targetId !== undefined && !owns(targetId)) return { refusal: 'No target with given id found' }
  const checked = check(params)
  return typeof checked === 'string' ? { refusal: checked } : pass(line, method, checked, sessionId)
}
