// Reads HAR 1.2 files, which the developer tools of browsers save. They are untrusted and can be large, so this runs in a thread.
import { EngineError } from '@harvestman/ports'
import { parseJson } from '@harvestman/toolbox/parse-json'
import { z } from 'zod'

import { makeExchanges, pageName, type Exchange } from './exchanges.ts'
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

const headers = z
  .array(z.object({ name: z.string().max(200), value: z.string().max(20_000) }))
  .max(500)
  // HTTP/2 has headers such as `:path`.
  .transform((list) => list.filter(({ name }) => !name.startsWith(':')))
const pairs = z.array(z.object({ name: z.string(), value: z.string().default('') })).max(1_000)
const entry = z.object({
  request: z.object({
    method: z.string().max(20),
    url: z.url({ protocol: /^https?$/ }).max(8_000),
    headers,
    postData: z.object({ text: z.string().optional(), params: pairs.optional() }).optional(),
  }),
  response: z.object({
    status: z.int(),
    headers,
    content: z.object({ text: z.string(), encoding: z.string().optional(), mimeType: z.string().max(300).default('') }),
  }),
})
type Entry = z.output<typeof entry>

const file = z.object({ log: z.object({ entries: z.array(z.unknown()) }) })

/**
 * Reads the exchanges of a page, at most 200 with 16 MB. Entries without a response body, and entries after the first 20,000, are
 * ignored. Throws `invalid_request` if the string is not a HAR file.
 */
export function readHar({ har, url }: HarInput): HarPage {
  const { data } = file.safeParse(parseJson(har.replace(/^\uFEFF/, '')))
  if (!data)
    throw new EngineError(
      'invalid_request',
      'file is not a HAR file: it has no log.entries. Save it again in the browser.',
    )
  const entries = data.log.entries.slice(0, maxEntries).flatMap((one) => entry.safeParse(one).data ?? [])
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

const withoutHash = (url: string): string => url.split('#', 1)[0] ?? ''

function isDocument({ request, response }: Entry): boolean {
  return request.method === 'GET' && response.status === 200 && typeOf(response).includes('html') && !isFrame(request)
}

function isFrame({ headers: list }: Entry['request']): boolean {
  return list.some(({ name, value }) => name.toLowerCase() === 'sec-fetch-dest' && /^i?frame$/.test(value))
}

function typeOf({ headers: list, content }: Entry['response']): string {
  return list.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? content.mimeType
}

function askedOf({ request }: Entry) {
  const { method, url, headers: list, postData } = request
  const { params = [] } = postData ?? {}
  const form =
    params.length === 0
      ? undefined
      : new URLSearchParams(params.map(({ name, value }): [string, string] => [name, value]))
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
