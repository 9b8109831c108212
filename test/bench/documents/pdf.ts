// Compares what is read of PDF files with pdftotext and with the plain text of pdf.js, and times long files.
// node test/bench/documents/pdf.ts <folder of PDF files> [pages of each] : needs pdftotext (poppler-utils) in PATH
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseHtml } from '../../../packages/html/src/parse/parse.ts'
import { writeMarkdown } from '../../../packages/html/src/markdown/write-markdown.ts'
import { makeWork, type PdfResult } from '../../../packages/pdf/src/work.ts'
import { longPdf } from '../../../packages/pdf/test/hostile.ts'

const near = createRequire(new URL('../../../packages/pdf/package.json', import.meta.url))
const { getDocumentProxy, extractText } = (await import(pathToFileURL(near.resolve('unpdf')).href)) as {
  getDocumentProxy: (data: Uint8Array, options: object) => Promise<object>
  extractText: (file: object, options: { mergePages: true }) => Promise<{ text: string }>
}

// The bounds of the threads are not wanted here: the whole process would have them.
const work = makeWork({ begin: () => undefined, wasRefused: () => false, wasDamaged: () => false })

async function read(bytes: Uint8Array, maxPages: number): Promise<PdfResult> {
  const limits = { maxPages, budget: 600_000, until: Infinity }
  const result = await work(
    { kind: 'read', bytes: new Uint8Array(bytes), ...limits, byPage: false, ocr: 'none' },
    () => undefined,
  )
  if ('wanted' in result) throw new Error('Pages are to be recognized, although none were requested.')
  return result
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

/** Runs of three words: they are the same where the words are, and stand in the same order. */
function shinglesOf(words: readonly string[]): string[] {
  return words.slice(2).map((word, index) => `${words[index]} ${words[index + 1]} ${word}`)
}

/** How much of the second list is in the first, and of the first in the second. */
function overlap(ours: readonly string[], theirs: readonly string[]): string {
  const left = new Map<string, number>()
  for (const one of theirs) left.set(one, (left.get(one) ?? 0) + 1)
  let both = 0
  for (const one of ours) {
    const count = left.get(one) ?? 0
    if (count > 0) both += 1
    left.set(one, count - 1)
  }
  return `${(both / Math.max(1, theirs.length)).toFixed(3)} ${(both / Math.max(1, ours.length)).toFixed(3)}`
}

function plain(markdown: string): string {
  return (
    markdown
      .replaceAll(/\]\([^)\s]*\)/g, ']')
      // Only the tags that Markdown has no words for, and only escapes: the text of a file may hold others.
      .replaceAll(/<\/?(?:sup|sub|br)>/g, '')
      .replaceAll(/&#?\w+;/g, ' ')
      .replaceAll(/\\(?=[^\p{L}\p{N}\s])/gu, '')
  )
}

async function compare(file: string, pages: number): Promise<void> {
  const bytes = new Uint8Array(readFileSync(file))
  const started = performance.now()
  const result = await read(bytes, pages)
  const taken = performance.now() - started
  const markdown = writeMarkdown(parseHtml(result.html).body)
  const native = execFileSync('pdftotext', ['-l', String(pages), '-enc', 'UTF-8', file, '-'], {
    maxBuffer: 1e9,
  }).toString()
  const library = result.pagesRead === result.facts.totalPages ? await libraryText(bytes) : undefined
  const [ours, theirs] = [wordsOf(plain(markdown)), wordsOf(native)]
  const counts = [/^#+ /gm, /^\| ---/gm, /^\s*(?:-|\d+\.) /gm, /^```/gm].map(
    (pattern) => markdown.match(pattern)?.length ?? 0,
  )
  const rows = [
    basename(file),
    result.pagesRead,
    (taken / result.pagesRead).toFixed(1),
    overlap(ours, theirs),
    overlap(shinglesOf(ours), shinglesOf(theirs)),
    library === undefined ? '' : overlap(shinglesOf(wordsOf(library)), shinglesOf(theirs)),
    counts.map((count, index) => (index === 3 ? count / 2 : count)).join(' '),
  ]
  console.log(`| ${rows.join(' | ')} |`)
}

async function libraryText(bytes: Uint8Array): Promise<string> {
  const file = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  return (await extractText(file, { mergePages: true })).text
}

async function timePages(): Promise<void> {
  console.log('\n| pages | CPU ms a page, reading and layout |\n| ---: | ---: |')
  await read(longPdf(20), 20)
  for (const count of [10, 100, 1_000]) {
    const bytes = longPdf(count)
    const started = process.cpuUsage()
    await read(bytes, count)
    const { user, system } = process.cpuUsage(started)
    console.log(`| ${count} | ${((user + system) / 1_000 / count).toFixed(1)} |`)
  }
}

const [folder, pages = '40'] = process.argv.slice(2)
if (folder) {
  console.log(
    'Overlap with pdftotext as recall and precision, of words and of runs of three words; pdf.js alone beside it.\n',
  )
  console.log('| file | pages | ms a page | words | in order | pdf.js in order | headings tables items code |')
  console.log('| --- | ---: | ---: | --- | --- | --- | --- |')
  for (const name of globSync('**/*.pdf', { cwd: folder }).toSorted()) {
    await compare(join(folder, name), Number(pages)).catch((error: unknown) =>
      console.log(`| ${name} | ${String(error)} |`),
    )
  }
}
await timePages()
