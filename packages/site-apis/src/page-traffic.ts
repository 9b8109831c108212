// The traffic of one page, from a live browser or from a record, and the shown content.
import type { RecordedTraffic } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

import { isDocument, makeExchanges, type Exchange } from './exchanges.ts'
import { readShownPage, type OpenBrowser } from './open-browsers.ts'

/** The traffic of a page. */
export interface PageTraffic {
  readonly url: URL
  /** The document of the page, and later responses. */
  readonly exchanges: readonly Exchange[]
  /** Shown content of the page: text, Markdown or HTML. */
  readonly shown: string
  /** The cookies that scripts of the page can read. */
  readonly cookies: string
  /** Placeholder of redacted secrets in the exchanges. */
  readonly redacted: string | undefined
  readonly skipTlsVerification: boolean
}

/**
 * Returns the traffic of the page in front of a live browser. `shown` replaces its visible text. Rejects with `conflict` if
 * the browser shows no page of the web, its document was not received, or its requests have headers of the caller.
 */
export async function trafficOfBrowser(
  browser: OpenBrowser,
  shown: string | undefined,
  signal: AbortSignal,
): Promise<PageTraffic> {
  if (browser.hasHeaders)
    throw new EngineError(
      'conflict',
      'Recipes contain no secrets, so none is learned from a live browser with headers of the request. Open one without.',
    )
  const { skipTlsVerification } = browser
  const { url, text, cookies } = await readShownPage(browser, signal)
  const exchanges = [...browser.exchanges]
  const start = startOf(exchanges, url) ?? lastDocumentOf(exchanges, url.origin)
  if (start === undefined)
    throw new EngineError('conflict', `The document of ${url.origin}${url.pathname} was not received. Open it again.`)
  return {
    url,
    exchanges: ofPage(exchanges, start),
    shown: shown ?? text,
    cookies,
    redacted: undefined,
    skipTlsVerification,
  }
}

/** What to read from a record. */
export interface RecordedPage {
  readonly responses: ReturnType<RecordedTraffic['responses']>
  readonly redacted: string
  /** Default: the first document. */
  readonly url: string | undefined
  readonly shown: string
}

/** Returns the traffic of a page in a record. Rejects with `invalid_request` if the record does not contain the document. */
export async function trafficOfRecord({ responses, redacted, url, shown }: RecordedPage): Promise<PageTraffic> {
  const { list, traffic } = makeExchanges()
  for await (const { asked, answer } of responses) traffic.note?.(asked, answer)
  const start = url === undefined ? list.findIndex(isDocument) : startOf(list, new URL(url))
  const document = list[start ?? -1]
  if (!document) throw noDocument(list, url)
  return {
    ...{ url: new URL(document.url), exchanges: ofPage(list, start ?? 0), shown, redacted, skipTlsVerification: false },
    // The headers of a browser do not have them.
    cookies: '',
  }
}

/** Returns the index of the last document with a URL, apart from its fragment. */
function startOf(exchanges: readonly Exchange[], url: URL): number | undefined {
  const wanted = withoutHash(url.href)
  const index = exchanges.findLastIndex((one) => isDocument(one) && withoutHash(one.url) === wanted)
  return index < 0 ? undefined : index
}

/** Returns the index of the last full document of an origin: scripts may have changed the URL of the page. */
function lastDocumentOf(exchanges: readonly Exchange[], origin: string): number | undefined {
  const index = exchanges.findLastIndex(
    (one) => isDocument(one) && new URL(one.url).origin === origin && /<!doctype|<html/i.test(one.text.slice(0, 1_000)),
  )
  return index < 0 ? undefined : index
}

/** Returns the document at an index and the exchanges after it, without requests of other documents. */
function ofPage(exchanges: readonly Exchange[], start: number): readonly Exchange[] {
  const own = exchanges[start]
  const others = new Set(exchanges.filter(isDocument).map(({ url }) => withoutHash(url)))
  others.delete(withoutHash(own?.url ?? ''))
  return exchanges.slice(start).filter(({ headers }) => !others.has(headers.get('referer') ?? ''))
}

function withoutHash(url: string): string {
  return url.split('#', 1)[0] ?? ''
}

function noDocument(list: readonly Exchange[], url: string | undefined): EngineError {
  const remedy = 'Record a scrape that opens the page in a browser, for example with waitFor.'
  if (url === undefined) return new EngineError('invalid_request', `The record has no page of a browser. ${remedy}`)
  const known = list.filter(isDocument).slice(0, 5)
  const names = known.map((one) => new URL(one.url)).map(({ origin, pathname }) => origin + pathname)
  const others = names.length === 0 ? remedy : `Its pages are: ${names.join(', ')}.`
  return new EngineError('invalid_request', `The record has no page with the URL ${url.slice(0, 300)}. ${others}`)
}
