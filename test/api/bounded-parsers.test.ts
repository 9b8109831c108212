// Every parser of a server has a limit on the size of what it makes. A new parser needs a row here.
import { createEngine, type EngineError } from '@harvestman/core'
import { defineLoader, definePlugin } from '@harvestman/core/plugin'
import { documents } from '@harvestman/documents'
import { pdf } from '@harvestman/pdf'
import { describe, expect, test } from 'vitest'

import { builtIn } from '../../packages/core/src/defaults.ts'

/** A file that is larger than the limit, by the name of its parser, and the setting that the error or warning names. */
const files: Readonly<Record<string, { readonly type: string; readonly text: string; readonly names: RegExp }>> = {
  html: { type: 'text/html', text: `<p>${'word '.repeat(1_000)}`, names: /limits\.pageBytes/ },
  json: { type: 'application/json', text: `[${'1,'.repeat(2_000)}1]`, names: /limits\.pageBytes/ },
  xml: { type: 'application/xml', text: `<x>${'<y/>'.repeat(2_000)}</x>`, names: /limits\.pageBytes/ },
  csv: { type: 'text/csv', text: 'a,b\n'.repeat(2_000), names: /limits\.pageBytes/ },
  text: { type: 'text/plain', text: 'word '.repeat(1_000), names: /limits\.pageBytes/ },
  code: { type: 'text/css', text: 'a{}'.repeat(2_000), names: /limits\.pageBytes/ },
  binary: { type: 'application/pdf', text: `%PDF-1.4 ${'x'.repeat(4_000)}`, names: /limits\.pageBytes/ },
  pdf: { type: 'application/pdf', text: repeatedPages(2_000), names: /pages of the PDF were read before too many/ },
}

/** The readers of documents are in a table of their own: packages/documents/src/bounded-readers.test.ts. */
const ofDocuments = documents().parsers.map(({ name }) => name)

function repeatedPages(count: number): string {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${count}/Kids[${'3 0 R '.repeat(count)}]>>`,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    '<</Length 32>>stream\nBT /F1 12 Tf 10 10 Td (hi) Tj ET\nendstream',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  const parts = ['%PDF-1.4\n', ...objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`)]
  const at = (index: number): string => String(parts.slice(0, index).join('').length)
  const places = objects.map((_, index) => `${at(index + 1).padStart(10, '0')} 00000 n \n`)
  const table = `xref\n0 6\n0000000000 65535 f \n${places.join('')}trailer<</Root 1 0 R/Size 6>>\n`
  return `${parts.join('')}${table}startxref\n${at(parts.length)}\n%%EOF`
}

describe('a file that is larger than a parser may make of it gets an error or a warning that names the limit', () => {
  test.each(Object.entries(files))('%s', async (name, { type, text, names }) => {
    const loader = defineLoader({
      name: 'files',
      cost: 0,
      load: ({ url }) =>
        Promise.resolve({
          ...{ url: url.href, status: 200, headers: { 'content-type': type }, body: Buffer.from(text) },
          ...{ captured: {}, actions: {}, proxyUsed: 'basic' as const, warnings: [] },
        }),
    })
    const engine = createEngine({
      plugins: [definePlugin({ name: 'files', loaders: [loader] }), documents(), pdf()],
      ...(name !== 'pdf' && { limits: { pageBytes: 1_500 } }),
    })
    const parsers = name === 'binary' ? { parsers: [] } : {}
    const said = await engine.scrape({ url: 'https://files.example/x', timeout: 240_000, ...parsers }).then(
      ({ warning }) => warning,
      (error: EngineError) => error.message,
    )
    expect(said).toMatch(names)
    await engine.close()
  })

  test('and every parser is in this table', () => {
    const all = [...builtIn({ browser: false }).parsers, ...documents().parsers, ...pdf().parsers].map(
      ({ name }) => name,
    )
    expect([...Object.keys(files), ...ofDocuments].toSorted()).toEqual(all.toSorted())
  })
})
