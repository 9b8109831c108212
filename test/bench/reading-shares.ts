// Shares of the steps of reading main content, for made-up pages, styled ones and saved ones.
// Run: node test/bench/reading-shares.ts [corpus folder]
import { describe } from '../../packages/html/src/main-content/features.ts'
import { mainContentFrom } from '../../packages/html/src/main-content/find-main-content.ts'
import { judge } from '../../packages/html/src/main-content/judge.ts'
import { loadModel } from '../../packages/html/src/main-content/model.ts'
import { writeMarkdown } from '../../packages/html/src/markdown/write-markdown.ts'
import { openPage } from '../../packages/html/src/page/page.ts'
import { parseHtml } from '../../packages/html/src/parse/parse.ts'
import { findAllLinks, findLinks } from '../../packages/html/src/readings/links.ts'
import { readMetadata } from '../../packages/html/src/readings/metadata.ts'
import { readCorpus } from './corpus-pages.ts'
import { madeUpPage } from './made-up-pages.ts'
import { styledPage } from './styled-pages.ts'

const rounds = 3
const count = 120
const scope = { onlyMainContent: true, includeTags: [], excludeTags: [] }

interface Source {
  readonly url: string
  readonly html: string
}

function measure(pages: readonly Source[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  let isWarm = false
  const step = <T>(name: string, work: () => T): T => {
    const before = process.threadCpuUsage()
    const result = work()
    const { user, system } = process.threadCpuUsage(before)
    if (isWarm) times.set(name, (times.get(name) ?? 0) + (user + system) / rounds / pages.length)
    return result
  }
  for (let round = 0; round <= rounds; round += 1) {
    isWarm = round > 0
    for (const { url, html } of pages) {
      step('parse', () => parseHtml(html))
      const page = openPage({ html, url }, scope)
      const { root, elements, base } = page
      step('hidden text', () => page.closed)
      const blocks = step('features of blocks', () => describe(root, url, loadModel().reading))
      const chances = step('model', () => judge(blocks))
      step('main content', () => mainContentFrom(root, blocks, chances))
      step('metadata', () => readMetadata(elements, base))
      const { content } = page
      const { removed, noscript } = content
      step('markdown', () => writeMarkdown(root, { base, removed, noscript, readsHidden: true }))
      step('links', () => [findLinks(content, base), findAllLinks(page)])
    }
  }
  return times
}

const [folder] = process.argv.slice(2)
const madeUp = (make: (number: number, pages: number) => string): readonly Source[] =>
  Array.from({ length: count }, (_, number) => ({ url: `https://site.example/${number}`, html: make(number, 2_000) }))
const kinds: Readonly<Record<string, readonly Source[]>> = {
  'made up': madeUp(madeUpPage),
  styled: madeUp(styledPage),
  ...(folder !== undefined && { saved: readCorpus(folder, 60) }),
}
console.log('| | microseconds a page | share |\n| --- | --- | --- |')
for (const [kind, pages] of Object.entries(kinds)) {
  const times = measure(pages)
  const total = [...times.values()].reduce((sum, time) => sum + time, 0)
  console.log(`| **${kind}**, ${pages.length} pages | ${total.toFixed(0)} | |`)
  for (const [name, time] of times)
    console.log(`| ${name} | ${time.toFixed(0)} | ${((time / total) * 100).toFixed(1)} % |`)
}
