import { fifo } from '@harvestman/toolbox/fifo'
import { guarded } from '@harvestman/toolbox/guarded'

import type { Transport } from '../lib/cdp.ts'
import { hear as read, type Message } from './heard.ts'

/** One of several DevTools connections that share a transport. It has its own session with the browser. */
export interface Line {
  /** Sends a command. Resolves with the response, which may be an error. Never rejects. */
  ask(method: string, params?: object, sessionId?: string): Promise<Message>
  /** Returns whether the session was opened by this connection. */
  owns(sessionId: string): boolean
  /** Receives events. If it returns a promise, only its rejection is handled, by `onFault`. */
  onEvent: ((event: Message) => unknown) | undefined
  /** Called with an error in the handling of an event. */
  onFault?: ((fault: unknown) => void) | undefined
  /** Called when the browser is gone. */
  onClosed: (() => void) | undefined
  close(): void
}

export interface Switch {
  /** The main connection, which owns the browser. */
  readonly main: Transport
  open(): Promise<Line>
}

interface OpenLine {
  readonly sessions: Set<string>
  readonly waiting: Waiting
  readonly hear: (event: Message) => void
  readonly lose: () => void
}

const ignore = (): void => undefined

// Far above the ids that the main connection reaches.
const firstId = 1_000_000_000

/** The ids of commands that are waiting for a response. */
type Waiting = Set<number>

/**
 * Creates a switch with which several connections share a browser without seeing each other's messages. Message ids are
 * assigned here for all of them, and events go to the connection that opened their session. While there is only the main
 * connection, messages are forwarded unparsed. An internal error closes the browser. `open` rejects with an `Error` if the
 * browser opens no session.
 */
export function makeSwitch(transport: Transport): Switch {
  const lines = new Set<OpenLine>()
  const questions = makeQuestions(transport)
  const main: Transport = {
    send: (message) => transport.send(message),
    close: () => transport.close(),
  }
  const lose = (): void => {
    questions.lose()
    for (const { lose } of lines) lose()
    lines.clear()
    main.onclose?.()
  }
  const deliver = (text: string): 'answer' | 'other' => {
    const message = lines.size === 0 && questions.isIdle() ? undefined : read(text)
    if (message && questions.answer(message)) return 'answer'
    const line = message && [...lines].find(({ sessions }) => sessions.has(message.sessionId ?? ''))
    if (!message || !line) {
      main.onmessage?.(text)
      return 'other'
    }
    noteSession(line, message)
    line.hear(message)
    return 'other'
  }
  // An unhandled error closes the browser, which is then restarted, but not this process.
  const fail = (): void => transport.close()
  Object.assign(transport, { onclose: lose, onmessage: guarded(inOrder(deliver, fail), fail) })
  return { main, open: () => openLine(lines, questions) }
}

/**
 * Delivers messages in order. The browser often writes responses and events in one burst. A response reaches its client through
 * promises, an event immediately, so messages after a response wait for the next turn of the event loop. Otherwise Playwright
 * misses the first load of a page.
 */
function inOrder(deliver: (text: string) => 'answer' | 'other', onFault: () => void): (text: string) => void {
  const waiting = fifo<string>()
  let isBehindAnswer = false
  const run = (): void => {
    while (!isBehindAnswer && waiting.size > 0) {
      isBehindAnswer = deliver(waiting.shift() ?? '') === 'answer'
      if (isBehindAnswer) setImmediate(goOn)
    }
  }
  const goOn = guarded(() => {
    isBehindAnswer = false
    run()
  }, onFault)
  return (text) => {
    waiting.push(text)
    run()
  }
}

/** The pending commands of all connections. */
interface Questions {
  ask(method: string, params?: object, sessionId?: string, waiting?: Waiting): Promise<Message>
  /** Handles a response. Returns whether it was for one of these commands, even if nobody waits for it any more. */
  answer(message: Message): boolean
  /** Fails the pending commands of one closed connection. */
  end(waiting: Waiting): void
  lose(): void
  isIdle(): boolean
}

function makeQuestions(transport: Transport): Questions {
  const answers = new Map<number, (answer: Message) => void>()
  const gone: Message = { error: { message: 'The browser is gone.' } }
  let lastId = firstId
  let isLost = false
  return {
    ask: (method, params, sessionId, waiting) => {
      if (isLost) return Promise.resolve(gone)
      const id = ++lastId
      return new Promise((resolve) => {
        waiting?.add(id)
        answers.set(id, (answer) => {
          answers.delete(id)
          waiting?.delete(id)
          resolve(answer)
        })
        transport.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }))
      })
    },
    answer: (message) => {
      if (message.id === undefined) return false
      const answer = answers.get(message.id)
      answer?.(message)
      return answer !== undefined || message.id >= firstId
    },
    end: (waiting) => {
      for (const id of waiting) answers.get(id)?.({ error: { message: 'The connection was closed.' } })
    },
    lose: () => {
      isLost = true
      for (const answer of answers.values()) answer(gone)
      answers.clear()
    },
    isIdle: () => answers.size === 0,
  }
}

async function openLine(lines: Set<OpenLine>, questions: Questions): Promise<Line> {
  const { result, error } = await questions.ask('Target.attachToBrowserTarget')
  const root = result?.['sessionId']
  if (typeof root !== 'string') throw new Error(error?.message ?? 'The browser opened no session.')
  const own: OpenLine = {
    sessions: new Set([root]),
    waiting: new Set(),
    hear: guarded(
      (event: Message) => line.onEvent?.(event),
      (fault) => line.onFault?.(fault),
    ),
    lose: () => line.onClosed?.(),
  }
  lines.add(own)
  const line: Line = {
    onEvent: undefined,
    onClosed: undefined,
    owns: (sessionId) => sessionId !== root && own.sessions.has(sessionId),
    ask: async (method, params, sessionId = root) => questions.ask(method, params, sessionId, own.waiting),
    close: () => {
      if (!lines.delete(own)) return
      questions.end(own.waiting)
      questions.ask('Target.detachFromTarget', { sessionId: root }).catch(ignore)
    },
  }
  return line
}

function noteSession({ sessions }: OpenLine, { method, params }: Message): void {
  const sessionId = params?.['sessionId']
  if (typeof sessionId !== 'string') return
  if (method === 'Target.attachedToTarget') sessions.add(sessionId)
  if (method === 'Target.detachedFromTarget') sessions.delete(sessionId)
}
