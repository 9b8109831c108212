// Files in a file that other parsers of the engine read.
import { createEngine } from '@harvestman/core'
import { defineLoader, defineParser, definePlugin, type Content, type ParseContext } from '@harvestman/core/plugin'
import { expect, test } from 'vitest'

import { documents } from './index.ts'
import { zipOf } from './fixtures/files.ts'

const pagesOf = ({ parsers }: ParseContext['request']): number =>
  parsers.find(({ type }) => type === 'pdf')?.maxPages ?? 1_000

/** An engine whose parser of PDF returns this content for each file, with as many pages as the request allows. */
function engineOf(body: Uint8Array, content: (maxPages: number) => Content) {
  const loader = defineLoader({
    name: 'file',
    cost: 0,
    load: ({ url }) =>
      Promise.resolve({
        ...{ url: url.href, status: 200, headers: {}, body },
        ...{ captured: {}, actions: {}, proxyUsed: 'basic' as const, warnings: [] },
      }),
  })
  const parser = defineParser({
    name: 'pdf',
    accepts: ['application/pdf'],
    files: [{ format: 'pdf', extensions: ['pdf'], mimeTypes: ['application/pdf'] }],
    maxUnits: pagesOf,
    parse: (_, { request }) => content(pagesOf(request)),
  })
  const plugins = [definePlugin({ name: 'file', loaders: [loader], parsers: [parser] }), documents()]
  return createEngine({ plugins })
}

const names = Array.from({ length: 4 }, (_, index) => `${index}.pdf`)
const archive = zipOf(Object.fromEntries(names.map((name) => [name, '%PDF-1.4\n'])))
const request = { url: 'https://files.example/a.zip', parsers: [{ type: 'pdf', maxPages: 5 }] } as const

test('the files in a file have together no more pages than the preview states', async () => {
  const read: number[] = []
  await using engine = engineOf(archive, (maxPages) => {
    read.push(maxPages)
    return { html: '<p>read</p>', units: Math.min(3, maxPages) }
  })
  const { max } = engine.preview('scrape', request)
  const { metadata, markdown, warning } = await engine.scrape(request)
  expect({ max, used: metadata.creditsUsed, read }).toEqual({ max: 5, used: 5, read: [5, 2] })
  expect(markdown?.match(/read/g)).toHaveLength(2)
  expect(warning).toContain('The file "2.pdf" is left out. The files before it have as many pages')
})

test('a file whose parser returns no HTML is left out with a warning, and not charged', async () => {
  await using engine = engineOf(archive, () => ({ markdown: 'text', units: 2 }))
  const { metadata, warning } = await engine.scrape(request)
  expect(metadata.creditsUsed).toBe(1)
  expect(warning).toContain('The file "0.pdf" is left out. Its parser returns no HTML.')
})

test('an archive with the name of another file is not opened in an archive', async () => {
  const body = zipOf({ 'a.pdf': zipOf({ 'b.txt': 'deep' }), 'c.txt': 'outer' })
  await using engine = engineOf(body, () => ({ html: '' }))
  const { markdown, warning } = await engine.scrape(request)
  expect(markdown).toContain('outer')
  expect(markdown).not.toContain('deep')
  expect(warning).toContain('The file "a.pdf" is left out. The file is damaged: it is an archive in another file')
})
