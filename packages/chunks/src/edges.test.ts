import { expect, test } from 'vitest'

import { cutMarkdown } from './cut.ts'
import { joinChunks, withEdges } from './edges.ts'
import { measures } from './units.ts'

const { signal } = new AbortController()
const options = { size: 60, overlap: 0, by: 'size', measure: measures.tokens } as const
const lines = Array.from({ length: 60 }, (_, index) => `  const value${index} = compute(${index})`).join('\n')
const rows = Array.from({ length: 60 }, (_, index) => `| Lamp ${index} | ${index} Euro |`).join('\n')
const head = '| Name | Price |\n| --- | --- |'

async function chunksOf(markdown: string) {
  return withEdges(await cutMarkdown(markdown, options, signal), markdown)
}

test('parts of fenced code have its fences', async () => {
  const markdown = `# Code\n\nBefore.\n\n\`\`\`ts\n${lines}\n\`\`\`\n\nAfter.\n`
  const chunks = await chunksOf(markdown)
  expect(chunks.length).toBeGreaterThan(4)
  for (const [index, chunk] of chunks.entries()) {
    const text = joinChunks([chunk], markdown)
    expect(text.match(/^```/gm)?.length).toBe(2)
    if (index > 0) expect(text).toMatch(/^```ts\n {2}const/)
    if (index < chunks.length - 1) expect(text).toMatch(/\n```$/)
  }
})

test('parts of a table have its head', async () => {
  const markdown = `# Prices\n\n${head}\n${rows}\n\nAfter.\n`
  const chunks = await chunksOf(markdown)
  expect(chunks.length).toBeGreaterThan(4)
  for (const chunk of chunks.slice(1)) expect(joinChunks([chunk], markdown)).toMatch(/^\| Name \| Price \|\n\| --- /)
})

test('consecutive parts are joined as on the page, and others are complete', async () => {
  const markdown = `\`\`\`ts\n${lines}\n\`\`\`\n\n${head}\n${rows}\n\n~~~\n${lines}`
  const chunks = await chunksOf(markdown)
  expect(joinChunks(chunks, markdown)).toBe(`${markdown}\n~~~`)
  const text = joinChunks(
    chunks.filter((_, index) => index !== 1),
    markdown,
  )
  expect(text.match(/^```ts$/gm)?.length).toBe(2)
  expect(text.match(/^```$/gm)?.length).toBe(2)
})
