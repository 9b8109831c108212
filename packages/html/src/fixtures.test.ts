import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readHtml } from './readings/read.ts'

// Whole pages, reviewed as text. To write the expected files again on purpose: vitest run --update fixtures.test.ts
const folder = new URL('./fixtures/', import.meta.url)
const scope = { onlyMainContent: true, includeTags: [], excludeTags: [] }
const names = ['metadata', 'links', 'allLinks', 'images', 'signals']

test.each(readdirSync(folder))('the page %s reads as reviewed', async (name) => {
  const html = readFileSync(new URL(`${name}/source.html`, folder), 'utf8')
  const source = { html, url: `https://${name}.example/pages/index.html` }
  const { markdown, ...facts } = readHtml(
    source,
    scope,
    ['markdown', ...names].map((wanted) => ({ name: wanted })),
  ).values
  const { warnings } = readHtml(source, scope, [{ name: 'markdown' }])
  await expect(`${String(markdown)}\n`).toMatchFileSnapshot(`./fixtures/${name}/expected.md`)
  await expect(`${JSON.stringify({ ...facts, warnings }, undefined, 2)}\n`).toMatchFileSnapshot(
    `./fixtures/${name}/expected.json`,
  )
})
