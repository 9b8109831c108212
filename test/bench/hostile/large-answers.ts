// Pages whose answers are as large as they get, of each kind: served by a site of their own.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { docx, p, rows, xlsx } from '../../../packages/documents/src/fixtures/files.ts'

/** What is asked for, and of which page. */
export interface LargeAnswer {
  readonly name: string
  readonly type: string
  /** The end of its address; its place in the list otherwise. */
  readonly file?: string
  /** `visit` counts how often it was asked for before. */
  readonly body: (visit: number) => Uint8Array
  /** Beside the address. */
  readonly request: Readonly<Record<string, unknown>>
  /** Sent as a file instead of being loaded. */
  readonly isSent?: boolean
  /** It is asked for once before, and what counts is the second answer. */
  readonly isAskedTwice?: boolean
  /** A browser is needed for it. */
  readonly isDrawn?: boolean
  /** It would hold more than a document may. */
  readonly isRefused?: boolean
}

const megabyte = 1_000_000

function filled(size: number, piece: (index: number) => string): string {
  const pieces: string[] = []
  for (let bytes = 0, index = 0; bytes < size; index += 1) {
    const next = piece(index)
    pieces.push(next)
    bytes += next.length
  }
  return pieces.join('')
}

const html = (content: string) => (): Buffer => Buffer.from(`<title>Large</title><main>${content}</main>`)
const links = (count: number): string =>
  Array.from({ length: count }, (_, index) => `<a href="/page/${index}">word ${index}</a>`).join(' ')
const prose = (size: number): string => filled(size, (index) => `<p>Paragraph ${index} of words that say little.</p>\n`)
const lines = (size: number): string => filled(size, (index) => `Line ${index} of words that say little.\n`)
const all = ['markdown', 'html', 'rawHtml', 'links', 'images']
const selectors = Array.from({ length: 50 }, () => ({ selector: 'a', attribute: 'href' }))
const whole = { onlyMainContent: false }
const tracked = { formats: ['markdown', { type: 'changeTracking', modes: ['git-diff'] }] }
const repeated = <Action>(action: Action, times: number): readonly Action[] =>
  Array.from({ length: times }, () => action)

export const largeAnswers: readonly LargeAnswer[] = [
  {
    name: 'attributes of 200,000 links, 50 selectors',
    type: 'text/html',
    body: html(links(200_000)),
    request: { formats: [{ type: 'attributes', selectors }], ...whole },
    isRefused: true,
  },
  { name: '200,000 links', type: 'text/html', body: html(links(200_000)), request: { formats: ['links'], ...whole } },
  {
    name: '100,000 images',
    type: 'text/html',
    body: html(filled(4 * megabyte, (index) => `<img src="/i/${index}.png" alt="i">`)),
    request: { formats: ['images'], ...whole },
  },
  {
    name: 'HTML of 18 MB',
    type: 'text/html',
    body: html(prose(18 * megabyte)),
    request: { formats: ['html'], ...whole },
  },
  { name: 'raw HTML of 18 MB', type: 'text/html', body: html(prose(18 * megabyte)), request: { formats: ['rawHtml'] } },
  {
    name: 'Markdown of 15 MB',
    type: 'text/html',
    body: html(prose(18 * megabyte)),
    request: { formats: ['markdown'], ...whole },
  },
  {
    name: 'all of a page of 3 MB',
    type: 'text/html',
    body: html(prose(3 * megabyte)),
    request: { formats: all, ...whole },
  },
  {
    name: 'text of 45 MB',
    type: 'text/plain',
    body: () => Buffer.from(lines(45 * megabyte)),
    request: {},
    isRefused: true,
  },
  { name: 'text of 18 MB', type: 'text/plain', body: () => Buffer.from(lines(18 * megabyte)), request: {} },
  {
    name: 'text of 18 MB in a file named .pdf',
    type: 'text/plain',
    file: 'notes.pdf',
    body: () => Buffer.from(lines(18 * megabyte)),
    request: {},
  },
  {
    name: 'lines of a dash, 18 MB',
    type: 'text/html',
    body: () => Buffer.from('\r\n-'.repeat(6 * megabyte)),
    request: { ...whole },
  },
  {
    name: 'JSON of 15 MB',
    type: 'application/json',
    body: () => Buffer.from(`[${filled(15 * megabyte, (index) => `{"a":${index}},`)}0]`),
    request: {},
  },
  {
    name: 'JSON that is more once it is quoted',
    type: 'application/json',
    body: () => Buffer.from(`[${filled(18 * megabyte, (index) => `{"a":${index}},`)}0]`),
    request: {},
    isRefused: true,
  },
  {
    name: 'a document of 5 MB in RTF',
    type: 'application/rtf',
    body: () => Buffer.from(`{\\rtf1 ${filled(5 * megabyte, (index) => `Words of line ${index}\\par\n`)}}`),
    request: { formats: ['markdown', 'html'] },
  },
  {
    name: 'a table of 10 MB',
    type: 'text/csv',
    body: () => Buffer.from(filled(10 * megabyte, (index) => `${index},"a ""b""",c|d,\n`)),
    request: {},
  },
  {
    name: 'a PDF of 14 MB as it is',
    type: 'application/pdf',
    body: () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(14 * megabyte, 'x')]),
    request: { parsers: [] },
  },
  {
    name: 'control characters, 10 MB',
    type: 'text/html',
    body: html('\u0001'.repeat(10 * megabyte)),
    request: { formats: ['rawHtml'] },
    isRefused: true,
  },
  {
    name: 'a text of 9 MB in Word',
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    body: () => docx(filled(9 * megabyte, (index) => p(`Paragraph ${index} of words that say little.`))),
    request: { formats: ['markdown', 'html'] },
  },
  {
    name: 'a sheet of 40,000 rows in Excel',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    body: () => {
      const line = (row: number) =>
        [
          ['A', row],
          ['B', `cell ${row}`],
          ['C', row * 2],
        ] as const
      return xlsx([{ name: 'Sheet', inner: rows(...Array.from({ length: 40_000 }, (_, row) => line(row))) }])
    },
    request: { formats: ['markdown', 'html'] },
  },
  {
    name: 'changes of a text of 9 MB',
    type: 'text/plain',
    body: (visit) => Buffer.from(lines(9 * megabyte).replaceAll('little', `little ${visit}`)),
    request: tracked,
    isAskedTwice: true,
  },
  {
    name: 'a text of 18 MB that changed in one line',
    type: 'text/plain',
    body: (visit) => Buffer.from(`Visit ${visit}\n${lines(18 * megabyte)}`),
    request: tracked,
    isAskedTwice: true,
  },
  {
    name: 'a text of 9 MB that did not change',
    type: 'text/plain',
    body: () => Buffer.from(lines(9 * megabyte)),
    request: tracked,
    isAskedTwice: true,
  },
  {
    name: 'changes of 200,000 lines without one that stands once',
    type: 'text/plain',
    body: (visit) => Buffer.from(filled(2 * megabyte, (index) => `${(index * (visit + 3)) % 7}\nsame\n`)),
    request: tracked,
    isAskedTwice: true,
  },
  {
    name: 'a picture of a long page',
    type: 'text/html',
    body: html('<div style="height:15000px;background:linear-gradient(37deg,red,blue,green)"></div>'),
    request: { formats: [{ type: 'screenshot', fullPage: true }] },
    isDrawn: true,
  },
  {
    name: 'three scrapes by actions, of 3 MB each',
    type: 'text/html',
    body: html(prose(3 * megabyte)),
    request: { actions: repeated({ type: 'scrape' }, 3) },
    isDrawn: true,
  },
  {
    name: 'a text of a million characters by a script',
    type: 'text/html',
    body: html('<p>Small'),
    request: { actions: [{ type: 'executeJavascript', script: "'x\\n'.repeat(499_000)" }] },
    isDrawn: true,
  },
  {
    name: 'a list of 140,000 numbers by a script',
    type: 'text/html',
    body: html('<p>Small'),
    request: {
      actions: [{ type: 'executeJavascript', script: 'Array.from({ length: 140_000 }, (_, index) => index)' }],
    },
    isDrawn: true,
  },
  {
    name: 'a PDF of a long page by an action',
    type: 'text/html',
    body: html(prose(megabyte / 10)),
    request: { actions: [{ type: 'pdf' }] },
    isDrawn: true,
  },
  {
    name: 'a page of 6 MB, drawn',
    type: 'text/html',
    body: html(prose(6 * megabyte)),
    request: { formats: ['rawHtml'], waitFor: 1, ...whole },
    isDrawn: true,
  },
  {
    name: 'HTML of 18 MB that is sent',
    type: 'text/html',
    body: html(prose(18 * megabyte)),
    request: { formats: ['html'] },
    isSent: true,
  },
]

/** Serves the pages, each under its place in the list. */
export async function startLargeSite() {
  const visits = new Map<LargeAnswer, number>()
  const server = createServer((request, response) => {
    const page = largeAnswers[Number.parseInt(request.url?.slice(1) ?? '', 10)]
    if (!page) return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Small')
    const visit = visits.get(page) ?? 0
    visits.set(page, visit + 1)
    response.writeHead(200, { 'content-type': page.type }).end(page.body(visit))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    at: (page: LargeAnswer | undefined): string =>
      `http://127.0.0.1:${port}/${page ? largeAnswers.indexOf(page) : 'small'}`,
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
