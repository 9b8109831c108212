// The responses that a page in a browser receives, as far as they can contain a list or a token.
import type { Traffic, TrafficAnswer, TrafficRequest } from '@harvestman/ports'

import { decodeBody } from './decode.ts'
import { limits } from './recipe.ts'

/** A request of a page and its response. */
export interface Exchange {
  readonly method: string
  readonly url: string
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>
  /** Body of the request. */
  readonly sent: string | undefined
  readonly status: number
  readonly received: ReadonlyMap<string, string>
  readonly text: string
}

/** The exchanges of one scrape. */
export interface Exchanges {
  readonly list: readonly Exchange[]
  readonly traffic: Traffic
}

/** Returns whether an exchange may be the document of a page. */
export const isDocument = (one: Exchange): boolean => one.method === 'GET' && one.status === 200 && isHtml(one)

/** Returns whether the response is HTML: a document, or a part of one. */
export const isHtml = ({ received }: Exchange): boolean => (received.get('content-type') ?? '').includes('html')

const textual = /json|javascript|html|xml|text\/plain/

/** Which responses are kept above the limits. */
export interface ExchangesOptions {
  /** `first` for one page, and `last` for a browser that visits many. */
  readonly keeps: 'first' | 'last'
}

/**
 * Creates an empty list, and the handler that fills it: at most 200 text responses, with their requests at most 16 MB together.
 * Responses with an unknown charset are ignored.
 */
export function makeExchanges({ keeps }: ExchangesOptions = { keeps: 'first' }): Exchanges {
  const list: Exchange[] = []
  const sizes: number[] = []
  let bytes = 0
  const isTooMuch = (size: number): boolean => list.length >= limits.exchanges || bytes + size > limits.exchangeBytes
  const note = (asked: TrafficRequest, answer: TrafficAnswer): void => {
    const received = new Map(answer.headers)
    const type = received.get('content-type')
    const size = answer.body.length + (asked.body?.length ?? 0)
    if (!/^https?:/.test(asked.url) || !textual.test(type ?? '') || answer.isCut) return
    if (size > limits.exchangeBytes || (keeps === 'first' && isTooMuch(size))) return
    const text = decodeBody(answer.body, type)
    if (text === undefined) return
    while (isTooMuch(size)) {
      list.shift()
      bytes -= sizes.shift() ?? 0
    }
    bytes += size
    sizes.push(size)
    list.push({
      ...{ method: asked.method, url: asked.url, headers: new Map(asked.headers) },
      sent: asked.body && new TextDecoder().decode(asked.body),
      ...{ status: answer.status, received },
      text,
    })
  }
  return { list, traffic: { maxBytes: limits.bodyBytes, note } }
}
