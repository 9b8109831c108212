import { parseHtml } from '../../packages/html/src/parse/parse.ts'
import { articles } from './markdown/articles.ts'
import { canonical } from './markdown/canonical.ts'
import { bagsOf, constructs, count, f1, noTally } from './markdown/constructs.ts'
import { makePage, signature } from './markdown/made-up.ts'
import { expectedOf, ownCases } from './markdown/own-cases.ts'
import { loadConverters, loadRenderers, type Convert, type Named, type Render } from './markdown/peers.ts'
import { isReversible, readSpec, type SpecExample } from './markdown/spec-examples.ts'

// How faithful is a converter?
//
//   node test/bench/fidelity.ts <corpus> [--peers <dir>] [--only <converter>] [--show] [--specs|--articles|--made-up|--cases]
//
// 1. The examples of the CommonMark and GFM specifications read backwards: their HTML is converted, rendered again, and
//    the two trees compared. 2. Nine constructs of real articles: what is in the tree before and after, as F1. 3. Made-up pages, full of
// signs and of blocks in blocks, there and back: every character must keep the marks and blocks around it.
// 4. The cases of our unit tests: rendered, a converter's Markdown must give the tree of the Markdown that was reviewed.

const corpus = process.argv[2] ?? ''
const has = (name: string): boolean => process.argv.includes(`--${name}`)
const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}

const { commonmark, gfm, others } = await loadRenderers(option('peers'))
const converters = (await loadConverters(option('peers'))).filter(({ name }) => (option('only') ?? name) === name)

const parts = ['specs', 'articles', 'made-up', 'cases']
const wants = (part: string): boolean => has(part) || !parts.some(has)

if (wants('specs')) {
  await showSpec('commonmark', commonmark)
  for (const renderer of [gfm, ...others]) await showSpec('gfm', renderer)
}
if (wants('articles')) for (const set of ['articles', 'news', 'wcxb']) await showArticles(set, gfm)
if (wants('made-up'))
  for (const renderer of [gfm, ...others]) if (renderer.name !== 'marked') await showMadeUp(renderer)
if (wants('cases')) await showCases(gfm)

async function showSpec(spec: string, renderer: Named<Render>): Promise<void> {
  const all = readSpec(`${corpus}/specs/${spec}.txt`)
  const examples = all.filter(isReversible)
  console.log(`\n${spec}.txt: ${examples.length} of ${all.length} examples, rendered by ${renderer.name}`)
  for (const { name, run } of converters) {
    if (!run || !renderer.run) {
      console.log(name.padEnd(34), run ? 'the renderer is not installed' : 'not installed')
      continue
    }
    const failed = await failures(examples, run, renderer.run)
    const share = ((1 - failed.length / examples.length) * 100).toFixed(1)
    const extensions = ['Tables', 'Task list'].map((part) => {
      const own = (section: string): boolean => section.startsWith(part)
      const wrong = failed.filter(({ example }) => own(example.section)).length
      const number = examples.filter(({ section }) => own(section)).length
      return number > 0 ? ` ${part.toLowerCase()} ${number - wrong}/${number}` : ''
    })
    console.log(name.padEnd(34), `${share} %`, `${failed.length} fail`, extensions.join(''))
    if (has('show')) failed.forEach(showFailure)
  }
}

interface Failure {
  readonly example: SpecExample
  readonly markdown: string
  readonly rendered: string
}

async function failures(examples: readonly SpecExample[], convert: Convert, render: Render): Promise<Failure[]> {
  const failed: Failure[] = []
  for (const example of examples) {
    const { markdown, rendered } = await thereAndBack(example.html, convert, render)
    if (canonical(rendered) !== canonical(example.html)) failed.push({ example, markdown, rendered })
  }
  return failed
}

async function thereAndBack(html: string, convert: Convert, render: Render) {
  let markdown = ''
  try {
    markdown = await convert(html)
    return { markdown, rendered: render(markdown) }
  } catch (error) {
    return { markdown, rendered: `threw ${String(error)}` }
  }
}

function showFailure({ example, markdown, rendered }: Failure): void {
  const { number, section, html } = example
  console.log(`\n#${number} ${section}\n${html}\n--- markdown\n${markdown}\n--- rendered\n${rendered}`)
}

async function showArticles(set: string, renderer: Named<Render>): Promise<void> {
  const pages = [...articles(corpus, set)].map((html) => ({ html, bags: bagsOf(parseHtml(html).body) }))
  console.log(`\n${set}: F1 of nine constructs over ${pages.length} pages, rendered by ${renderer.name}`)
  console.log(''.padEnd(34), 'mean '.padStart(6), constructs.map((name) => name.padStart(8)).join(' '))
  for (const { name, run } of converters) {
    if (!run || !renderer.run) {
      console.log(name.padEnd(34), run ? 'the renderer is not installed' : 'not installed')
      continue
    }
    const tally = noTally()
    for (const { html, bags } of pages) {
      const { rendered } = await thereAndBack(html, run, renderer.run)
      count(tally, bags, bagsOf(parseHtml(rendered).body))
    }
    const scores = constructs.map((construct) => f1(tally[construct]))
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
    console.log(
      name.padEnd(34),
      mean.toFixed(3).padStart(6),
      scores.map((score) => score.toFixed(3).padStart(8)).join(' '),
    )
  }
}

async function showMadeUp(renderer: Named<Render>): Promise<void> {
  const pages = Array.from({ length: 2000 }, (_, seed) => makePage(seed + 1))
  console.log(`\nmade-up pages: ${pages.length} there and back, rendered by ${renderer.name}`)
  for (const { name, run } of converters) {
    if (!run || !renderer.run) {
      console.log(name.padEnd(34), run ? 'the renderer is not installed' : 'not installed')
      continue
    }
    let changed = 0
    for (const html of pages) {
      const { markdown, rendered } = await thereAndBack(html, run, renderer.run)
      if (signature(rendered) === signature(html)) continue
      changed++
      if (has('show')) console.log(`\n${html}\n--- markdown\n${markdown}\n--- rendered\n${rendered}`)
    }
    console.log(name.padEnd(34), `${((1 - changed / pages.length) * 100).toFixed(1)} %`, `${changed} changed`)
  }
}

async function showCases(renderer: Named<Render>): Promise<void> {
  const sum = [...ownCases.values()].reduce((count, cases) => count + cases.length, 0)
  console.log(`\nour cases: ${sum}, rendered by ${renderer.name}; right of all, by construct`)
  console.log(''.padEnd(34), 'all'.padStart(7), [...ownCases.keys()].map((name) => name.padStart(12)).join(' '))
  for (const { name, run } of converters) {
    if (!run || !renderer.run) {
      console.log(name.padEnd(34), run ? 'the renderer is not installed' : 'not installed')
      continue
    }
    const rights: number[] = []
    for (const cases of ownCases.values()) {
      let right = 0
      for (const own of cases) {
        const { rendered } = await thereAndBack(own.html, run, renderer.run)
        if (canonical(rendered) === canonical(renderer.run(expectedOf(own)))) right++
      }
      rights.push(right)
    }
    const all = rights.reduce((a, b) => a + b, 0)
    const columns = [...ownCases.values()].map(({ length }, i) => `${rights[i]}/${length}`.padStart(12))
    console.log(name.padEnd(34), `${((all / sum) * 100).toFixed(1)} %`.padStart(7), columns.join(' '))
  }
}
