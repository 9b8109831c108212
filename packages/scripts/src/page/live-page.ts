// A tab of a live browser, controlled over its DevTools connection, like by any other client of the session.
import { EngineError } from '@harvestman/ports'
import { pageCall } from '@harvestman/toolbox/page-call'
import { z } from 'zod'

import { installInspector } from '../page-scripts.ts'
import { unwrapResult, type Client, type Message } from './client.ts'
import { worldName } from './names.ts'

/** A page in a tab. */
export interface LivePage {
  /** Id of its tab. */
  readonly tab: string
  /** Id of the tab that opened it. */
  readonly opener: string | undefined
  /** Aborted when the tab is closed. */
  readonly closed: AbortSignal
  /** Brings the tab to the front. */
  show(signal: AbortSignal): Promise<void>
  /**
   * Evaluates an expression in the isolated world of the inspector. Retries after a navigation, and throws `action_failed` if
   * it still fails.
   */
  see<T>(expression: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T>
  send(method: string, params: object, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>
  /** Adds a listener for DevTools events of the page. */
  listen(listener: (method: string, params: Readonly<Record<string, unknown>>) => void): void
}

const maxTries = 4

/** Attaches to a tab. Calls reject with `action_failed` when the tab is closed. */
export async function pageIn(
  client: Client,
  { tab, opener }: Pick<LivePage, 'tab' | 'opener'>,
  signal: AbortSignal,
): Promise<LivePage> {
  const listeners = new Set<Parameters<LivePage['listen']>[0]>()
  const closed = new AbortController()
  let sessionId: string | undefined
  let world: number | undefined
  client.listen(({ method, params = {}, sessionId: of }) => {
    if (method === 'Target.targetDestroyed' && params['targetId'] === tab)
      closed.abort(new EngineError('action_failed', 'The tab was closed.'))
    if (of === undefined || of !== sessionId || method === undefined) return
    if (method === 'Runtime.executionContextsCleared') world = undefined
    if (method === 'Runtime.executionContextDestroyed' && params['executionContextId'] === world) world = undefined
    for (const listener of listeners) listener(method, params)
  })
  const attached = await unwrapResult(
    client.ask('Target.attachToTarget', { targetId: tab, flatten: true }, undefined, signal),
  )
  sessionId = z.string().parse(attached['sessionId'])
  const ask = (method: string, params: object, within: AbortSignal): Promise<Message> =>
    client.ask(method, params, sessionId, AbortSignal.any([within, closed.signal]))
  const send: LivePage['send'] = (method, params, within) => unwrapResult(ask(method, params, within))
  const open = async (within: AbortSignal): Promise<number> => {
    const { frameTree } = await send('Page.getFrameTree', {}, within)
    const { frame } = z.object({ frame: z.object({ id: z.string() }) }).parse(frameTree)
    const made = await send('Page.createIsolatedWorld', { frameId: frame.id, worldName }, within)
    const contextId = z.int().parse(made['executionContextId'])
    await send('Runtime.evaluate', { expression: pageCall(installInspector), contextId }, within)
    return contextId
  }
  await Promise.all(['Page.enable', 'Runtime.enable'].map((method) => send(method, {}, signal)))
  return {
    tab,
    opener,
    closed: closed.signal,
    show: async (within) => {
      await unwrapResult(client.ask('Target.activateTarget', { targetId: tab }, undefined, within))
    },
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
        // The page has navigated to a document without an inspector.
        world = undefined
        if (count >= maxTries) throw unreadable(answer, read?.error)
      }
    },
  }
}

function valueOf({ result = {} }: Message): unknown {
  return z.object({ value: z.unknown() }).safeParse(result['result']).data?.value
}

function unreadable({ error, result }: Message, cause: unknown): EngineError {
  const why = cause ?? new Error(error?.message ?? JSON.stringify(result?.['exceptionDetails'] ?? {}).slice(0, 500))
  return new EngineError('action_failed', 'The page could not be read. Wait until it has loaded.', { cause: why })
}
