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

function mergedRows(indent: string): string {
  return Array.from(
    { length: 30 },
    (_, at) =>
      `${indent}<tr><td rowspan="2">Lamp ${at}</td><td>${at} Euro</td></tr>\n${indent}<tr><td>${at} Dollar</td></tr>`,
  ).join('\n')
}

test.each([
  ['with a head', '', '<tr><th>Name</th><th>Price</th></tr>\n'],
  ['without a head', '', ''],
  ['in a list', '  ', '  <tr><th>Name</th><th>Price</th></tr>\n'],
])('parts of an HTML table %s are tables whose rows have their merged cells', async (_, indent, header) => {
  const table = `${indent}<table>\n${header}${mergedRows(indent)}\n${indent}</table>`
  const markdown = `${indent === '' ? '# Prices' : '- Prices'}\n\n${table}\n\n${indent}After.\n`
  const chunks = await chunksOf(markdown)
  expect(chunks.length).toBeGreaterThan(4)
  for (const chunk of chunks) {
    const text = joinChunks([chunk], markdown)
    expect(text.match(/<table>/g)?.length).toBe(1)
    expect(text.split(`\n${indent}</table>`).length).toBe(2)
    expect(text.match(/ Euro/g)?.length).toBe(text.match(/ Dollar/g)?.length)
    expect(text).toContain(`<table>\n${header}${indent}<tr><td rowspan="2">`)
  }
  expect(joinChunks(chunks, markdown)).toBe(markdown.trim())
})

test('a head whose cells reach into other rows is not repeated', async () => {
  const rows = mergedRows('')
  const markdown = `\n<table>\n<tr><th rowspan="2">Name</th><th>Price</th></tr>\n<tr><td>net</td></tr>\n${rows}\n</table>`
  const [, second] = await chunksOf(markdown)
  expect(second?.before).toBe('<table>\n')
})

test('rows with a common cell that are larger than a chunk are cut', async () => {
  const rows = Array.from({ length: 60 }, (_, at) => `<tr><td>Lamp ${at}</td><td>${at} Euro</td></tr>`).join('\n')
  const markdown = `<table>\n${rows.replace('<td>', '<td rowspan="60">All</td><td>')}\n</table>`
  const chunks = await chunksOf(markdown)
  expect(chunks.length).toBeGreaterThan(4)
  for (const chunk of chunks) expect(joinChunks([chunk], markdown)).toMatch(/^<table>\n<tr>[^]*<\/tr>\n<\/table>$/)
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

test('parts of one table are one table, which is closed once if it is written as HTML', async () => {
  const cells = Array.from({ length: 60 }, (_, index) => `<tr><td>Lamp ${index}</td><td>${index} Euro</td></tr>`)
  const written = `<table>\n<tr><th>Name</th><th>Price</th></tr>\n${cells.join('\n')}\n</table>\n`
  for (const table of [`${head}\n${rows}\n`, written]) {
    const markdown = `# Prices\n\n${table}\nAfter.\n`
    const chunks = await chunksOf(markdown)
    const text = joinChunks(
      [chunks[1], chunks[3], chunks[5]].flatMap((one) => one ?? []),
      markdown,
    )
    expect(text.match(/Name/g)).toHaveLength(1)
    expect(text).not.toContain('\n\n')
    expect(text.match(/<table>[^]*<\/table>/g) ?? []).toHaveLength(table === written ? 1 : 0)
  }
})
