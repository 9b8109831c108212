// The page of a live browser, driven over its DevTools connection: any client of the session may do the same.
import { EngineError, type Wire } from '@harvestman/ports'
import { z } from 'zod'

import { eyesSource, eyesWorld } from './eyes.ts'

/** What a page is driven with. */
export interface LivePage extends AsyncDisposable {
  /** Has the page looked at: the value of an expression over `eyes`, in the world of its own. */
  see<T>(expression: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T>
  send(method: string, params: object, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>
  /** Is told of each event of the page. */
  listen(listener: (method: string, params: Readonly<Record<string, unknown>>) => void): void
}

const record = z.record(z.string(), z.unknown())
const messageSchema = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: record.optional(),
  sessionId: z.string().optional(),
  result: record.optional(),
  error: z.object({ message: z.string() }).optional(),
})
type Message = z.output<typeof messageSchema>

const longestAnswer = 30_000
const mostTries = 4

interface Client {
  ask(method: string, params: object, sessionId: string | undefined, signal: AbortSignal): Promise<Message>
  listen(listener: (message: Message) => void): void
}

/** Opens the page that is in front. */
export async function openLivePage(wire: Wire, signal: AbortSignal): Promise<LivePage> {
  const client = clientOf(wire)
  try {
    const { targetInfos } = await checked(client.ask('Target.getTargets', {}, undefined, signal))
    const targets = z.array(z.object({ targetId: z.string(), type: z.string() })).parse(targetInfos)
    const page = targets.find(({ type }) => type === 'page')
    if (!page) throw new EngineError('action_failed', 'The live browser has no page open. Open one first.')
    const attached = { targetId: page.targetId, flatten: true }
    const { sessionId } = await checked(client.ask('Target.attachToTarget', attached, undefined, signal))
    return await pageIn(client, z.string().parse(sessionId), wire, signal)
  } catch (error) {
    wire.close()
    throw error
  }
}

async function pageIn(client: Client, sessionId: string, wire: Wire, signal: AbortSignal): Promise<LivePage> {
  const listeners = new Set<Parameters<LivePage['listen']>[0]>()
  let world: number | undefined
  client.listen(({ method, params = {}, sessionId: of }) => {
    if (of !== sessionId || method === undefined) return
    if (method === 'Runtime.executionContextsCleared') world = undefined
    if (method === 'Runtime.executionContextDestroyed' && params['executionContextId'] === world) world = undefined
    for (const listener of listeners) listener(method, params)
  })
  const ask = (method: string, params: object, within: AbortSignal): Promise<Message> =>
    client.ask(method, params, sessionId, within)
  const send: LivePage['send'] = (method, params, within) => checked(ask(method, params, within))
  const open = async (within: AbortSignal): Promise<number> => {
    const { frameTree } = await send('Page.getFrameTree', {}, within)
    const { frame } = z.object({ frame: z.object({ id: z.string() }) }).parse(frameTree)
    const made = await send('Page.createIsolatedWorld', { frameId: frame.id, worldName: eyesWorld }, within)
    const contextId = z.int().parse(made['executionContextId'])
    await send('Runtime.evaluate', { expression: eyesSource, contextId }, within)
    return contextId
  }
  for (const method of ['Page.enable', 'Runtime.enable']) await send(method, {}, signal)
  return {
    send,
    listen: (listener) => void listeners.add(listener),
    see: async (expression, schema, within) => {
      for (let count = 1; ; count += 1) {
        const answer = await ask(
          'Runtime.evaluate',
          { expression, contextId: (world ??= await open(within)), returnByValue: true },
          within,
        )
        const { exceptionDetails } = answer.result ?? {}
        const read = exceptionDetails === undefined && !answer.error ? schema.safeParse(valueOf(answer)) : undefined
        if (read?.success) return read.data
        // The page went on meanwhile, to a document that has no eyes yet.
        world = undefined
        if (count >= mostTries) throw unreadable(answer, read?.error)
      }
    },
    [Symbol.asyncDispose]: async () => wire.close(),
  }
}

function valueOf({ result = {} }: Message): unknown {
  return z.object({ value: z.unknown() }).safeParse(result['result']).data?.value
}

function unreadable({ error, result }: Message, cause: unknown): EngineError {
  const why = cause ?? new Error(error?.message ?? JSON.stringify(result?.['exceptionDetails'] ?? {}).slice(0, 500))
  return new EngineError('action_failed', 'The page could not be looked at. Wait until it has loaded.', { cause: why })
}

async function checked(asked: Promise<Message>): Promise<Readonly<Record<string, unknown>>> {
  const { result = {}, error } = await asked
  if (error) throw new EngineError('action_failed', 'The browser did not carry out a step.', { cause: error })
  return result
}

function clientOf(wire: Wire): Client {
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
      const ended = AbortSignal.any([signal, closed.signal, AbortSignal.timeout(longestAnswer)])
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
  return new EngineError('timeout', 'The browser did not answer in time.', { cause: reason })
}
