import { gzipSync } from 'node:zlib'

import { pdf, png } from './files.ts'
import { answer, answerRaw, html, page, type Route } from './route.ts'

const body = page('A lie', '<p>What the headers say of this page is not so.</p>'.repeat(20))

const lengths: Readonly<Record<string, string>> = {
  short: `content-length: ${body.length - 100}`,
  long: `content-length: ${body.length + 100}`,
  missing: 'connection: close',
  negative: 'content-length: -5',
  two: `content-length: ${body.length}\r\ncontent-length: ${body.length + 1}`,
  words: 'content-length: many',
  'and-chunks': `content-length: ${body.length}\r\ntransfer-encoding: chunked`,
}

interface Mistyped {
  readonly type: string
  readonly body: string | Uint8Array
}

const types: Readonly<Record<string, Mistyped>> = {
  'html-as-pdf': { type: 'application/pdf', body },
  'html-as-text': { type: 'text/plain', body },
  'html-as-bytes': { type: 'application/octet-stream', body },
  'html-as-nonsense': { type: 'not a type; ;;', body },
  'pdf-as-html': { type: html, body: pdf('A PDF that says it is a page') },
  'pdf-as-bytes': { type: 'application/octet-stream', body: pdf('A PDF that does not say what it is') },
  'png-as-html': { type: html, body: png() },
  'json-as-html': { type: html, body: '{"json":true}' },
  'html-as-json': { type: 'application/json', body },
}

const encodings: Readonly<Record<string, { readonly says: string; readonly body: string | Uint8Array }>> = {
  'plain-as-gzip': { says: 'gzip', body },
  'gzip-as-plain': { says: 'identity', body: gzipSync(body) },
  'gzip-as-br': { says: 'br', body: gzipSync(body) },
  'gzip-cut': { says: 'gzip', body: gzipSync(body).subarray(0, 60) },
  'gzip-and-more': { says: 'gzip', body: Buffer.concat([gzipSync(body), Buffer.from('left over')]) },
  unknown: { says: 'harvest', body },
  'upper-case': { says: 'GZIP', body: gzipSync(body) },
  empty: { says: 'gzip', body: '' },
}

const kinds = (table: object) => Object.keys(table).join(', ')

export const lieRoutes: readonly Route[] = [
  {
    path: '/lie/length/:kind',
    about: `a Content-Length that is not so: ${kinds(lengths)}`,
    handle: (visit) => {
      const line = lengths[visit.parts['kind'] ?? ''] ?? ''
      answerRaw(visit, `HTTP/1.1 200 OK\r\ncontent-type: ${html}\r\n${line}\r\n\r\n${body}`)
    },
  },
  {
    path: '/lie/type/:kind',
    about: `a Content-Type that is not so: ${kinds(types)}`,
    handle: (visit) => {
      const { type, body } = types[visit.parts['kind'] ?? ''] ?? { type: html, body: '' }
      answer(visit, type, body)
    },
  },
  {
    path: '/lie/no-type',
    about: 'a page without a Content-Type',
    handle: (visit) => answerRaw(visit, `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
  },
  {
    path: '/lie/encoding/:kind',
    about: `a Content-Encoding that is not so: ${kinds(encodings)}`,
    handle: (visit) => {
      const { says, body } = encodings[visit.parts['kind'] ?? ''] ?? { says: 'identity', body: '' }
      answer(visit, html, body, { headers: { 'content-encoding': says } })
    },
  },
]
