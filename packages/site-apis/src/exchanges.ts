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
  /** Whether it is the document of a frame in the page. */
  readonly isFrame?: boolean | undefined
  readonly status: number
  readonly received: ReadonlyMap<string, string>
  readonly text: string
}

/** The exchanges of one scrape. */
export interface Exchanges {
  readonly list: readonly Exchange[]
  readonly traffic: Traffic
  /** Returns whether a response with these headers is stored. `bytes` is its size, as far as it is known. */
  accepts(headers: TrafficAnswer['headers'], bytes: number): boolean
  /** Returns whether no further response is stored. */
  isFull(): boolean
}

/** Returns whether an exchange may be the document of a page. */
export const isDocument = (one: Exchange): boolean => one.method === 'GET' && one.status === 200 && isHtml(one)

/** Returns whether the response is HTML: a document, or a part of one. */
export const isHtml = ({ received }: Exchange): boolean => (received.get('content-type') ?? '').includes('html')

/** Returns whether an exchange may be the document of a page, and is not the one of a frame. */
export const isPageDocument = (one: Exchange): boolean => isDocument(one) && one.isFrame !== true

/** Returns whether an exchange is the document of a page with a doctype or an `html` element, and not a fragment of HTML. */
export const isFullDocument = (one: Exchange): boolean =>
  isPageDocument(one) && /<!doctype|<html/i.test(one.text.slice(0, 1_000))

/** Returns the URL of a page without its query, which may contain secrets. */
export function pageName(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/** Returns the normalized URL without its fragment. */
export function withoutHash(url: string): string {
  const parsed = new URL(url)
  parsed.hash = ''
  return parsed.href
}

const hasKnownCharset = (type: string): boolean => decodeBody(new Uint8Array(), type) !== undefined

const types = { first: /json|javascript|html|xml|text\/plain/, last: /json|html|xml|text\/plain/ }

/** Which responses are stored above the limits. */
export interface ExchangesOptions {
  /** `first` for one page. `last` for a browser that visits many: without scripts, and the newest documents are removed last. */
  readonly keeps: 'first' | 'last'
}

/**
 * Creates an empty list, and the handler that fills it: at most 200 text responses, with their requests and headers at most 16 MB
 * together. URLs have at most 8,000 characters. Responses with an unknown charset are ignored.
 */
export function makeExchanges({ keeps }: ExchangesOptions = { keeps: 'first' }): Exchanges {
  const list: Exchange[] = []
  const facts = new Map<Exchange, Facts>()
  let bytes = 0
  const isTooMuch = (size: number): boolean => facts.size >= limits.exchanges || bytes + size > limits.exchangeBytes
  const accepts: Exchanges['accepts'] = (headers, size) => {
    const type = new Map(headers).get('content-type') ?? ''
    return (
      types[keeps].test(type) &&
      hasKnownCharset(type) &&
      size <= limits.exchangeBytes &&
      (keeps === 'last' || !isTooMuch(size))
    )
  }
  const note = (asked: TrafficRequest, answer: TrafficAnswer): void => {
    if (asked.url.length > limits.urlCharacters || !/^https?:/.test(asked.url) || !URL.canParse(asked.url)) return
    const size = answer.body.length + (asked.body?.length ?? 0) + sizeOf(asked.headers) + sizeOf(answer.headers)
    if (answer.isCut || !accepts(answer.headers, size)) return
    const received = new Map(answer.headers)
    const text = decodeBody(answer.body, received.get('content-type'))
    if (text === undefined) return
    if (isTooMuch(size)) {
      for (const one of removalOrder(list, facts)) {
        if (!isTooMuch(size)) break
        bytes -= facts.get(one)?.bytes ?? 0
        facts.delete(one)
      }
      list.splice(0, list.length, ...list.filter((one) => facts.has(one)))
    }
    const exchange: Exchange = {
      ...{ method: asked.method, url: asked.url, headers: new Map(asked.headers) },
      sent: asked.body && new TextDecoder().decode(asked.body),
      ...(asked.isFrame === true && { isFrame: true }),
      ...{ status: answer.status, received },
      text,
    }
    bytes += size
    list.push(exchange)
    facts.set(exchange, { bytes: size, origin: isFullDocument(exchange) ? new URL(exchange.url).origin : undefined })
  }
  return {
    ...{ list, accepts, traffic: { maxBytes: limits.bodyBytes, note } },
    isFull: () => keeps === 'first' && list.length >= limits.exchanges,
  }
}

const sizeOf = (headers: TrafficAnswer['headers']): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)

// A browser may show several pages, so the newest document of each origin is protected.
const keptDocuments = 8

/** Data about a stored exchange. */
interface Facts {
  readonly bytes: number
  /** The origin of a full document. */
  readonly origin: string | undefined
}

/** Returns the exchanges from the oldest to the newest, and at the end the newest full document of each of the last origins. */
function removalOrder(list: readonly Exchange[], facts: ReadonlyMap<Exchange, Facts>): readonly Exchange[] {
  const newest = new Map<string, Exchange>()
  for (const one of list.toReversed()) {
    const origin = facts.get(one)?.origin
    if (origin === undefined || newest.has(origin)) continue
    newest.set(origin, one)
    if (newest.size >= keptDocuments) break
  }
  const last = new Set(newest.values())
  return [...list.filter((one) => !last.has(one)), ...list.filter((one) => last.has(one))]
}
