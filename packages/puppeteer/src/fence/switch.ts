import { fifo, guarded } from '@harvestman/ports/adapters'

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
  readonly waiting: Waiting
  readonly hear: (event: Message) => void
  readonly lose: () => void
}

const ignore = (): void => undefined

// Far above what the first conversation counts to.
const firstId = 1_000_000_000

/** The numbers of messages that a line waits for. */
type Waiting = Set<number>

/**
 * Lets several conversations share a browser without hearing each other: numbers of messages are counted here for all of
 * them, and what a session says goes to the line that opened it. Without lines, messages are passed on unread.
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
  // What cannot be taken costs the browser, which is started again, and not the process.
  const fail = (): void => transport.close()
  Object.assign(transport, { onclose: lose, onmessage: guarded(inOrder(deliver, fail), fail) })
  return { main, open: () => openLine(lines, questions) }
}

/**
 * The browser often writes answers and events in one burst. An answer reaches its client through promises and an event at
 * once, so messages behind an answer wait for the next turn: Playwright never sees a page's first load if they overtake it.
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

/** Messages of all lines that wait for an answer. */
interface Questions {
  ask(method: string, params?: object, sessionId?: string, waiting?: Waiting): Promise<Message>
  /** Whether it was the answer to one of them, also to one that is no longer awaited. */
  answer(message: Message): boolean
  /** Answers those of one line, which is closed. */
  end(waiting: Waiting): void
  lose(): void
  isIdle(): boolean
}

function makeQuestions(transport: Transport): Questions {
  const answers = new Map<number, (answer: Message) => void>()
  let lastId = firstId
  return {
    ask: (method, params, sessionId, waiting) => {
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
      for (const answer of answers.values()) answer({ error: { message: 'The browser is gone.' } })
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
    lose: () => line.onGone?.(),
  }
  lines.add(own)
  const line: Line = {
    onEvent: undefined,
    onGone: undefined,
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
