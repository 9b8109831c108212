import { blocksOf, cutMarkdown, measures, type CutOptions } from '../../packages/chunks/src/index.ts'
import { extract } from '../../packages/html/src/extract.ts'
import { chance, drifted } from '../../packages/testing/src/index.ts'
import { readCorpus } from './corpus-pages.ts'
import { given } from './ratios.ts'

// Are the chunks of real pages whole, of the right size, and do they keep their ids while the rest of the page changes?
//
//   node test/bench/chunks.ts <corpus, or '' for generated pages> [pages per set] [size in tokens]
//
// Each page is cut, changed and cut again: its markup drifts, a paragraph comes at the top of its Markdown, and one of its
// paragraphs, chosen by chance, is replaced. A chunk counts as unchanged if the changed Markdown still contains its text.

const [folder = '', perSet = '250', tokens = '400'] = given
const options = { size: Number(tokens), overlap: 0, by: 'size', measure: measures.tokens } satisfies CutOptions
const { signal } = new AbortController()
const count = { pages: 0, chunks: 0, large: 0, tooLarge: 0, cut: 0, silent: 0, broken: 0, unchanged: 0, same: 0 }
let fixed = 0
let milliseconds = 0

for (const [index, { html, url }] of readCorpus(folder, Number(perSet)).entries()) {
  const markdown = markdownOf(html, url)
  const from = process.cpuUsage()
  const chunks = await cutMarkdown(markdown, options, signal)
  const { user, system } = process.cpuUsage(from)
  milliseconds += (user + system) / 1_000
  count.pages += 1
  count.chunks += chunks.length
  count.large += chunks.filter(({ size }) => size > options.size).length
  count.tooLarge += chunks.filter(({ size }) => size > options.size * 1.1).length
  count.cut += chunks.filter(({ cut }) => cut !== undefined).length
  if (chunks.map(({ start, end }) => markdown.slice(start, end)).join('') !== markdown) count.broken += 1
  for (const { kind, start, end } of [...blocksOf(markdown)].filter(({ kind }) => kind === 'table' || kind === 'code'))
    count.silent += chunks.filter((one) => one.start > start && one.start < end && one.cut !== kind).length
  const changed = changedText(markdownOf(drifted(html, { kinds: ['classes', 'wrappers'], seed: index }), url), index)
  const after = new Set((await cutMarkdown(changed, options, signal)).map(({ id }) => id))
  const still = chunks.filter(({ text }) => changed.includes(text))
  count.unchanged += still.length
  count.same += still.filter(({ id }) => after.has(id)).length
  // For comparison: cuts at a fixed number of characters.
  const pieces = new Set(inPieces(changed))
  fixed += inPieces(markdown).filter((piece) => pieces.has(piece)).length / Math.max(1, inPieces(markdown).length)
}

const share = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`
console.log(`${count.pages} pages, ${count.chunks} chunks of at most ${options.size} tokens`)
console.log(`not equal to the Markdown when joined: ${count.broken} pages`)
console.log(`larger than the size: ${share(count.large, count.chunks)}, by more than a tenth: ${count.tooLarge} chunks`)
console.log(`parts of a table or of code: ${count.cut} chunks, without saying so: ${count.silent}`)
console.log(`ids of unchanged text that stayed: ${share(count.same, count.unchanged)}`)
console.log(`of pieces of a fixed length that stayed: ${share(fixed, count.pages)}`)
console.log(`processor time: ${(milliseconds / count.pages).toFixed(2)} ms a page`)

function markdownOf(html: string, url: string): string {
  return extract(html, { url }).markdown
}

function changedText(markdown: string, seed: number): string {
  const parts = markdown.split('\n\n')
  const at = Math.floor(chance(seed)() * parts.length)
  return ['A paragraph that was not there before.', ...parts.with(at, 'A paragraph that replaces another.')].join(
    '\n\n',
  )
}

function inPieces(text: string): string[] {
  return text.match(/[^]{1,1400}/g) ?? []
}
