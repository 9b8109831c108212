import { deflateSync } from 'node:zlib'

import { lines } from './lines.ts'
import { makePdf, type PdfInput } from './make-pdf.ts'

/** Files that are meant to do harm, or that came to some. */
export interface Hostile {
  readonly name: string
  readonly bytes: () => Uint8Array
}

const sentence = 'This page says something, and says it in a line that is as long as lines usually are.'

function pagesOf(count: number): PdfInput {
  const page = (_: unknown, index: number) => ({
    texts: lines(
      72,
      90,
      Array.from({ length: 40 }, (__, line) => `${sentence} ${index} ${line}`),
    ),
  })
  return { pages: Array.from({ length: count }, page), deflate: true }
}

export function longPdf(count: number): Uint8Array {
  return makePdf(pagesOf(count))
}

const one: PdfInput = { pages: [{ texts: lines(72, 90, [sentence, sentence]) }] }

function cut(bytes: Uint8Array, share: number): Uint8Array {
  return bytes.slice(0, Math.floor(bytes.length * share))
}

function replaced(bytes: Uint8Array, from: string, to: string): Uint8Array {
  return new Uint8Array(Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll(from, to), 'latin1'))
}

const packed = new Map<number, Uint8Array>()

/** Packing so much takes seconds, and is the same for any number of layers around it. */
function packedSpaces(megabytes: number): Uint8Array {
  const made = packed.get(megabytes) ?? deflateSync(Buffer.alloc(megabytes * 1_048_576, ' '), { level: 9 })
  packed.set(megabytes, made)
  return made
}

/** Zeros packed so tightly that a small file becomes a very large one. */
export function bomb(megabytes: number, layers = 3, after: PdfInput['pages'] = []): Uint8Array {
  let packed = packedSpaces(megabytes)
  let filters = '/FlateDecode'
  for (let round = 0; round < layers - 1; round++) {
    packed = deflateSync(packed, { level: 9 })
    filters += '/FlateDecode'
  }
  const head = Buffer.from(`<</Length ${packed.length}/Filter[${filters}]>>\nstream\n`)
  const stream = Buffer.concat([head, packed, Buffer.from('\nendstream')])
  return replaced(
    makePdf({ pages: [...one.pages, ...after], extra: [stream] }),
    '/Contents 21 0 R',
    '/Contents 1000 0 R',
  )
}

function withSamePages(pageTree: string): Uint8Array {
  return makePdf({ ...one, pageTree })
}

const evilFont = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FontMatrix[1 2 3 4 5 (0\\);process.exit\\(9\\);//)]>>'

export const hostileFiles: readonly Hostile[] = [
  {
    name: 'encrypted with a password',
    bytes: () => makePdf({ ...one, passwords: { user: 'secret', owner: 'owner' } }),
  },
  { name: 'locked against changes only', bytes: () => makePdf({ ...one, passwords: { user: '', owner: 'owner' } }) },
  { name: 'truncated before its object table', bytes: () => cut(longPdf(5), 0.95) },
  { name: 'truncated in the middle', bytes: () => cut(longPdf(20), 0.5) },
  { name: 'wrong offsets in its object table', bytes: () => replaced(makePdf(one), '0 00000 n', '7 00000 n') },
  { name: 'only the first line', bytes: () => new Uint8Array(Buffer.from('%PDF-1.7\n')) },
  {
    name: 'noise after the first line',
    bytes: () => new Uint8Array(Buffer.from(`%PDF-1.7\n${'\x01\x02\xff'.repeat(20_000)}`, 'latin1')),
  },
  { name: 'a scan: no text at all', bytes: () => makePdf({ pages: [{ raw: '0 0 100 100 re f' }] }) },
  { name: 'a script that runs when it is opened', bytes: () => makePdf({ ...one, script: 'process.exit(9)' }) },
  {
    name: 'a script in the matrix of a font (CVE-2024-4367)',
    bytes: () => replaced(makePdf({ ...one, extra: [evilFont] }), '/sans 12 0 R', '/sans 1000 0 R'),
  },
  {
    name: 'a page tree that contains itself',
    bytes: () => withSamePages('<</Type/Pages/Kids[2 0 R 2 0 R]/Count 100000>>'),
  },
  {
    name: 'claims a billion pages',
    bytes: () => withSamePages('<</Type/Pages/Kids[20 0 R]/Count 1000000000>>'),
  },
  {
    name: 'one page, listed 100,000 times',
    bytes: () =>
      makePdf({
        pages: [{ texts: lines(72, 90, ['The first page.']) }],
        pageTree: `<</Type/Pages/Kids[${'20 0 R '.repeat(100_000)}]/Count 100000>>`,
      }),
  },
  { name: '1,000 pages', bytes: () => longPdf(1_000) },
  { name: '2,000 pages', bytes: () => longPdf(2_000) },
  {
    name: 'a page of a million characters',
    bytes: () =>
      makePdf({
        pages: [
          {
            raw: `BT /sans 8 Tf ${Array.from({ length: 20_000 }, (_, n) => `1 0 0 1 ${n % 500} ${n % 700} Tm (${sentence.slice(0, 50)}) Tj`).join('\n')} ET`,
          },
          ...one.pages,
        ],
        deflate: true,
      }),
  },
  {
    name: 'a page of a hundred thousand characters, each with its own position',
    bytes: () =>
      makePdf({
        pages: [
          ...one.pages,
          {
            raw: `BT /sans 8 Tf ${Array.from({ length: 100_000 }, (_, n) => `1 0 0 1 ${(n * 7) % 500} ${(n * 13) % 700} Tm (a) Tj`).join('\n')} ET`,
          },
        ],
        deflate: true,
      }),
  },
  {
    name: 'a page of a million lines',
    bytes: () =>
      makePdf({
        pages: [
          ...one.pages,
          {
            raw: Array.from(
              { length: 1_000_000 },
              (_, n) => `${n % 500} ${n % 700} m ${(n % 500) + 20} ${n % 700} l S`,
            ).join('\n'),
          },
        ],
        deflate: true,
      }),
  },
  { name: 'a bomb of 2 GB in three layers', bytes: () => bomb(2_000) },
  { name: 'a bomb of 2 GB in one layer', bytes: () => bomb(2_000, 1) },
  {
    name: 'a form that draws itself',
    bytes: () =>
      makePdf({
        ...one,
        extra: [
          '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 1000 0 R>>>>/Length 5>>\nstream\n/X Do\nendstream',
        ],
        pages: [{ texts: lines(72, 90, [sentence]), raw: '/X Do' }],
      }),
  },
  {
    name: 'a picture of 100,000 by 100,000 points',
    bytes: () =>
      makePdf({
        ...one,
        pages: [{ texts: lines(72, 90, [sentence]), raw: 'BI /W 100000 /H 100000 /CS /RGB /BPC 8 ID \x00\x01\x02 EI' }],
      }),
  },
  {
    name: '60 MB',
    bytes: () =>
      makePdf({
        ...pagesOf(20),
        extra: [
          Buffer.concat([
            Buffer.from('<</Length 60000000>>\nstream\n'),
            Buffer.alloc(60_000_000, 120),
            Buffer.from('\nendstream'),
          ]),
        ],
      }),
  },
]
