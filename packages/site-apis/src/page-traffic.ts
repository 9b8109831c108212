// The traffic of one page, from a live browser or from a record, and the shown content.
import type { FoundRecord } from '@harvestman/core/plugin'
import { EngineError, type Proxy } from '@harvestman/ports'

import { isDocument, isFullDocument, makeExchanges, type Exchange } from './exchanges.ts'
import type { OpenBrowser, ShownPage } from './open-browsers.ts'
import { refusalOfOptions } from './refusal.ts'
import { withoutSecrets } from './tokens.ts'

/** The traffic of a page. */
export interface PageTraffic {
  /** Without query values that may be secret. */
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
  /** The proxy of the browser, if it has one. `basic`: any basic proxy of the engine. */
  readonly proxy: Proxy | 'basic' | undefined
}

/**
 * Returns the traffic of the page in front of a live browser. `shown` replaces its visible text. Rejects with `conflict` if
 * the document was not received, the URL may contain a secret in its path, or the options of the browser forbid it.
 */
export async function trafficOfBrowser(
  browser: OpenBrowser,
  shown: string | undefined,
  readPage: () => Promise<ShownPage>,
): Promise<PageTraffic> {
  const { options, proxy } = browser
  checkOptions(refusalOfOptions(options), 'Open another live browser.')
  const { url, text, cookies } = await readPage()
  const exchanges = [...browser.exchanges]
  const start = startOf(exchanges, url) ?? lastDocumentOf(exchanges, url.origin)
  if (start === undefined)
    throw new EngineError('conflict', `The document of ${url.origin}${url.pathname} was not received. Open it again.`)
  return {
    ...{ ...pageAt(exchanges, start, url, undefined), shown: shown ?? text, cookies, proxy },
    ...{ redacted: undefined, skipTlsVerification: options.skipTlsVerification },
  }
}

/** What to read from a record. */
export interface RecordedPage {
  readonly record: FoundRecord
  readonly redacted: string
  /** Default: the first document. */
  readonly url: string | undefined
  readonly shown: string
}

/**
 * Returns the traffic of a page in a record. Rejects with `invalid_request` if the record does not contain the document, and with
 * `conflict` if its URL may contain a secret in its path, or the options of the recorded request forbid it.
 */
export async function trafficOfRecord(
  { record, redacted, url, shown }: RecordedPage,
  signal: AbortSignal,
): Promise<PageTraffic> {
  const { options } = record
  const refusal = options ? refusalOfOptions(options) : 'The record does not contain the options of its request.'
  checkOptions(refusal, 'Record the page again.')
  const { list, traffic, accepts, isFull } = makeExchanges()
  for await (const { asked, answer } of record.responses({ signal, accepts })) {
    traffic.note?.(asked, answer)
    if (isFull()) break
  }
  const start = url === undefined ? list.findIndex(isDocument) : startOf(list, new URL(url))
  const document = list[start ?? -1]
  if (!document) throw noDocument(list, url)
  return {
    ...{ ...pageAt(list, start ?? 0, new URL(document.url), redacted), shown, redacted, proxy: 'basic' },
    // The headers of a browser do not have them.
    ...{ cookies: '', skipTlsVerification: options?.skipTlsVerification ?? false },
  }
}

function checkOptions(refusal: string | undefined, remedy: string): void {
  if (refusal !== undefined) throw new EngineError('conflict', `${refusal} ${remedy}`)
}

/** Returns the index of the last document with a URL, apart from its fragment. */
function startOf(exchanges: readonly Exchange[], url: URL): number | undefined {
  const wanted = withoutHash(url.href)
  const index = exchanges.findLastIndex((one) => isDocument(one) && withoutHash(one.url) === wanted)
  return index < 0 ? undefined : index
}

/** Returns the index of the last full document of an origin: scripts may have changed the URL of the page. */
function lastDocumentOf(exchanges: readonly Exchange[], origin: string): number | undefined {
  const index = exchanges.findLastIndex((one) => isFullDocument(one) && new URL(one.url).origin === origin)
  return index < 0 ? undefined : index
}

/**
 * Returns the URL of a page without secrets, the document at an index, whose URL is changed likewise, and the exchanges after it,
 * without requests of other documents.
 */
function pageAt(
  exchanges: readonly Exchange[],
  start: number,
  page: URL,
  redacted: string | undefined,
): Pick<PageTraffic, 'url' | 'exchanges'> {
  const own = exchanges[start]
  const [url, documentUrl] = [page, new URL(own?.url ?? page)].map((one) => withoutSecrets(one, redacted))
  if (!own || !url || !documentUrl)
    throw new EngineError(
      'conflict',
      `The path of the page ${page.origin}/… may contain a secret, which recipes must not contain. Open the list at another URL.`,
    )
  const others = new Set(exchanges.filter(isDocument).map((one) => withoutHash(one.url)))
  others.delete(withoutHash(own.url))
  const later = exchanges.slice(start + 1).filter((one) => !others.has(fullReferer(one) ?? ''))
  return { url, exchanges: [{ ...own, url: documentUrl.href }, ...later] }
}

/** Returns the referer of a request, unless it is only an origin, as requests to other origins have it. */
function fullReferer({ url, headers }: Exchange): string | undefined {
  const referer = URL.parse(headers.get('referer') ?? '')
  const isOrigin = referer?.pathname === '/' && referer.search === '' && referer.origin !== new URL(url).origin
  return isOrigin ? undefined : referer?.href
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
