import { expect, test } from 'vitest'

import { documents } from './documents.ts'
import { makePdf } from './make-pdf.ts'
import { readPdf } from './read.ts'

// Each expected text is a file to be read by people; `vitest -u` writes them anew.
for (const [name, input] of Object.entries(documents)) {
  test(`the file ${name} reads as expected`, async () => {
    const { markdown } = await readPdf(makePdf(input))
    await expect(`${String(markdown)}\n`).toMatchFileSnapshot(`fixtures/${name}.md`)
  })
}
