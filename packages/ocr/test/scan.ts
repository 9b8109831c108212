import { readFileSync } from 'node:fs'

/** Returns a picture of the tests. */
export function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`./fixtures/${name}`, import.meta.url)))
}

/** Returns a PDF with a page of A5 in landscape for each entry: a JPEG over the whole page, or a text in a standard font. */
export function makeScan(
  pages: readonly ({ readonly jpeg: Uint8Array; readonly size: readonly [number, number] } | string)[],
) {
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  const add = (body: string, stream?: Uint8Array): void => {
    offsets.push(Buffer.concat(parts).length)
    const data = stream ? [Buffer.from('stream\n'), stream, Buffer.from('\nendstream\n')] : []
    parts.push(Buffer.from(`${offsets.length} 0 obj\n${body}\n`), ...data, Buffer.from('endobj\n'))
  }
  add('<< /Type /Catalog /Pages 2 0 R >>')
  const kids = pages.map((_, index) => `${4 + index * 3} 0 R`).join(' ')
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`)
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  for (const [index, page] of pages.entries()) {
    const [self, content, picture] = [4, 5, 6].map((number) => number + index * 3)
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 417] /Contents ${content} 0 R /Resources << /Font << /F 3 0 R >> /XObject << /P ${picture} 0 R >> >> >>`,
    )
    const isText = typeof page === 'string'
    const drawing = Buffer.from(isText ? `BT /F 12 Tf 60 360 Td (${page}) Tj ET` : 'q 595 0 0 417 0 0 cm /P Do Q')
    add(`<< /Length ${drawing.length} >>`, drawing)
    const [jpeg, [width, height]] = isText ? [new Uint8Array(), [1, 1] as const] : [page.jpeg, page.size]
    add(
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /DCTDecode /Length ${jpeg.length} >>`,
      jpeg,
    )
    if (self === undefined) throw new Error('A page needs a number.')
  }
  const start = Buffer.concat(parts).length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(
      `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows}trailer << /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  )
  return new Uint8Array(Buffer.concat(parts))
}
