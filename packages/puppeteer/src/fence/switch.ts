import { guarded } from '@harvestman/ports/adapters'

import type { Transport } from '../lib/cdp.ts'
import { hear as read, type Message } from './heard.ts'

/** One of several conversations over one transport. Its root is a session of its own with the browser. */
export interface Line {
  /** Resolves with the answer, whether it is a result or an error. */
  ask(method: string, params?: object, sessionId?: string): Promise<Message>
  /** Whether the session was opened on this line. */
  owns(sessionId: string): boolean
  /** What it gives is awaited for its failure alone. */
  onEvent: ((event: Message) => unknown) | undefined
  /** Something broke while an event was taken. */
  onFault?: ((fault: unknown) => void) | undefined
  /** The browser is gone. */
  onGone: (() => void) | undefined
  close(): void
}

export interface Switch {
  /** For the first conversation, which owns the browser. */
  readonly main: Transport
  open(): Promise<Line>
}

interface OpenLine {
  readonly sessions: Set<string>
  readonly waiting: Set<number>
  readonly hear: (event: Message) => void
  readonly lose: () => void
}

const ignore = (): void => undefined

// Far above what the first conversation counts to.
const firstId = 1_000_000_000

/**
 * Lets several conversations share a browser without hearing each other: numbers of messages are counted here for all of
 * them, and what a session says goes to the line that opened it. Without lines, messages are passed on unread.
 */
// oxlint-disable-next-line max-lines-per-function -- short steps that share which messages wait for an answer
export function makeSwitch(transport: Transport): Switch {
  const lines = new Set<OpenLine>()
  const answers = new Map<number, (answer: Message) => void>()
  let lastId = firstId

  const main: Transport = {
    send: (message) => transport.send(message),
    close: () => transport.close(),
  }
  const lose = (): void => {
    for (const answer of answers.values()) answer({ error: { message: 'The browser is gone.' } })
    answers.clear()
    for (const { lose } of lines) lose()
    lines.clear()
    main.onclose?.()
  }
  const hear = (text: string): void => {
    if (lines.size === 0 && answers.size === 0) return main.onmessage?.(text)
    const message = read(text)
    const answer = message.id === undefined ? undefined : answers.get(message.id)
    if (answer) return answer(message)
    if (message.id !== undefined && message.id >= firstId) return
    const line = message.sessionId === undefined ? undefined : lineOf(message.sessionId)
    if (!line) return main.onmessage?.(text)
    note(line, message)
    line.hear(message)
  }

  // What cannot be taken costs the browser, which is started again, and not the process.
  Object.assign(transport, { onclose: lose, onmessage: guarded(hear, () => transport.close()) })

  const lineOf = (sessionId: string): OpenLine | undefined => [...lines].find(({ sessions }) => sessions.has(sessionId))

  const note = ({ sessions }: OpenLine, { method, params }: Message): void => {
    const sessionId = params?.['sessionId']
    if (typeof sessionId !== 'string') return
    if (method === 'Target.attachedToTarget') sessions.add(sessionId)
    if (method === 'Target.detachedFromTarget') sessions.delete(sessionId)
  }

  const ask = (method: string, params?: object, sessionId?: string, line?: OpenLine): Promise<Message> => {
    const id = ++lastId
    return new Promise((resolve) => {
      line?.waiting.add(id)
      answers.set(id, (answer) => {
        answers.delete(id)
        line?.waiting.delete(id)
        resolve(answer)
      })
      transport.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }))
    })
  }

  const open = async (): Promise<Line> => {
    const { result, error } = await ask('Target.attachToBrowserTarget')
    const root = result?.['sessionId']
    if (typeof root !== 'string') throw new Error(error?.message ?? 'The browser opened no session.')
    const own: OpenLine = {
      sessions: new Set([root]),
      waiting: new Set(),
      hear: guarded(
        (event: Message) => line.onEvent?.(event),
        (fault) => line.onFault?.(fault),
      ),
      lose: () => line.onGone?.(),
    }
    lines.add(own)
    const line: Line = {
      onEvent: undefined,
      onGone: undefined,
      owns: (sessionId) => sessionId !== root && own.sessions.has(sessionId),
      ask: async (method, params, sessionId = root) => ask(method, params, sessionId, own),
      close: () => {
        if (!lines.delete(own)) return
        for (const id of own.waiting) answers.get(id)?.({ error: { message: 'The connection was closed.' } })
        ask('Target.detachFromTarget', { sessionId: root }).catch(ignore)
      },
    }
    return line
  }

  return { main, open }
}
