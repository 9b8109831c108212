// A DevTools connection to the browser of a live session.
import { EngineError, type Wire } from '@harvestman/ports'
import { z } from 'zod'

const record = z.record(z.string(), z.unknown())
const messageSchema = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: record.optional(),
  sessionId: z.string().optional(),
  result: record.optional(),
  error: z.object({ message: z.string() }).optional(),
})

/** A message from the browser. */
export type Message = z.output<typeof messageSchema>

const maxResponseTime = 30_000

/** The connection. */
export interface Client {
  ask(method: string, params: object, sessionId: string | undefined, signal: AbortSignal): Promise<Message>
  listen(listener: (message: Message) => void): void
}

/** Returns the result of a command. Throws `action_failed` if the browser rejected it. */
export async function unwrapResult(asked: Promise<Message>): Promise<Readonly<Record<string, unknown>>> {
  const { result = {}, error } = await asked
  if (error) throw new EngineError('action_failed', 'The browser did not carry out a step.', { cause: error })
  return result
}

/**
 * Creates a client for a wire. `ask` rejects if the signal is aborted, the browser ends (`session_over`) or does not
 * respond in time.
 */
export function clientOf(wire: Wire): Client {
  const waiting = new Map<number, (message: Message) => void>()
  const listeners = new Set<(message: Message) => void>()
  const closed = new AbortController()
  let last = 0
  wire.onMessage = (text) => {
    const message = messageSchema.parse(JSON.parse(text))
    if (message.id === undefined) for (const listener of listeners) listener(message)
    else waiting.get(message.id)?.(message)
  }
  wire.onClose = () => closed.abort(new EngineError('session_over', 'The live browser has ended.'))
  return {
    listen: (listener) => void listeners.add(listener),
    ask: async (method, params, sessionId, signal) => {
      const ended = AbortSignal.any([signal, closed.signal, AbortSignal.timeout(maxResponseTime)])
      ended.throwIfAborted()
      const id = (last += 1)
      const { promise, resolve, reject } = Promise.withResolvers<Message>()
      const stop = (): void => reject(reasonOf(ended))
      ended.addEventListener('abort', stop, { once: true })
      waiting.set(id, resolve)
      try {
        wire.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }))
        return await promise
      } finally {
        ended.removeEventListener('abort', stop)
        waiting.delete(id)
      }
    },
  }
}

function reasonOf({ reason }: AbortSignal): Error {
  if (reason instanceof Error && reason.name !== 'TimeoutError') return reason
  return new EngineError('timeout', 'The browser did not respond in time.', { cause: reason })
}
