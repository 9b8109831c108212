// Images and PDFs at unguessable URLs. As in the public API, the URL is the only credential.
import type { Engine } from '@harvestman/core'
import { z } from 'zod'

import type { Answer } from '../answer/answer.ts'
import { filesPath } from '../request/call.ts'
import { route, type Route } from '../route/route.ts'

type File = Awaited<ReturnType<Engine['results']['file']>>

// Only these types are shown inline. Anything else could be HTML and would run with the origin of this server.
const shown: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/bmp': 'bmp',
  'application/pdf': 'pdf',
}

const always = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  // A file never changes and expires after a day.
  'cache-control': 'private, max-age=3600, immutable',
}

function fileAnswer({ bytes, type }: File, headers: Readonly<Record<string, string>>): Answer {
  const ending = shown[type]
  return {
    status: 200,
    headers: {
      ...always,
      ...headers,
      'content-type': ending === undefined ? 'application/octet-stream' : type,
      'content-disposition': ending === undefined ? 'attachment' : `inline; filename="file.${ending}"`,
    },
    body: bytes as Uint8Array<ArrayBuffer>,
  }
}

export const fileRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${filesPath}{id}`,
    group: 'files',
    fails: ['not_found'],
    summary: 'Returns a screenshot, a picture of a page or a PDF, for one day. Its URL contains its key.',
    isOpen: true,
    output: () => z.custom<File>(),
    gives: 'application/octet-stream',
    run: ({ engine, params }) => engine.results.file(params['id'] ?? ''),
    answer: fileAnswer,
  }),
]
