import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'

import { openFolder, pageNames } from './page-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'pages-'))
afterAll(() => rmSync(folder, { recursive: true }))

const nameOf = (url: string) => pageNames().nameOf(url, 'md')

describe('The file of a page', () => {
  test.each([
    ['https://a.test/', 'a.test.md'],
    ['https://a.test/docs/intro', 'a.test_docs_intro.md'],
    ['https://a.test/docs/intro.html', 'a.test_docs_intro.html.md'],
  ])('of %s is %s', (url, name) => {
    expect(nameOf(url)).toBe(name)
  })

  test.each([
    ['https://a.test/docs?page=2', /^a\.test_docs-[\da-f]{8}\.md$/],
    ['http://a.test:8080/', /^a\.test-8080-[\da-f]{8}\.md$/],
    ['https://a.test/Docs', /^a\.test_docs-[\da-f]{8}\.md$/],
    ['https://a.test/a_b', /^a\.test_a_b-[\da-f]{8}\.md$/],
    ['https://a.test/%2e%2e/%2Fetc/passwd', /^a\.test_[-\w]*etc_passwd-[\da-f]{8}\.md$/],
    ['https://a.test/a:b*c', /^a\.test_a-b-c-[\da-f]{8}\.md$/],
    ['https://a.test/ä', /^a\.test_-c3-a4-[\da-f]{8}\.md$/],
    [`https://a.test/${'x'.repeat(500)}`, /^a\.test_x{93}-[\da-f]{8}\.md$/],
  ])('of %s has a mark, since another address could be written the same way', (url, name) => {
    expect(nameOf(url)).toMatch(name)
    expect(nameOf(url)).toBe(nameOf(url))
  })

  test('is another one for each page, also where large and small letters are the same', () => {
    const names = pageNames()
    const urls = [
      'https://a.test/a',
      'https://a.test/a/',
      'http://a.test/a',
      'https://a.test/A',
      'https://a.test/a?b',
      'https://a.test/a#b',
    ]
    const given = urls.map((url) => names.nameOf(url, 'md').toLowerCase())
    expect(new Set(given).size).toBe(urls.length)
    expect(names.nameOf(urls[1]!, 'md')).toBe(given[1])
  })

  test('is a plain name whatever the address', { tags: ['long'] }, () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const name = nameOf(url)
        expect(name).toMatch(/^[a-z\d][a-z\d._-]*\.md$/)
        expect(name).not.toContain('..')
        expect(name.length).toBeLessThan(130)
      }),
    )
  })
})

describe('A folder of pages', () => {
  test('is made, with those above it', async () => {
    const deep = join(folder, 'one', 'two')
    await (
      await openFolder(deep)
    )('a.md', 'text')
    expect(readFileSync(join(deep, 'a.md'), 'utf8')).toBe('text')
  })

  test('that cannot be made is told by its name', async () => {
    writeFileSync(join(folder, 'file'), '')
    await expect(openFolder(join(folder, 'file', 'x'))).rejects.toThrow(/file.x cannot be written/)
  })
})
