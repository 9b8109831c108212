import { afterAll, expect, test } from 'vitest'

import { documents } from './documents.ts'
import { makePdf } from './make-pdf.ts'
import { pdfReader } from './read.ts'

const reader = pdfReader()
afterAll(reader.close)

// Each expected text is a file to be read by people; `vitest -u` writes them anew.
for (const [name, input] of Object.entries(documents)) {
  test(`the file ${name} reads as expected`, async () => {
    const { markdown } = await reader.read(makePdf(input))
    await expect(`${String(markdown)}\n`).toMatchFileSnapshot(`fixtures/${name}.md`)
  })
}
