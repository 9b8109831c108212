import type { CompoundStorage } from '@harvestman/toolbox/compound-file'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { convertFile } from '../convert.ts'
import { defaultLimits as limits } from '../limits.ts'
import { readDoc } from './doc.ts'

/** A Word document whose list of pieces has this many entries for the same characters. */
function storage(
  pieces: number,
  change: (main: Buffer, listLength: number) => void = () => undefined,
  more: Buffer = Buffer.alloc(0),
): CompoundStorage {
  const text = 'Some text of ten words that is stored once here.\r'
  const main = Buffer.alloc(0x800)
  main.writeUInt16LE(0xa5ec, 0)
  main.writeUInt16LE(0xc1, 2)
  main.writeUInt32LE(text.length * pieces, 0x4c)
  main.write(text, 0x600, 'latin1')
  const list = Buffer.alloc(5 + 4 + pieces * 12)
  list[0] = 2
  list.writeUInt32LE(list.length - 5, 1)
  for (let index = 0; index <= pieces; index += 1) list.writeUInt32LE(index * text.length, 5 + index * 4)
  for (let index = 0; index < pieces; index += 1)
    list.writeUInt32LE((0x40000000 | (0x600 * 2)) >>> 0, 5 + (pieces + 1) * 4 + index * 8 + 2)
  main.writeUInt32LE(0, 0x1a2)
  main.writeUInt32LE(list.length, 0x1a6)
  change(main, list.length)
  const streams: Readonly<Record<string, Buffer>> = { WordDocument: main, '0Table': Buffer.concat([list, more]) }
  return {
    names: new Set(Object.keys(streams)),
    stream: (name) => streams[name],
    size: () => undefined,
    storage: () => undefined,
  }
}

/** A document of 20 characters, most of them marks of footnotes, and of one footnote, which every other mark points to. */
function withNotes(): CompoundStorage {
  const marks = 16
  const places = Buffer.alloc((marks + 1) * 4 + marks * 2)
  const texts = Buffer.alloc((marks + 1) * 4)
  for (let index = 0; index <= marks; index += 1) {
    places.writeUInt32LE(index, index * 4)
    texts.writeUInt32LE(index % 2 === 0 ? 0 : 29, index * 4)
  }
  const change = (main: Buffer, tableLength: number): void => {
    main.writeUInt32LE(20, 0x4c)
    main.writeUInt32LE(29, 0x50)
    main.write(`${'\x02'.repeat(marks)}end\rone\rtwo`, 0x600, 'latin1')
    main.writeUInt32LE(tableLength, 0x9a + 2 * 8)
    main.writeUInt32LE(places.length, 0x9a + 2 * 8 + 4)
    main.writeUInt32LE(tableLength + places.length, 0x9a + 3 * 8)
    main.writeUInt32LE(texts.length, 0x9a + 3 * 8 + 4)
  }
  return storage(1, change, Buffer.concat([places, texts]))
}

const read = (root: CompoundStorage) => readDoc(root, { limits, warn: () => undefined })

test('the text of a Word document of 2003 is read', () => {
  expect(read(storage(1)).html).toBe('<p>Some text of ten words that is stored once here.</p>')
})

test('a document whose pieces use the same bytes very often is damaged', () => {
  expect(() => read(storage(1_000))).toThrow('The file is damaged: its text is longer than the file.')
})

test('a document with a password, and one from before 1997, are refused with the remedy', () => {
  expect(() => read(storage(1, (main) => main.writeUInt16LE(0x100, 0x0a)))).toThrow('The file is encrypted.')
  expect(() => read(storage(1, (main) => main.writeUInt16LE(0x65, 2)))).toThrow('before 1997. Save it as docx')
})

test('a slide of 2003 has the text of its title placeholder as its title', async () => {
  const bytes = readFileSync(new URL('../fixtures/real/beans.ppt', import.meta.url))
  const title = bytes.indexOf(Buffer.from('Growing beans', 'utf16le').toString('latin1'), 0, 'latin1')
  // The kind of a text is in the record before it.
  bytes.writeUInt32LE(0, title - 12)
  const { html } = await convertFile({ bytes, kind: 'compound', limits })
  expect(html.join('')).toContain('<body><h2>Growing beans</h2><ul><li>')
})

test('a footnote that many marks point to is read once', () => {
  const { html } = read(withNotes())
  expect(html.split('one<br>two').length - 1).toBe(1)
})

test('the paragraphs of notes count like those of the text', () => {
  const warnings: string[] = []
  const work = { limits: { ...limits, paragraphs: 1 }, warn: (sentence: string) => void warnings.push(sentence) }
  expect(readDoc(withNotes(), work).html).not.toContain('two')
  expect(warnings).toContainEqual(expect.stringContaining('more than 1 paragraphs'))
})
