import type { WireRequest, WireResponse } from '@harvestman/ports'
import { isTooDense, tooDense, type AnswerSource } from '@harvestman/net/fetcher'
import { impitError } from './errors.ts'
import { impitHeaders } from './headers.ts'
import type { ResponseClass } from './library.ts'
import type { ImpitLine } from './line.ts'
import type { ExchangeTimeouts } from './options.ts'
import { watchExchange } from './watch.ts'

/** Returns a function that sends a request with impit and passes the events of its response on. */
export function answerSource(
  line: ImpitLine,
  request: WireRequest,
  Response: ResponseClass,
  timeouts: ExchangeTimeouts,
): AnswerSource {
  const { url, method, headers, body } = request
  return (receiver) => {
    const flow = makeFlow()
    const run = async (): Promise<void> => {
      const { client, socket } = await line.opening
      // A receiver that has failed resumes nothing.
      socket.once('close', flow.resume)
      const watch = watchExchange(socket, request, timeouts, receiver.fail)
      try {
        const init = { method, headers: impitHeaders(headers), ...(body && { body }) }
        const response = await client.fetch(url.href, init)
        receiver.begin()
        watch.startBody()
        receiver.head(response.status, pairsOf(response, Response), true)
        let size = 0
        for await (const chunk of response.body) {
          watch.startBody()
          size += chunk.length
          if (isTooDense(size, watch.received())) return receiver.fail(tooDense())
          receiver.data(chunk)
          const resumed = flow.resumed()
          if (!resumed) continue
          watch.pauseBody()
          await resumed
          watch.startBody()
        }
        receiver.end()
      } finally {
        watch.end()
        socket.off('close', flow.resume)
      }
    }
    run().catch((error: unknown) => receiver.fail(impitError(error, url.hostname)))
    return flow
  }
}

function makeFlow() {
  let paused: PromiseWithResolvers<void> | undefined
  return {
    pause: (): void => {
      paused ??= Promise.withResolvers()
    },
    resume: (): void => {
      paused?.resolve()
      paused = undefined
    },
    /** Returns when the flow is resumed, `undefined` if it is not paused. */
    resumed: (): Promise<void> | undefined => paused?.promise,
  }
}

/**
 * Returns the headers in the order received. The `Headers` that impit gives are sorted and joined; its class has the original
 * pairs.
 */
function pairsOf(response: InstanceType<ResponseClass>, Response: ResponseClass): WireResponse['headers'] {
  const original: unknown = Reflect.get(Response.prototype, 'headers', response)
  const pairs = Array.isArray(original) ? original.filter(isPair) : [...response.headers]
  return pairs.map(([name, value]) => [name.toLowerCase(), value.trim()])
}

function isPair(value: unknown): value is readonly [name: string, value: string] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string'
}
