// Compares recognized text with the text of drawn pages, beside the command tesseract with the same data.
// node test/bench/ocr/ocr.ts <empty folder> <folder of *.traineddata.gz> [pages] : needs chromium and tesseract in PATH
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { createEngine } from '@harvestman/core'
import { ocr, tesseract } from '@harvestman/documents/ocr'

import { benchPages, drawPage, type BenchPage } from './pages.ts'

const [folder, data, count = '60'] = process.argv.slice(2)
if (folder === undefined || data === undefined)
  throw new Error('Pass a folder for the pages, and one with language data.')
mkdirSync(folder, { recursive: true })
const unpacked = join(folder, 'data')
mkdirSync(unpacked, { recursive: true })
const files = readdirSync(data).filter((name) => name.endsWith('.traineddata.gz'))
for (const name of files) writeFileSync(join(unpacked, name.slice(0, -3)), gunzipSync(readFileSync(join(data, name))))

/** Number of insertions, deletions and replacements between two lists. */
function distance(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [index, item] of a.entries()) {
    const next = [index + 1]
    for (const [at, other] of b.entries())
      next.push(Math.min((next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1, (row[at] ?? 0) + (item === other ? 0 : 1)))
    row = next
  }
  return row[b.length] ?? 0
}

const hasNoSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

function plain(text: string): string {
  const line = text
    .normalize('NFC')
    .replaceAll(/^#+ /gm, '')
    // Tables in Markdown: the lines below their first rows, and the pipes between their cells.
    .replaceAll(/^\|(?: *:?-+:? *\|)+ *$/gm, '')
    .replaceAll(/^\|.*\|[ \t]*$/gm, (row) => row.replaceAll(/(?<!\\)\|/g, ' '))
    .replaceAll(/\\([\\`*_{}[\]()#+.!|-])/g, '$1')
    // Marks of the writing direction are not visible.
    .replaceAll(/[\u200e\u200f\u202a-\u202e]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return hasNoSpaces.test(line) ? line.replaceAll(' ', '') : line
}

interface Score {
  characters: number
  wrongCharacters: number
  words: number
  wrongWords: number
  seconds: number
}

const tables: Readonly<Record<'look' | 'language', Map<string, Map<string, Score>>>> = {
  look: new Map(),
  language: new Map(),
}

function add(page: BenchPage, reader: string, text: string, seconds: number): void {
  const [is, should] = [plain(text), plain(page.text)]
  const wordsOf = (line: string): string[] => (hasNoSpaces.test(line) ? Array.from(line) : line.split(' '))
  for (const key of ['look', 'language'] as const)
    for (const name of [page[key], 'all']) {
      const row = tables[key].get(name) ?? new Map<string, Score>()
      const score = row.get(reader) ?? { characters: 0, wrongCharacters: 0, words: 0, wrongWords: 0, seconds: 0 }
      score.characters += should.length
      score.wrongCharacters += distance(Array.from(is), Array.from(should))
      score.words += wordsOf(should).length
      score.wrongWords += distance(wordsOf(is), wordsOf(should))
      score.seconds += seconds
      tables[key].set(name, row.set(reader, score))
    }
}

function makeEngine(language: string) {
  return createEngine({
    plugins: [ocr({ engine: tesseract({ threads: 1, folder: unpacked, languages: [language] }) })],
  })
}

const engines = new Map<string, ReturnType<typeof makeEngine>>()
function engineFor(language: string): ReturnType<typeof makeEngine> {
  const engine = engines.get(language) ?? makeEngine(language)
  engines.set(language, engine)
  return engine
}

const pages = benchPages(Number(count), new Set(files.map((name) => name.split('.')[0] ?? '')))
let peak = 0
for (const page of pages) {
  const png = drawPage(page, folder)
  const began = performance.now()
  const { markdown } = await engineFor(page.language).parse(readFileSync(png), {
    name: `${page.name}.png`,
    timeout: 120_000,
  })
  add(page, 'ours', markdown, (performance.now() - began) / 1_000)
  peak = Math.max(peak, process.memoryUsage().rss)
  const start = performance.now()
  const options = ['-l', page.language, '--tessdata-dir', unpacked]
  const theirs = execFileSync('tesseract', [png, 'stdout', ...options], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  add(page, 'tesseract', theirs, (performance.now() - start) / 1_000)
}

const percent = (wrong = 0, all = 1) => `${((100 * wrong) / all).toFixed(1)} %`
for (const [key, rows] of Object.entries(tables)) {
  console.log(
    `\n| ${key} | characters wrong: ours | tesseract | words wrong: ours | tesseract | s a page: ours | tesseract |`,
  )
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const [name, row] of rows) {
    const scores = ['ours', 'tesseract'].map((reader) => row.get(reader))
    const pagesOf = pages.filter((page) => name === 'all' || page[key === 'look' ? 'look' : 'language'] === name).length
    const cells = [
      ...scores.map((score) => percent(score?.wrongCharacters, score?.characters)),
      ...scores.map((score) => percent(score?.wrongWords, score?.words)),
      ...scores.map((score) => ((score?.seconds ?? 0) / pagesOf).toFixed(2)),
    ]
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
}
console.log(
  `\n${pages.length} pages; at most ${Math.round(peak / 1_048_576)} MB in this process, with an engine for each language.`,
)
for (const engine of engines.values()) await engine.close()
process.exit()
