import { makePdf } from './make-pdf.ts'

/** A page in Latin letters, and one in a Japanese font that only names the table of its letters. */
export function japanesePdf(): Uint8Array {
  const name = '/BaseFont/HeiseiMin-W3'
  const drawn = 'BT /J 12 Tf 72 700 Td <0001000200030004> Tj ET'
  return makePdf({
    pages: [{ texts: [{ text: 'This page is in Latin letters.', x: 72, y: 90 }] }],
    pageTree: '<</Type/Pages/Kids[20 0 R 1003 0 R]/Count 2>>',
    extra: [
      `<</Type/Font/Subtype/Type0${name}/Encoding/Identity-H/DescendantFonts[1001 0 R]>>`,
      `<</Type/Font/Subtype/CIDFontType0${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/DW 1000/FontDescriptor 1002 0 R>>`,
      `<</Type/FontDescriptor/FontName/HeiseiMin-W3/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>`,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</J 1000 0 R>>>>/Contents 1004 0 R>>',
      `<</Length ${drawn.length}>>\nstream\n${drawn}\nendstream`,
    ],
  })
}

/** The table that this font names, packed: the letters 1 to 4 are the ones from U+65E5 on. */
export const table = { name: 'Adobe-Japan1-UCS2.bcmap', bytes: Uint8Array.of(0, 0xa1, 1, 0, 1, 3, 0x65, 0xe5) }
