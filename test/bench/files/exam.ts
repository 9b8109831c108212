// Sends files to a server in every way it takes them, at each offset and in random chunks, and judges the responses.
import { inChunks } from '@harvestman/testing'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { FileCase } from './corpus.ts'
import { missingIn } from './writers.ts'

/** How a file ended: its text, or the error in its place. */
interface Response {
  readonly way: 'scrape' | 'parse' | 'crawl'
  readonly status: number
  readonly text?: string | undefined
  readonly warning?: string | undefined
  readonly error?: string | undefined
}

/** The results of the files with one extension. */
export interface KindVerdict {
  files: number
  read: number
  warned: number
  refused: number
  /** Files whose reader was ended, because it took too much time or memory. */
  killed: number
}

/** What came of all files. Every list must be empty but `unchecked`. */
export interface Verdict {
  readonly kinds: Readonly<Record<string, KindVerdict>>
  readonly responses: number
  readonly read: number
  readonly warned: number
  readonly refused: number
  /** Requests without a response in time. */
  readonly hangs: readonly string[]
  /** Another text with success and no warning, of a format with checksums. */
  readonly wrong: readonly string[]
  /** Undamaged files of known text whose sentences are not all in the result. */
  readonly incomplete: readonly string[]
  /** The same of a format without checksums, where nobody can tell. */
  readonly unchecked: number
  /** Responses that depend on the offset, the chunks or the way. */
  readonly unequal: readonly string[]
  /** Files that were read as far as the time allowed, which differs from time to time. */
  readonly timed: readonly string[]
  /** Messages with the words of a library or bytes of a file. */
  readonly leaks: readonly string[]
  /** Server errors for a file that was sent. */
  readonly serverErrors: readonly string[]
}

const deadline = 120_000
const offsets = [0, 1, 2, 3]
const outOfTime = /the time limit was reached|within \d+ ms|\bin time\b/
const killed = /could not be read within|took more than \d+ MB/
const leak = /Cannot |undefined|is not a|Unexpected|[\0-\x08\x0e-\x1f\ufffd]|node_modules|\.[jt]s:\d/

/** Runs the exam against the server at `url`, a few files at a time. */
export async function examine(url: string, cases: readonly FileCase[], atOnce = 3): Promise<Verdict> {
  await using site = await serveFiles(cases)
  const found: Response[][] = cases.map(() => [])
  const hangs: string[] = []
  const attempt = async (number: number, way: string, work: Promise<Response>): Promise<void> => {
    const response = await work.catch(
      (error: unknown) => void hangs.push(`${titleOf(cases, number)} ${way}: ${reasonOf(error)}`),
    )
    if (response) found[number]?.push(response)
  }
  let next = 0
  const worker = async (): Promise<void> => {
    for (let number = next++; number < cases.length; number = next++) {
      for (const offset of offsets) {
        await attempt(number, 'scrape', scrape(url, site.at(number, offset)))
        await attempt(number, 'parse', parse(url, cases[number] as FileCase, offset))
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const crawled = await crawl(url, site, cases.length)
  for (const [number, response] of crawled) found[number]?.push(response)
  const reached = new Set(crawled.map(([number]) => number))
  cases.forEach(
    (file, number) =>
      !isCrawled(file) || reached.has(number) || hangs.push(`${titleOf(cases, number)} crawl: no result`),
  )
  return judge(cases, found, hangs)
}

/** Returns the message of an error, with that of its cause: the one of `fetch` names nothing. */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? `${error} ${reasonOf(error.cause)}` : String(error)
}

/** Returns whether a crawl follows a link to a file: not to archives. */
export function isCrawled({ name }: FileCase): boolean {
  return !/\.(?:zip|bin)$/.test(name)
}

function titleOf(cases: readonly FileCase[], number: number): string {
  const { name, damage = 'as it is', attack = damage } = cases[number] as FileCase
  return `${number} ${name} (${attack})`
}

function judge(cases: readonly FileCase[], found: readonly Response[][], hangs: readonly string[]): Verdict {
  const all = found.flat()
  const wholeText = new Map<number, string | undefined>()
  cases.forEach(
    ({ from, damage }, number) =>
      damage ?? wholeText.set(from, found[number]?.find(({ text }) => text !== undefined)?.text),
  )
  const lists = {
    wrong: [] as string[],
    incomplete: [] as string[],
    unequal: [] as string[],
    timed: [] as string[],
    leaks: [] as string[],
    serverErrors: [] as string[],
  }
  let unchecked = 0
  cases.forEach(({ from, damage, isChecked, sentences = [] }, number) => {
    const title = titleOf(cases, number)
    const responses = found[number] ?? []
    if (responses.some(({ warning, error }) => outOfTime.test(warning ?? error ?? ''))) lists.timed.push(title)
    const whole = responses.filter(({ warning, error }) => !outOfTime.test(warning ?? error ?? ''))
    if (isUnequal(whole)) lists.unequal.push(`${title}: ${describe(whole)}`)
    for (const { way, status, text, warning, error } of responses) {
      const missing = damage === undefined ? missingIn(text ?? '', sentences) : []
      if (missing.length > 0) lists.incomplete.push(`${title} ${way}: ${missing.join(' | ')}`)
      if (error !== undefined && leak.test(error)) lists.leaks.push(`${title} ${way}: ${error}`)
      if (error?.includes('unexpected error') || (way === 'parse' && status >= 500))
        lists.serverErrors.push(`${title} ${way}: ${error}`)
      if (text === undefined || warning !== undefined || damage === undefined || text === wholeText.get(from)) continue
      if (isChecked) lists.wrong.push(`${title} ${way}`)
      else unchecked += 1
    }
  })
  const read = all.filter(({ text }) => text !== undefined)
  const warned = read.filter(({ warning }) => warning !== undefined).length
  return {
    kinds: kindsOf(cases, found),
    responses: all.length,
    read: read.length - warned,
    warned,
    refused: all.length - read.length,
    hangs,
    unchecked,
    ...lists,
  }
}

/** Returns whether texts differ, or only some files have one, or the errors of one way differ: each way has its own sentences. */
function isUnequal(responses: readonly Response[]): boolean {
  const texts = new Set(responses.map(({ text }) => text))
  const ways = Object.values(Object.groupBy(responses, ({ way }) => way))
  return texts.size > 1 || ways.some((some) => new Set(some.map(({ error }) => error)).size > 1)
}

/** Describes each result that differs from the ones before it. */
function describe(responses: readonly Response[]): string {
  const seen = new Map<string | undefined, string>()
  for (const { way, text, warning = '', error } of responses)
    if (!seen.has(text ?? error)) seen.set(text ?? error, `${way}: ${error ?? `${text?.length} characters`} ${warning}`)
  return [...seen.values()].map((result) => result.slice(0, 200)).join(' | ')
}

function kindsOf(cases: readonly FileCase[], found: readonly Response[][]): Readonly<Record<string, KindVerdict>> {
  const kinds: Record<string, KindVerdict> = {}
  cases.forEach(({ name }, number) => {
    const kind = (kinds[extname(name)] ??= { files: 0, read: 0, warned: 0, refused: 0, killed: 0 })
    const responses = found[number] ?? []
    kind.files += 1
    if (responses.some(({ error }) => error !== undefined && killed.test(error))) kind.killed += 1
    else if (responses.every(({ text }) => text === undefined)) kind.refused += 1
    else if (responses.some(({ warning }) => warning !== undefined)) kind.warned += 1
    else kind.read += 1
  })
  return kinds
}

interface Document {
  readonly markdown?: string
  readonly warning?: string
  readonly metadata: Readonly<Record<string, unknown>>
}

interface Body {
  readonly data?: Document
  readonly error?: string
}

async function ask(url: string, path: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(deadline) })
  return { status: response.status, body: await response.json() }
}

const json = (value: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
})

function responseOf(way: Response['way'], { status, body }: { status: number; body: unknown }): Response {
  const { data, error } = body as Body
  if (data === undefined) return { way, status, error: error ?? '' }
  return { way, status, text: data.markdown ?? '', warning: data.warning }
}

async function scrape(url: string, page: string): Promise<Response> {
  return responseOf('scrape', await ask(url, '/v2/scrape', json({ url: page, formats: ['markdown'], timeout: 60_000 })))
}

/** The length of the name decides where the file begins in the body. */
async function parse(url: string, { name, bytes }: FileCase, offset: number): Promise<Response> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), 'x'.repeat(offset) + name)
  form.append('options', JSON.stringify({ formats: ['markdown'], timeout: 60_000 }))
  return responseOf('parse', await ask(url, '/v2/parse', { method: 'POST', body: form }))
}

/** The crawl reads each file once, at an offset of its own. */
async function crawl(url: string, site: FileSite, count: number): Promise<readonly (readonly [number, Response])[]> {
  const request = {
    url: site.list,
    limit: count + 1,
    maxDiscoveryDepth: 1,
    scrapeOptions: { formats: ['markdown'], timeout: 60_000 },
  }
  const { id } = (await ask(url, '/v2/crawl', json(request))).body as { id: string }
  let status = 'scraping'
  for (const end = Date.now() + count * 5_000 + deadline; status === 'scraping' && Date.now() < end;) {
    await sleep(200)
    ;({ status } = (await ask(url, `/v2/crawl/${id}`)).body as { status: string })
  }
  const responses: [number, Response][] = []
  for (let next: string | undefined = `/v2/crawl/${id}`; next;) {
    const { body } = await ask(url, next)
    const page = body as { readonly data?: readonly Document[]; readonly next?: string; readonly error?: string }
    if (!page.data) throw new Error(`${next} has no data: ${page.error}`)
    for (const document of page.data) {
      const number = site.numberOf(String(document.metadata['sourceURL']))
      if (number !== undefined) responses.push([number, responseOf('crawl', { status: 200, body: { data: document } })])
    }
    next = page.next === undefined ? undefined : page.next.slice(new URL(page.next).origin.length)
  }
  const { errors } = (await ask(url, `/v2/crawl/${id}/errors`)).body as {
    errors: readonly { url: string; error: string }[]
  }
  for (const { url: page, error } of errors) {
    const number = site.numberOf(page)
    if (number !== undefined) responses.push([number, { way: 'crawl', status: 0, error }])
  }
  return responses
}

interface FileSite extends AsyncDisposable {
  readonly list: string
  at(number: number, offset: number): string
  numberOf(url: string): number | undefined
}

/** Serves each file in chunks of random sizes, behind headers whose length decides where the body begins. */
async function serveFiles(cases: readonly FileCase[]): Promise<FileSite> {
  const server = createServer((request, response) => {
    const [, number, offset] = /^\/files\/(\d+)\/(\d)\//.exec(request.url ?? '') ?? []
    if (request.url === '/') return void response.setHeader('content-type', 'text/html').end(listPage())
    const file = number === undefined ? undefined : cases[Number(number)]
    if (!file) return void response.writeHead(404).end()
    response.setHeader('content-type', file.name.endsWith('.html') ? 'text/html' : 'application/octet-stream')
    response.setHeader('x-pad', 'x'.repeat(1 + Number(offset)))
    void send(response, inChunks(file.bytes, Number(number) * 4 + Number(offset), 16_384))
  })
  const path = (number: number, offset: number): string => `/files/${number}/${offset}/${cases[number]?.name}`
  const listPage = (): string => {
    const links = cases.map(({ name }, number) => `<a href="${path(number, number % 4)}">${name} ${number}</a>`)
    return `<!doctype html><title>Files</title>${links.join('\n')}`
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    list: `${origin}/`,
    at: (number, offset) => origin + path(number, offset),
    numberOf: (url) => {
      const found = /\/files\/(\d+)\//.exec(url)?.[1]
      return found === undefined ? undefined : Number(found)
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function send(response: ServerResponse, chunks: readonly Uint8Array[]): Promise<void> {
  for (const chunk of chunks) {
    response.write(chunk)
    await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}
