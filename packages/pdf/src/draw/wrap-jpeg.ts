/** Returns a PDF whose only page has a JPEG file as its only object, in the colors of the file. */
export function wrapJpeg(
  jpeg: Uint8Array,
  { width, height, components }: { readonly width: number; readonly height: number; readonly components: number },
): Uint8Array {
  const colors = components === 1 ? 'DeviceGray' : 'DeviceRGB'
  const image = `/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/ColorSpace/${colors}/Filter/DCTDecode`
  const draw = Buffer.from('/I Do')
  const objects = [
    [Buffer.from('<</Type/Catalog/Pages 2 0 R>>')],
    [Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>')],
    [Buffer.from('<</Type/Page/Parent 2 0 R/MediaBox[0 0 1 1]/Resources<</XObject<</I 4 0 R>>>>/Contents 5 0 R>>')],
    stream(`/Type/XObject${image}`, jpeg),
    stream('', draw),
  ]
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.4\n')]
  let at = 9
  const offsets = objects.map((body, index) => {
    const own = [Buffer.from(`${index + 1} 0 obj\n`), ...body, Buffer.from('\nendobj\n')]
    const offset = at
    at += own.reduce((sum, { byteLength }) => sum + byteLength, 0)
    parts.push(...own)
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = offsets.length + 1
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF`
  return Buffer.concat([...parts, Buffer.from(table)])
}

function stream(entries: string, data: Uint8Array): Uint8Array[] {
  const head = `<<${entries}/Length ${data.byteLength}>>\nstream\n`
  return [Buffer.from(head), data, Buffer.from('\nendstream')]
}
