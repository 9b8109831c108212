import type { Wire } from '@harvestman/ports'

import type { Contexts, Downloads } from './shared.ts'
import { makeClient, type Client } from './client.ts'
import { sessionRules } from './commands.ts'
import type { Rest } from './rest.ts'
import { makeCrashes } from './crashes.ts'
import { isOwnChallenge, type Credentials } from '../lib/proxy-challenge.ts'
import { makeFocus } from './focus.ts'
import type { Message } from './heard.ts'
import { makeLargeTurns } from './large-turns.ts'
import { defaultFenceLimits, type FenceLimits } from './limits.ts'
import { denied, misfit, type Outcome } from './outcome.ts'
import type { PageSettings } from './page-settings.ts'
import type { Pictures } from './pictures.ts'
import { makeReader, type Command } from './reader.ts'
import { makeRoot } from './root.ts'
import { carryOutInSession, type SessionParts } from './session.ts'
import { makeClientDownloads, makeStreams } from './streams.ts'
import type { Line } from './switch.ts'
import { makeTargets } from './targets.ts'

const noSession = -32_001
const refusedCode = -32_000

/** The state that all clients of a live browser share. */
export interface Fenced {
  readonly contexts: Contexts
  readonly downloads: Downloads
  /** Credentials of the session's proxy. Never sent to a client. */
  readonly credentials: Credentials
  readonly rest: Rest
  readonly pictures: Pictures
  readonly settings: PageSettings
  /** Strings that must not be sent to any client. */
  readonly secrets: readonly string[]
  /** Returns whether the page of a tab was unresponsive and is being reopened. */
  isReviving(targetId: string): boolean
  /** Brings a tab to the front: viewers then see it, and it receives keys. */
  show(targetId: string): Promise<void>
  /** Called with an error in the handling of a message, which only ends its connection. */
  readonly onFault: (fault: unknown) => void
}

/**
 * Filters the DevTools connection of a client. Commands that are not known to be harmless are rejected, and tabs of other
 * sessions are hidden. `left` is called when the connection has ended.
 */
export async function openFence(
  line: Line,
  { contexts, downloads, credentials, rest, pictures, settings, secrets, isReviving, show, onFault }: Fenced,
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
      clientDownloads.end()
      left()
    },
    take: (text) => take(text),
  })
  const clientDownloads = makeClientDownloads(downloads, (method, params, sessionId) =>
    client.send({ method, params, ...(sessionId !== undefined && { sessionId }) }),
  )
  const streams = makeStreams(downloads)
  const targets = await makeTargets(line, contexts, client.send, ({ method, sessionId }, written) => {
    client.sendLarge({ method, sessionId }, 'params', written)
  })
  const crashes = makeCrashes(isReviving)
  const tell = line.onEvent
  line.onEvent = (event) => {
    if (isProxyChallenge(event)) return presentTo(line, event, credentials)
    const outcome = crashes.isHidden(event) ? undefined : tell?.(event)
    crashes.hear(event)
    return outcome
  }
  const root = makeRoot({ line, targets, contexts, downloads, clientDownloads, streams, limits, show })
  const parts = { line, pictures, settings, streams, owns: targets.owns }
  const take = makeIntake(client, rest, limits, async (command) => {
    const { method, sessionId } = command
    if (sessionId !== undefined && line.owns(sessionId)) focus.note(command, sessionId)
    // Pages also accept commands of the browser.
    const isOfBrowser = sessionId !== undefined && line.owns(sessionId) && method.startsWith('Browser.')
    if (isOfBrowser || root.takes(sessionId)) return root.carryOut(command)
    return crashes.during(sessionId, method, () => inSession(command, sessionId, parts))
  })
  return client.wire
}

/** Returns the handler of a client's messages, which enforces the limits and sends the responses. */
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
      return client.send({ id: command.id ?? 0, error: { code: refusedCode, message: command.refusal } })
    const { id, sessionId } = command
    const head = { id, ...(sessionId !== undefined && { sessionId }) }
    const refuse = (message: string, code = refusedCode): void => client.send({ ...head, error: { code, message } })
    const outcome = await answer(command, text.length)
    if ('refusal' in outcome) return refuse(outcome.refusal, outcome.code)
    if (outcome.written === undefined) return client.send({ ...head, result: outcome.result })
    if (!client.sendLarge(head, 'result', outcome.written)) refuse(tooLarge(limits))
  }
}

function tooLarge({ answer }: FenceLimits): string {
  return `The result has more than ${answer} characters. Request less, or a part at a time.`
}

async function inSession({ method, params: given }: Command, sessionId: string, parts: SessionParts): Promise<Outcome> {
  if (!parts.line.owns(sessionId)) return { refusal: 'Session with given id not found.', code: noSession }
  const read = sessionRules.get(method)
  if (!read) return denied(method)
  const params = read(given)
  return typeof params === 'string' ? misfit(params) : carryOutInSession(method, params, sessionId, parts)
}

/** Returns whether an event asks a client that handles authentication for the credentials of the session's proxy. */
function isProxyChallenge({ method, params }: Message): boolean {
  return method === 'Fetch.authRequired' && isOwnChallenge(params?.['authChallenge'])
}

function presentTo(line: Line, { params, sessionId }: Message, credentials: Credentials): Promise<unknown> {
  const authChallengeResponse = { response: 'ProvideCredentials', ...credentials }
  return line.ask('Fetch.continueWithAuth', { requestId: params?.['requestId'], authChallengeResponse }, sessionId)
}
