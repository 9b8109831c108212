// Files that hold no text, as scans saved by an office program do.
import { afterAll, expect, test } from 'vitest'

import { docx, epub, odf, pptx, slidePart, xlsx } from './fixtures/files.ts'
import { fileReader } from './fixtures/reading.ts'

const reader = fileReader()
afterAll(() => reader.close())

test.each([
  ['docx', docx('<w:p/>')],
  ['odt', odf('text', '<text:p/>')],
  ['odp', odf('presentation', '')],
  ['epub', epub([{ name: 'one', body: '<img src="scan.png"/>' }])],
  ['rtf', Buffer.from('{\\rtf1 \\par}')],
])('a file without text is a success whose warning speaks of files, not of scripts: %s', async (_, bytes) => {
  const { markdown, warning } = await reader.read(bytes)
  expect(markdown).toBe('')
  expect(warning).toMatch(/^This file holds no text.*OCR/)
})

test.each([
  ['pptx', pptx([slidePart('')]), '## Slide 1'],
  ['xlsx', xlsx([{ name: 'S', inner: '<sheetData/>' }]), '## S'],
])('one whose slides or sheets have names shows these: %s', async (_, bytes, shown) => {
  expect(await reader.read(bytes)).toMatchObject({ markdown: shown, warning: '' })
})
