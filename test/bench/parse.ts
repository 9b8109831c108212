// Which parser builds our tree? Both candidates, linkedom and bare tokens, interleaved on the same pages.
// Run: node test/bench/parse.ts <corpus folder> [pages of each set]
// With --json the times alone, of made-up pages where the folder is ''.

import { join } from 'node:path'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { parseHTML } from 'linkedom'
import { parseHtml } from '../../packages/html/src/parse/parse.ts'
import type { Element, Node } from '../../packages/html/src/tree/tree.ts'
import { readCorpus, type CorpusPage } from './corpus-pages.ts'
import { printTree, readTreeTests } from './html5lib.ts'
import { parseLight } from './parse5-tree.ts'
import { asksForRatios, given, median, type Ratios, tellRatios } from './ratios.ts'

const nothing = (): void => undefined
const deaf: TokenizerCallbacks = {
  onattribdata: nothing,
  onattribentity: nothing,
  onattribend: nothing,
  onattribname: nothing,
  oncdata: nothing,
  onclosetag: nothing,
  oncomment: nothing,
  ondeclaration: nothing,
  onend: nothing,
  onopentagend: nothing,
  onopentagname: nothing,
  onprocessinginstruction: nothing,
  onselfclosingtag: nothing,
  ontext: nothing,
  ontextentity: nothing,
}

const contenders: Readonly<Record<string, (html: string) => unknown>> = {
  ours: (html) => parseHtml(html).root,
  'parse5, light tree': (html) => parseLight(html),
  linkedom: (html) => parseHTML(html),
  'htmlparser2 tokens alone': (html) => {
    const tokenizer = new Tokenizer({}, deaf)
    tokenizer.write(html)
    tokenizer.end()
  },
}

function measure(pages: readonly CorpusPage[], rounds: number): Ratios {
  const names = Object.keys(contenders)
  const spent = new Map<string, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds + 2; round++) {
    for (const name of names.toSorted(() => Math.random() - 0.5)) {
      const before = process.cpuUsage()
      for (const { html } of pages) contenders[name]!(html)
      const { user, system } = process.cpuUsage(before)
      if (round >= 2) spent.get(name)!.push((user + system) / 1000 / pages.length)
    }
  }
  const kilobytes = pages.reduce((sum, { html }) => sum + html.length, 0) / pages.length / 1024
  console.log(
    `\nCPU ms a page, median of ${rounds} interleaved rounds, ${pages.length} pages of ${kilobytes.toFixed(0)} KB mean`,
  )
  const parse5 = median(spent.get('parse5, light tree')!)
  for (const name of names) {
    const ms = median(spent.get(name)!)
    const rate = kilobytes / 1024 / (ms / 1000)
    console.log(
      `  ${name.padEnd(40)} ${ms.toFixed(2).padStart(7)} ms  ${(ms / parse5).toFixed(2)} x parse5  ${rate.toFixed(0)} MB/s`,
    )
  }
  const own = spent.get('ours')!
  const over = (name: string): number => median(own.map((ms, round) => ms / spent.get(name)![round]!))
  return { 'ours, over parse5': over('parse5, light tree'), 'ours, over linkedom': over('linkedom') }
}

function runTreeTests(folder: string, show: boolean): void {
  const tests = readTreeTests(folder).filter(({ html }) => !html.includes('<frameset'))
  const passed = { ours: 0, parse5: 0 }
  for (const { file, html, expected } of tests) {
    const mine = printTree(parseHtml(html).root)
    if (mine === expected) passed.ours++
    else if (show) console.log(`--- ${file}\n${html}\n--- expected\n${expected}\n--- ours\n${mine}`)
    if (printTree(parseLight(html)) === expected) passed.parse5++
  }
  const share = (count: number): string => `${((100 * count) / tests.length).toFixed(1)} %`
  console.log(
    `\nhtml5lib tree tests: ${tests.length} documents without frameset; ours ${share(passed.ours)}, parse5 ${share(passed.parse5)}`,
  )
}

interface Facts {
  readonly words: string[]
  readonly links: string[]
  readonly elements: string[]
}

const unseen = new Set(['script', 'style', 'template', 'title', 'head'])

function factsOf(root: Element): Facts {
  const facts: Facts = { words: [], links: [], elements: [] }
  const walk = (node: Node): void => {
    if (node.type === 'text') {
      facts.words.push(...(node.text.match(/[\p{L}\p{N}_]+/gu) ?? []))
      return
    }
    if (!node.name.startsWith('#')) facts.elements.push(`${node.parent?.name}>${node.name}`)
    const href = node.name === 'a' ? node.attributes['href'] : undefined
    if (href !== undefined) facts.links.push(href)
    if (unseen.has(node.name)) return
    for (let child = node.first; child; child = child.next) walk(child)
  }
  walk(root)
  return facts
}

/** Twice the common part of two bags over their sum. */
function agreement(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 1
  const counts = new Map<string, number>()
  for (const item of a) counts.set(item, (counts.get(item) ?? 0) + 1)
  let common = 0
  for (const item of b) {
    const left = counts.get(item) ?? 0
    if (left > 0) common++
    counts.set(item, left - 1)
  }
  return (2 * common) / (a.length + b.length)
}

function compare(pages: readonly CorpusPage[], show: boolean): void {
  const sums = { words: 0, links: 0, elements: 0 }
  let same = 0
  for (const { name, html } of pages) {
    const mine = parseHtml(html).root
    const standard = parseLight(html)
    const a = factsOf(mine)
    const b = factsOf(standard)
    const scores = {
      words: agreement(a.words, b.words),
      links: agreement(a.links, b.links),
      elements: agreement(a.elements, b.elements),
    }
    for (const key of ['words', 'links', 'elements'] as const) sums[key] += scores[key]
    if (printTree(mine) === printTree(standard)) same++
    else if (show) console.log(name, JSON.stringify(scores))
  }
  const share = (sum: number): string => `${((100 * sum) / pages.length).toFixed(2)} %`
  console.log(
    `\nagreement with parse5 on ${pages.length} pages: words ${share(sums.words)}, links ${share(sums.links)}, ` +
      `elements with their parents ${share(sums.elements)}, the whole tree equal on ${share(same)}`,
  )
}

const [folder, take = '40', show] = given
if (!folder && !asksForRatios) {
  console.error('usage: node test/bench/parse.ts <corpus folder> [pages of each set] [show]')
  process.exit(2)
}
const pages = readCorpus(folder ?? '', Number(take))
if (asksForRatios || !folder) {
  // Made-up pages are parsed in a few milliseconds; what is collected of another's garbage is as much.
  tellRatios(measure(pages, 60))
  process.exit(0)
}
runTreeTests(join(folder, 'specs', 'html5lib-tree'), show === 'tests')
compare(pages, show === 'pages')
const small = pages.filter(({ html }) => html.length > 40_000 && html.length < 100_000)
measure(small, 7)
measure(pages, 3)
