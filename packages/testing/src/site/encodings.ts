import { encodedTexts } from './encodings-data.ts'
import { answer, type Route } from './route.ts'

/** Where a page declares its encoding, if at all. */
export type EncodingTold =
  | 'header'
  | 'meta'
  | 'both'
  | 'late-meta'
  | 'bom'
  | 'nowhere'
  | 'header-over-meta'
  | 'meta-lie'

/** A page in an encoding, with its text when decoded correctly. */
export interface EncodedPage {
  readonly path: string
  readonly label: string
  readonly told: EncodingTold
  readonly text: string
}

type Telling = (label: string) => { readonly header?: string; readonly meta?: string; readonly before?: string }

const tellings: Readonly<Record<Exclude<EncodingTold, 'bom'>, Telling>> = {
  header: (label) => ({ header: label }),
  meta: (label) => ({ meta: `<meta charset="${label}">` }),
  both: (label) => ({ header: label.toUpperCase(), meta: `<meta charset="${label}">` }),
  // Browsers search the first 1024 bytes for it.
  'late-meta': (label) => ({
    before: `<!-- ${'x'.repeat(900)} -->`,
    meta: `<meta http-equiv="Content-Type" content="text/html; charset=${label}">`,
  }),
  nowhere: () => ({}),
  'header-over-meta': (label) => ({ header: label, meta: '<meta charset="utf-8">' }),
  // If the page were UTF-16, its `<meta>` could not be read as ASCII. By the standard, this means UTF-8.
  'meta-lie': () => ({ header: 'utf-8', meta: '<meta charset="utf-16">' }),
}

interface Encoding {
  readonly label: string
  readonly text: string
  readonly encode: (page: (text: string) => string) => Uint8Array
  readonly ways: readonly EncodingTold[]
}

const mark = '\u0000text\u0000'

// All but UTF-16 share the ASCII characters, so an encoded string is inserted into an ASCII page.
const eightBit: readonly Encoding[] = encodedTexts.map(({ label, text, base64 }) => ({
  label,
  text,
  encode: (page) => {
    const bytes = Buffer.from(base64, 'base64')
    return Buffer.concat(
      page(mark)
        .split(mark)
        .flatMap((part, index) => (index === 0 ? [Buffer.from(part)] : [bytes, Buffer.from(part)])),
    )
  },
  ways: label === 'utf-8' ? ['header', 'meta', 'both', 'bom', 'nowhere', 'meta-lie'] : [...legacyWays(label)],
}))

function* legacyWays(label: string): Generator<EncodingTold> {
  yield* ['header', 'meta', 'both', 'late-meta', 'header-over-meta'] as const
  // Without a declaration, only these are recognizable by their bytes.
  if (['windows-1251', 'shift_jis', 'euc-jp', 'iso-2022-jp', 'big5', 'euc-kr', 'gb18030'].includes(label))
    yield 'nowhere'
}

const wide = 'Wide letters: ä, ж, 字, 👩‍🌾'

const sixteenBit: readonly Encoding[] = ['utf-16le', 'utf-16be'].map((label) => ({
  label,
  text: wide,
  encode: (page) => {
    const bytes = Buffer.from(page(wide), 'utf16le')
    return label === 'utf-16le' ? bytes : bytes.swap16()
  },
  ways: ['header', 'bom'],
}))

const marks: Readonly<Record<string, readonly number[]>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
}

const encodings = [...eightBit, ...sixteenBit]

/** Every page in an unusual encoding, and its text. */
export const encodedPages: readonly EncodedPage[] = encodings.flatMap(({ label, text, ways }) =>
  ways.map((told) => ({ path: `/encoding/${label}/${told}`, label, told, text })),
)

function pageIn({ label, encode }: Encoding, told: EncodingTold) {
  const { header, meta = '', before = '' } = told === 'bom' ? {} : tellings[told](label)
  const bytes = encode(
    (text) =>
      `<!doctype html><html><head>${before}${meta}<title>${text}</title></head><body><h1>Encoded</h1><p>${text}</p></body></html>`,
  )
  const sign = told === 'bom' ? Buffer.from(marks[label] ?? []) : Buffer.alloc(0)
  return { type: header ? `text/html; charset=${header}` : 'text/html', body: Buffer.concat([sign, bytes]) }
}

export const encodingRoutes: readonly Route[] = [
  {
    path: '/encoding/:label/:told',
    about: `a page in ${encodings.map(({ label }) => label).join(', ')}; which is told by ${Object.keys(tellings).join(', ')} or bom`,
    handle: (visit) => {
      const { label, told } = visit.parts
      const encoding = encodings.find((one) => one.label === label)
      if (!encoding || (told !== 'bom' && !Object.hasOwn(tellings, told ?? '')))
        return answer(visit, 'text/plain', 'There is no such encoding.', { status: 404 })
      const { type, body } = pageIn(encoding, told as EncodingTold)
      answer(visit, type, body)
    },
  },
]
