// Reads HAR 1.2 files, which the developer tools of browsers save. They are untrusted and can be large, so this runs in a thread.
import { EngineError, isRecord } from '@harvestman/ports'
import { exceededBound } from '@harvestman/toolbox/json-scanner'
import { parseJson } from '@harvestman/toolbox/parse-json'
import { z } from 'zod'

import { makeExchanges, pageName, withoutHash, type Exchange } from './exchanges.ts'
import { limits } from './recipe.ts'
import { withoutSecretValues } from './redacted.ts'

/** A HAR file, and the page to read from it. */
export interface HarInput {
  readonly har: string
  /** URL of the page. Default: the first document. */
  readonly url: string | undefined
}

/** The exchanges of a page. Secrets are replaced by `left-out`. */
export interface HarPage {
  /** The document and later responses. Absent if the file does not contain the document. */
  readonly exchanges?: readonly Exchange[]
  /** URLs of documents in the file, without their queries. */
  readonly pages: readonly string[]
}

const maxEntries = 20_000
const maxPages = 5
// Values, keys and depth of the whole file, so that parsing it fits into the memory of the thread.
const maxParts = { entries: 3_000_000, keys: 2_000_000, depth: 200, text: Infinity }

// HTTP/2 has headers such as `:path`.
const header = z.object({ name: z.string().max(200).regex(/^[^:]/), value: z.string().max(20_000) })
const headers = z
  .array(z.unknown())
  .transform((list) => list.slice(0, 500).flatMap((one) => header.safeParse(one).data ?? []))
const pairs = z
  .array(z.unknown())
  .max(1_000)
  .pipe(z.array(z.object({ name: z.string(), value: z.string().nullish() })))
const entry = z.object({
  request: z.object({
    method: z.string().max(20),
    url: z
      .url({ protocol: /^https?$/ })
      .max(limits.urlCharacters)
      .transform((url) => new URL(url).href),
    headers,
    postData: z.object({ text: z.string().nullish(), params: pairs.nullish() }).nullish(),
  }),
  response: z
    .object({
      status: z.int(),
      headers,
      content: z.object({ text: z.string(), encoding: z.string().nullish(), mimeType: z.string().max(300).nullish() }),
    })
    // The cache of the browser returned the body.
    .transform((one) => (one.status === 304 && one.content.text !== '' ? { ...one, status: 200 } : one)),
})
type Entry = z.output<typeof entry>

/**
 * Reads the exchanges of a page, at most 200 with 16 MB. Entries without a response body, and entries after the first 20,000, are
 * ignored. Throws `invalid_request` if the string is not a HAR file, is longer than 32,000,000 characters, or has too many values.
 */
export function readHar({ har, url }: HarInput): HarPage {
  const entries = entriesOf(har)
    .slice(0, maxEntries)
    .flatMap((one) => entry.safeParse(one).data ?? [])
  const documents = entries.filter(isDocument)
  const wanted = url === undefined ? undefined : withoutHash(url)
  const start =
    wanted === undefined ? documents[0] : documents.findLast(({ request }) => withoutHash(request.url) === wanted)
  const pages = documents.slice(0, maxPages).map(({ request }) => pageName(request.url))
  if (!start) return { pages }
  const { list, traffic, isFull } = makeExchanges()
  for (const one of entries.slice(entries.indexOf(start))) {
    if (isFull()) break
    traffic.note?.(askedOf(one), answerOf(one))
  }
  // The document may have been ignored, for example because of its charset.
  if (list[0]?.url !== start.request.url) return { pages }
  return { exchanges: list.map(withoutSecretValues), pages }
}

/** Returns the unchecked entries of a HAR file. */
function entriesOf(har: string): readonly unknown[] {
  if (har.length > limits.harCharacters)
    throw tooLarge(`has ${har.length} characters. A HAR file may have ${limits.harCharacters}`)
  const exceeded = exceededBound(har, maxParts)
  if (exceeded) throw tooLarge(`exceeds the limit of ${maxParts[exceeded]} for ${partNames[exceeded]} of a HAR file`)
  const value = parseJson(har.replace(/^\uFEFF/, ''))
  const log = isRecord(value) ? value['log'] : undefined
  const entries = isRecord(log) ? log['entries'] : undefined
  if (Array.isArray(entries)) return entries
  throw new EngineError(
    'invalid_request',
    'file is not a HAR file: it has no log.entries. Save it again in the browser.',
  )
}

const partNames = { entries: 'values', keys: 'keys', depth: 'the depth', text: 'bytes of a string' }

function tooLarge(problem: string): EngineError {
  const remedy = 'Clear the network panel, load the page again, and save fewer responses.'
  return new EngineError('invalid_request', `file ${problem}. ${remedy}`)
}

function isDocument({ request, response }: Entry): boolean {
  return request.method === 'GET' && response.status === 200 && typeOf(response).includes('html') && !isFrame(request)
}

function isFrame({ headers: list }: Entry['request']): boolean {
  return list.some(({ name, value }) => name.toLowerCase() === 'sec-fetch-dest' && /^i?frame$/.test(value))
}

function typeOf({ headers: list, content }: Entry['response']): string {
  return list.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? content.mimeType ?? ''
}

function askedOf({ request }: Entry) {
  const { method, url, headers: list, postData } = request
  const params = postData?.params ?? []
  const form =
    params.length === 0
      ? undefined
      : new URLSearchParams(params.map(({ name, value }): [string, string] => [name, value ?? '']))
  const body = postData?.text ?? form?.toString()
  const sent = body === undefined ? undefined : Buffer.from(body)
  return { method, url, headers: fieldsOf(list), body: sent, isFrame: isFrame(request) }
}

function answerOf({ response }: Entry) {
  const { status, headers: list, content } = response
  const isPacked = content.encoding === 'base64'
  const others = fieldsOf(list).filter(([name]) => name !== 'content-type')
  // Text is decoded already, so its charset no longer applies.
  const type = isPacked ? typeOf(response) : (typeOf(response).split(';', 1)[0] ?? '')
  const body = Buffer.from(content.text, isPacked ? 'base64' : 'utf8')
  return { status, headers: [...others, ['content-type', type] as const], body }
}

function fieldsOf(list: Entry['request']['headers']) {
  return list.map(({ name, value }) => [name.toLowerCase(), value] as const)
}
