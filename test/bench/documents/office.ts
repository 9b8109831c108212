// How much of office files comes back: node test/bench/documents/office.ts <folder>
// Beside each file stands `<file>.expected.txt`, or `<file>.md`, with what a person would read in it. Words are compared
// as bags, so that marks and order do not count: recall is how many of the expected are there, precision how many of
// those that are there were expected.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

import { EngineError } from '@harvestman/core'

import { fileReader } from '../../../packages/documents/src/fixtures/reading.ts'

const folder = process.argv[2]
if (folder === undefined) throw new Error('Say which folder: node test/bench/documents/office.ts <folder>')

function wordsOf(text: string): Map<string, number> {
  const words = new Map<string, number>()
  const plain = text.replaceAll(/\]\([^)]*\)|<\/?\w+>/g, ' ')
  for (const [word] of plain.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) words.set(word, (words.get(word) ?? 0) + 1)
  return words
}

function share(of: Map<string, number>, among: Map<string, number>): number {
  let all = 0
  let found = 0
  for (const [word, count] of of) {
    all += count
    found += Math.min(count, among.get(word) ?? 0)
  }
  return all === 0 ? 1 : found / all
}

const reader = fileReader()
const table = []
for (const name of globSync('**/*', { cwd: folder }).toSorted()) {
  const file = join(folder, name)
  const expected = [`${file}.expected.txt`, `${file}.md`].find((path) => existsSync(path))
  if (expected === undefined) continue
  const start = performance.now()
  const read = await reader.read(readFileSync(file)).catch((error: unknown) => error)
  const ms = Math.round(performance.now() - start)
  if (read instanceof Error) {
    table.push({ file: name, ms, recall: 0, precision: 0, answer: EngineError.is(read) ? read.code : read.message })
    continue
  }
  const { markdown } = read as { markdown: string }
  const [want, have] = [wordsOf(readFileSync(expected, 'utf8')), wordsOf(markdown)]
  const rounded = (value: number): number => Math.round(value * 1_000) / 1_000
  table.push({
    file: name,
    ms,
    recall: rounded(share(want, have)),
    precision: rounded(share(have, want)),
    answer: 'read',
  })
}
await reader.close()
console.table(table)
