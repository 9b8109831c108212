import type { LiveBrowser, Wire } from '@harvestman/ports'
import { connect, type Browser as Puppeteer } from 'puppeteer-core'

/** A message of the browser. */
export interface Answer {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string }
}

/** A client that sends and receives raw protocol messages. */
export interface Client {
  readonly wire: Wire
  readonly heard: Answer[]
  ask(method: string, params?: object, sessionId?: string): Promise<Answer>
}

export async function clientOf(live: LiveBrowser): Promise<Client> {
  const wire = await live.connect()
  const waiting = new Map<number, (answer: Answer) => void>()
  const heard: Answer[] = []
  let last = 0
  wire.onMessage = (text) => {
    const message = JSON.parse(text) as Answer
    if (message.id === undefined) heard.push(message)
    else waiting.get(message.id)?.(message)
  }
  return {
    wire,
    heard,
    ask: (method, params, sessionId) =>
      new Promise((resolve) => {
        const id = ++last
        waiting.set(id, resolve)
        wire.send(JSON.stringify({ id, method, params, sessionId }))
      }),
  }
}

/** Opens a session with the first page. */
export async function attach({ ask }: Client): Promise<string> {
  const { result } = await ask('Target.getTargets')
  const [page] = (result?.['targetInfos'] ?? []) as { targetId: string; type: string }[]
  const attached = await ask('Target.attachToTarget', { targetId: page?.targetId, flatten: true })
  return String(attached.result?.['sessionId'])
}

/** Puppeteer over a connection. */
export function connectPuppeteer(wire: Wire): Promise<Puppeteer> {
  const transport: Parameters<typeof connect>[0]['transport'] = {
    send: (message) => wire.send(message),
    close: () => wire.close(),
  }
  wire.onMessage = (message) => transport?.onmessage?.(message)
  wire.onClose = () => transport?.onclose?.()
  return connect({ transport, defaultViewport: null })
}
