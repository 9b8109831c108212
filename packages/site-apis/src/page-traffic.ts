// The traffic of one page, from a live browser, a record or a file, and the shown content.
import type { FoundRecord } from '@harvestman/core/plugin'
import { EngineError, type Proxy } from '@harvestman/ports'

import {
  isDocument,
  isFullDocument,
  isPageDocument,
  makeExchanges,
  pageName,
  withoutHash,
  type Exchange,
} from './exchanges.ts'
import type { OpenBrowser, ShownPage } from './open-browsers.ts'
import { redactedValue, withoutSecretValues } from './redacted.ts'
import { refusalOfOptions } from './refusal.ts'
import { withoutSecrets } from './tokens.ts'
import type { Work } from './work.ts'

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
  const list = await responsesOf(record, signal)
  const skipTlsVerification = options?.skipTlsVerification ?? false
  return { ...recordedPage(list, { redacted, url, shown }, ofRecord), skipTlsVerification }
}

/** A file with the traffic of a browser, and the page to read from it. */
export interface TrafficFile extends Omit<RecordedPage, 'record' | 'redacted'> {
  /** The content of a HAR file, or a record in base64. */
  readonly file: string
}

/** How files with traffic are read. */
export interface FileReading {
  readonly work: Work
  /** Reads a record, or throws if the engine cannot. */
  readonly openRecord: (bytes: Uint8Array) => FoundRecord
  readonly signal: AbortSignal
}

/**
 * Returns the traffic of a page in a file. Its secrets are replaced by placeholders. Rejects with `invalid_request` if it is neither a
 * HAR file nor a record, or does not contain the document, and with `conflict` if the URL of the page may contain a secret in its path.
 */
export async function trafficOfFile(
  { file, url, shown }: TrafficFile,
  { work, openRecord, signal }: FileReading,
): Promise<PageTraffic> {
  const page = { url, shown, redacted: redactedValue }
  if (/^\uFEFF?\s{0,20}\{/.test(file)) {
    const { exchanges, pages } = await work('readHar', { har: file, url })
    if (!exchanges) throw noDocument(pages, url, ofHar)
    return { ...recordedPage(exchanges, { ...page, url: undefined }, ofHar), skipTlsVerification: false }
  }
  // The beginning of a file with gzip in base64.
  if (!file.startsWith('H4sI')) throw notTraffic()
  const list = await responsesOf(openRecord(Buffer.from(file, 'base64')), signal)
  return { ...recordedPage(list.map(withoutSecretValues), page, ofRecordFile), skipTlsVerification: false }
}

function notTraffic(): EngineError {
  const remedy = 'Pass the content of a .har file, or a .warc.gz file in base64.'
  return new EngineError('invalid_request', `file is neither a HAR file nor a record. ${remedy}`)
}

async function responsesOf(record: FoundRecord, signal: AbortSignal): Promise<readonly Exchange[]> {
  const { list, traffic, accepts, isFull } = makeExchanges()
  for await (const { asked, answer } of record.responses({ signal, accepts })) {
    traffic.note?.(asked, answer)
    if (isFull()) break
  }
  return list
}

type Recorded = Omit<PageTraffic, 'skipTlsVerification'>

function recordedPage(
  list: readonly Exchange[],
  { redacted, url, shown }: Pick<RecordedPage, 'redacted' | 'url' | 'shown'>,
  origin: Origin,
): Recorded {
  const start = url === undefined ? list.findIndex(isPageDocument) : startOf(list, new URL(url))
  const document = list[start ?? -1]
  if (!document) {
    const pages = list.filter(isPageDocument).map((one) => pageName(one.url))
    throw noDocument(pages, url, origin)
  }
  return {
    ...{ ...pageAt(list, start ?? 0, new URL(document.url), redacted), shown, redacted, proxy: 'basic' },
    // The headers of a browser do not have them.
    cookies: '',
  }
}

function checkOptions(refusal: string | undefined, remedy: string): void {
  if (refusal !== undefined) throw new EngineError('conflict', `${refusal} ${remedy}`)
}

/** Returns the index of the last document with a URL, apart from its fragment. */
function startOf(exchanges: readonly Exchange[], url: URL): number | undefined {
  const wanted = withoutHash(url.href)
  const index = exchanges.findLastIndex((one) => isPageDocument(one) && withoutHash(one.url) === wanted)
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

/** The name of a record or file in messages, and the remedy if it does not have the page. */
interface Origin {
  readonly name: 'The record' | 'The file'
  readonly remedy: string
}

const recordAgain = 'Record a scrape that opens the page in a browser, for example with waitFor.'
const ofRecord: Origin = { name: 'The record', remedy: recordAgain }
const ofRecordFile: Origin = { name: 'The file', remedy: recordAgain }
const ofHar: Origin = { name: 'The file', remedy: 'Save the file again with the content of the responses.' }

/** Returns the error for a record or file without the page. `pages` are the documents that it has. */
function noDocument(pages: readonly string[], url: string | undefined, { name, remedy }: Origin): EngineError {
  if (url === undefined) return new EngineError('invalid_request', `${name} has no page of a browser. ${remedy}`)
  const others = pages.length === 0 ? remedy : `Its pages are: ${pages.slice(0, 5).join(', ')}.`
  return new EngineError('invalid_request', `${name} has no page with the URL ${url.slice(0, 300)}. ${others}`)
}
