// Writes small PDF files for tests: text at coordinates, lines, links, bookmarks. Places count from the top left.
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

export type FontName = 'sans' | 'bold' | 'italic' | 'mono' | 'serif' | 'wide' | 'half'

export interface Text {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size?: number
  readonly font?: FontName
  /** Degrees to the left. */
  readonly turned?: number
  /** The role of a marked piece of content. */
  readonly tag?: string
}

export interface Stroke {
  readonly from: readonly [number, number]
  readonly to: readonly [number, number]
}

export interface PdfPage {
  readonly texts?: readonly Text[]
  readonly strokes?: readonly Stroke[]
  readonly links?: readonly { readonly url: string; readonly box: readonly [number, number, number, number] }[]
  /** Steps of the page's drawing as they are, after those above. */
  readonly raw?: string
  readonly width?: number
  readonly height?: number
  readonly rotate?: number
}

export interface PdfInput {
  readonly pages: readonly PdfPage[]
  readonly info?: Readonly<Record<string, string>>
  readonly bookmarks?: readonly { readonly title: string; readonly page: number }[]
  readonly script?: string
  /** Locks the file. An empty user password lets everybody read. */
  readonly passwords?: { readonly user: string; readonly owner: string }
  readonly deflate?: boolean
  /** Further objects, each a body. They are numbered from 1,000. */
  readonly extra?: readonly (string | Uint8Array)[]
  /** Replaces the node at the top of the tree of pages. */
  readonly pageTree?: string
}

const fonts: Readonly<Record<FontName, string>> = {
  sans: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  bold: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>',
  italic: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Oblique/Encoding/WinAnsiEncoding>>',
  mono: '<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>',
  serif: '<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>',
  wide: '<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/Identity-H/DescendantFonts[10 0 R]/ToUnicode 9 0 R>>',
  half: '<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/Identity-H/DescendantFonts[11 0 R]/ToUnicode 9 0 R>>',
}

const names = Object.keys(fonts) as FontName[]
// 1 catalog, 2 pages, 3 info, 4 outline, 5 structure, 9 to Unicode, 10 and 11 faces, 12 on the fonts, 20 on the pages.
const firstFont = 12
const firstPage = 20

const toUnicode = [
  '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def',
  '1 begincodespacerange <0000> <FFFF> endcodespacerange',
  '1 beginbfrange <0000> <FFFF> <0000> endbfrange endcmap end end',
].join('\n')

function face(width: number): string {
  return `<</Type/Font/Subtype/CIDFontType2/BaseFont/Any/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW ${width}/FontDescriptor<</Type/FontDescriptor/FontName/Any/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>>>`
}

export function makePdf(input: PdfInput): Uint8Array {
  const bodies = new Map<number, Buffer>()
  const streams = new Map<number, Buffer>()
  const put = (number: number, body: string): unknown => bodies.set(number, Buffer.from(body, 'latin1'))
  const kids = input.pages.map((_, index) => `${firstPage + index * 3} 0 R`).join(' ')
  const script = input.script ? `/OpenAction<</S/JavaScript/JS(${escape(input.script)})>>` : ''
  const outline = input.bookmarks ? '/Outlines 4 0 R' : ''
  put(1, `<</Type/Catalog/Pages 2 0 R${outline}${script}>>`)
  put(2, input.pageTree ?? `<</Type/Pages/Kids[${kids}]/Count ${input.pages.length}>>`)
  put(
    3,
    `<<${Object.entries(input.info ?? {})
      .map(([key, value]) => `/${key}(${escape(value)})`)
      .join('')}>>`,
  )
  putBookmarks(input, put)
  streams.set(9, Buffer.from(toUnicode))
  put(10, face(1000))
  put(11, face(500))
  for (const [index, name] of names.entries()) put(firstFont + index, fonts[name])
  const resources = `<</Font<<${names.map((name, index) => `/${name} ${firstFont + index} 0 R`).join('')}>>>>`
  for (const [index, page] of input.pages.entries()) {
    const number = firstPage + index * 3
    const { width = 612, height = 792, rotate = 0 } = page
    put(
      number,
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Rotate ${rotate}/Resources ${resources}/Contents ${number + 1} 0 R/Annots[${annotations(page, height)}]>>`,
    )
    streams.set(number + 1, Buffer.from(content(page, height), 'latin1'))
  }
  for (const [index, body] of (input.extra ?? []).entries()) bodies.set(1_000 + index, Buffer.from(body))
  return assemble(bodies, streams, input)
}

function putBookmarks({ bookmarks }: PdfInput, put: (number: number, body: string) => unknown): void {
  if (!bookmarks) return
  const at = (index: number): string => `${500 + index} 0 R`
  put(4, `<</Type/Outlines/First ${at(0)}/Last ${at(bookmarks.length - 1)}/Count ${bookmarks.length}>>`)
  for (const [index, { title, page }] of bookmarks.entries()) {
    const before = index > 0 ? `/Prev ${at(index - 1)}` : ''
    const after = index < bookmarks.length - 1 ? `/Next ${at(index + 1)}` : ''
    const place = `/Dest[${firstPage + page * 3} 0 R/Fit]`
    put(500 + index, `<</Title(${escape(title)})/Parent 4 0 R${before}${after}${place}>>`)
  }
}

function annotations({ links = [] }: PdfPage, height: number): string {
  return links
    .map(
      ({ url, box: [left, top, right, bottom] }) =>
        `<</Type/Annot/Subtype/Link/Rect[${left} ${height - bottom} ${right} ${height - top}]/A<</S/URI/URI(${escape(url)})>>>>`,
    )
    .join('')
}

function content({ texts = [], strokes = [], raw = '' }: PdfPage, height: number): string {
  const drawn = strokes.map(({ from, to }) => `${from[0]} ${height - from[1]} m ${to[0]} ${height - to[1]} l S`)
  const written = texts.map((text) => {
    const { x, y, size = 10, font = 'sans', turned = 0, tag } = text
    const [cos, sin] = [Math.cos((turned * Math.PI) / 180), Math.sin((turned * Math.PI) / 180)]
    const matrix = [cos, sin, -sin, cos].map((number) => number.toFixed(4)).join(' ')
    const step = `BT /${font} ${size} Tf ${matrix} ${x} ${height - y} Tm ${shown(text)} Tj ET`
    return tag ? `/${tag} BMC ${step} EMC` : step
  })
  return [...drawn, ...written, raw].join('\n')
}

function shown({ text, font }: Text): string {
  if (font !== 'wide' && font !== 'half') return `(${escape(text)})`
  return `<${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
}

/** In the letters of Windows, which the fonts above are set to. */
function escape(text: string): string {
  const windows: Readonly<Record<string, string>> = {
    '\u2022': '\x95',
    '\u2013': '\x96',
    '\u2014': '\x97',
    '\u2019': '\x92',
  }
  return text.replaceAll(/[\u2013-\u2022]/g, (letter) => windows[letter] ?? letter).replaceAll(/[\\()]/g, '\\$&')
}

function assemble(bodies: Map<number, Buffer>, streams: Map<number, Buffer>, input: PdfInput): Uint8Array {
  const lock = input.passwords && makeLock(input.passwords)
  for (const [number, plain] of streams) {
    const packed = input.deflate ? deflateSync(plain) : plain
    const data = lock ? rc4(lock.keyFor(number), packed) : packed
    const filter = input.deflate ? '/Filter/FlateDecode' : ''
    const head = Buffer.from(`<</Length ${data.length}${filter}>>\nstream\n`)
    bodies.set(number, Buffer.concat([head, data, Buffer.from('\nendstream')]))
  }
  const parts = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets = new Map<number, number>()
  let length = parts[0]?.length ?? 0
  for (const [number, body] of [...bodies].toSorted(([a], [b]) => a - b)) {
    offsets.set(number, length)
    const object = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    parts.push(object)
    length += object.length
  }
  const numbers = [...offsets.keys()]
  const rows = numbers.map((number) => `${number} 1\n${String(offsets.get(number)).padStart(10, '0')} 00000 n \n`)
  const locked = lock ? `/Encrypt ${lock.dictionary}/ID[<${lock.id}><${lock.id}>]` : ''
  const trailer = `trailer\n<</Size ${Math.max(...numbers) + 1}/Root 1 0 R/Info 3 0 R${locked}>>\nstartxref\n${length}\n%%EOF\n`
  parts.push(Buffer.from(`xref\n0 1\n0000000000 65535 f \n${rows.join('')}${trailer}`))
  return new Uint8Array(Buffer.concat(parts))
}

const padding = Buffer.from('28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A', 'hex')

/** The oldest lock of the format: RC4 with 40 bits. */
function makeLock({ user, owner }: { readonly user: string; readonly owner: string }) {
  const pad = (password: string): Buffer => Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32)
  const md5 = (...data: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(data)).digest()
  const id = '00112233445566778899aabbccddeeff'
  const permissions = Buffer.from([0xc4, 0xff, 0xff, 0xff])
  const o = rc4(md5(pad(owner)).subarray(0, 5), pad(user))
  const key = md5(pad(user), o, permissions, Buffer.from(id, 'hex')).subarray(0, 5)
  const u = rc4(key, padding)
  return {
    id,
    dictionary: `<</Filter/Standard/V 1/R 2/P -60/O<${o.toString('hex')}>/U<${u.toString('hex')}>>>`,
    keyFor: (number: number): Buffer =>
      md5(key, Buffer.from([number & 255, (number >> 8) & 255, (number >> 16) & 255, 0, 0])).subarray(0, 10),
  }
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const box = Array.from({ length: 256 }, (_, index) => index)
  const swap = (a: number, b: number): void => {
    const kept = box[a] ?? 0
    box[a] = box[b] ?? 0
    box[b] = kept
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (box[i] ?? 0) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  let [i, j] = [0, 0]
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255
      j = (j + (box[i] ?? 0)) & 255
      swap(i, j)
      return byte ^ (box[((box[i] ?? 0) + (box[j] ?? 0)) & 255] ?? 0)
    }),
  )
}
