import {
  createBrotliCompress,
  createDeflate,
  createGzip,
  createZstdCompress,
  constants as codes,
  gzipSync,
} from 'node:zlib'

import { goodPages } from './good-pages.ts'
import { answer, html, numberOf, type Route, type Visit } from './route.ts'
import { megabyte, repeat, stream } from './stream.ts'

type Packer = () => NodeJS.ReadWriteStream

const zeros = new Uint8Array(megabyte)

// The best compression of zeros: brotli and zstd reach more than 10,000 to 1.
const packers: Readonly<Record<string, Packer>> = {
  gzip: () => createGzip({ level: 9 }),
  deflate: () => createDeflate({ level: 9 }),
  br: () => createBrotliCompress({ params: { [codes.BROTLI_PARAM_QUALITY]: 5, [codes.BROTLI_PARAM_LGWIN]: 24 } }),
  zstd: () => createZstdCompress(),
}

function bomb(visit: Visit, encoding: string, ...through: readonly Packer[]): Promise<void> {
  const bytes = numberOf(visit, 'mb', 1000) * megabyte
  const headers = { 'content-type': html, 'content-encoding': encoding }
  return stream(visit, headers, repeat(zeros, bytes), ...through.map((make) => make()))
}

const single: readonly Route[] = Object.entries(packers).map(([encoding, make]) => ({
  path: `/bomb/${encoding}`,
  about: `a page of \`mb\` (1000) megabytes of nothing, packed with ${encoding}`,
  handle: (visit) => bomb(visit, encoding, make),
}))

export const bombRoutes: readonly Route[] = [
  ...single,
  {
    path: '/packed/:encoding',
    about: `a good page, packed with ${Object.keys(packers).join(', ')}`,
    handle: (visit) => {
      const encoding = visit.parts['encoding'] ?? ''
      const make = packers[encoding]
      const article = goodPages.find(({ path }) => path === '/good/article')?.body ?? ''
      if (!make) return answer(visit, html, 'There is no such packing.', { status: 404 })
      return stream(visit, { 'content-type': html, 'content-encoding': encoding }, [Buffer.from(article)], make())
    },
  },
  {
    path: '/bomb/twice',
    about: 'a page of `mb` (1000) megabytes of nothing, packed with gzip two times',
    handle: (visit) => bomb(visit, 'gzip, gzip', packers['gzip']!, packers['gzip']!),
  },
  {
    path: '/bomb/members',
    about: 'a page of `mb` (1000) megabytes of nothing, in gzip members of a megabyte each',
    handle: (visit) => {
      const member = gzipSync(zeros, { level: 9 })
      const headers = { 'content-type': html, 'content-encoding': 'gzip' }
      return stream(visit, headers, repeat(member, member.length * numberOf(visit, 'mb', 1000)))
    },
  },
]
