// A cheap `Request` for Node requests: members that the API reads on each request come from Node's own objects, and a real
// `Request` is created only for other members. `Request` and `Headers` are first used with the first request, since Node loads
// them lazily.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

import { EngineError } from '@harvestman/core'

import { readsItself, type SelfReading } from '../request/body.ts'
import { drain, readAtMost } from './read-body.ts'
import { absoluteUrlOf } from './absolute-url.ts'

/** Members that frameworks such as Express add to a request. */
interface Mounted extends IncomingMessage {
  readonly body?: unknown
  readonly rawBody?: unknown
}

/**
 * Returns a `Request` for a Node request. Throws `InvalidUrl` if its URL or host header is invalid. The signal should abort
 * when the caller disconnects.
 */
export function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  prepareRequests()
  // Cast: missing members are taken from the real class.
  return new NodeRequest(incoming, signal) as unknown as Request
}

class NodeRequest implements SelfReading {
  readonly method: string
  readonly url: string
  readonly signal: AbortSignal
  readonly #incoming: Mounted
  #headers: NodeHeaders | undefined
  #real: Request | undefined

  constructor(incoming: Mounted, signal: AbortSignal) {
    this.method = incoming.method ?? 'GET'
    this.url = absoluteUrlOf(incoming)
    this.signal = signal
    this.#incoming = incoming
  }
  get headers(): NodeHeaders {
    return (this.#headers ??= new NodeHeaders(this.#incoming))
  }
  get real(): Request {
    const { method, url, signal } = this
    const headers = new Headers([...this.headers])
    const body = hasBody(this) ? streamOf(this.#incoming) : null
    return (this.#real ??= new Request(url, { method, headers, signal, body, ...(body && { duplex: 'half' }) }))
  }
  async [readsItself](most: number): Promise<Uint8Array | undefined> {
    if (this.#real) throw new TypeError('The body was already read.')
    return hasBody(this) ? (readBefore(this.#incoming) ?? readAtMost(this.#incoming, most)) : new Uint8Array()
  }
  async bytes(): Promise<Uint8Array> {
    return (await this[readsItself](Infinity)) ?? new Uint8Array()
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(await this.bytes()).buffer
  }
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes())
  }
  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }
}

/** Headers as Node has parsed them. A real `Headers` is created for anything beyond single values. */
class NodeHeaders {
  readonly #incoming: IncomingMessage
  #real: Headers | undefined

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming
  }
  get real(): Headers {
    if (this.#real) return this.#real
    const { rawHeaders } = this.#incoming
    const real = new Headers()
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) real.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
    return (this.#real = real)
  }
  get(name: string): string | null {
    if (this.#real) return this.#real.get(name)
    const value = this.#incoming.headers[name.toLowerCase()]
    return typeof value === 'string' ? value : null
  }
  has(name: string): boolean {
    return this.get(name) !== null
  }
  [Symbol.iterator](): ReturnType<Headers['entries']> {
    return this.real[Symbol.iterator]()
  }
}

let isPrepared = false

/**
 * Delegates all other members of the real classes to a real object. The first call takes 40 ms of CPU time, since Node loads its
 * `fetch` with these classes.
 */
export function prepareRequests(): void {
  if (isPrepared) return
  isPrepared = true
  for (const [ours, theirs] of [
    [NodeRequest.prototype, Request.prototype],
    [NodeHeaders.prototype, Headers.prototype],
  ] as const) {
    for (const name of Object.getOwnPropertyNames(theirs)) {
      if (Object.hasOwn(ours, name)) continue
      const isMethod = typeof Object.getOwnPropertyDescriptor(theirs, name)?.value === 'function'
      Object.defineProperty(ours, name, isMethod ? { value: methodOf(name) } : { get: getterOf(name) })
    }
    Object.setPrototypeOf(ours, theirs)
  }
}

interface Real {
  readonly real: object
}

type Method = (...given: unknown[]) => unknown

function methodOf(name: string) {
  return function (this: Real, ...given: unknown[]): unknown {
    const { real } = this
    return (Reflect.get(real, name) as Method).apply(real, given)
  }
}

function getterOf(name: string) {
  return function (this: Real): unknown {
    return Reflect.get(this.real, name)
  }
}

function hasBody({ method }: NodeRequest): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/** Returns a body that a middleware has already read, serialized again if it was parsed. */
function readBefore({ readableEnded, body, rawBody }: Mounted): Uint8Array | undefined {
  if (rawBody instanceof Buffer) return new Uint8Array(rawBody)
  if (!readableEnded || body === undefined) return undefined
  return new Uint8Array(
    body instanceof Buffer ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  )
}

/** Returns the body as a stream. Cancelling it does not close the connection, which is still needed for the response. */
function streamOf(incoming: Mounted): ReadableStream<Uint8Array> {
  const read = readBefore(incoming)
  const reader = (Readable.toWeb(read ? Readable.from([read]) : incoming) as ReadableStream<Uint8Array>).getReader()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new EngineError('aborted', 'The body is incomplete.', { cause })
      })
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => drain(incoming),
  })
}
