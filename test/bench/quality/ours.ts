// Our extractor as the benches call it.
import { readFileSync } from 'node:fs'
import { describe } from '../../../packages/html/src/main-content/features.ts'
import {
  findMainContent,
  mainContentFrom,
  type MainContent,
} from '../../../packages/html/src/main-content/find-main-content.ts'
import { judge } from '../../../packages/html/src/main-content/judge.ts'
import { loadModel } from '../../../packages/html/src/main-content/model.ts'
import { readHtml as readValues } from '../../../packages/html/src/readings/read.ts'
import type { Content } from '../../../packages/html/src/page/content.ts'
import type { Node } from '../../../packages/html/src/tree/tree.ts'
import { makeBase } from '../../../packages/html/src/addresses/urls.ts'
import { writeMarkdown } from '../../../packages/html/src/markdown/write-markdown.ts'
import type { Page } from './corpus.ts'
import type { Peer } from './peers.ts'
import { openTree } from './rows.ts'
import { answerKey } from './train.ts'

/** The whole work of a scrape once a page is there: the tree, main content, Markdown, links and metadata. */
export function extractOurs(html: string, url: string): string {
  const scope = { onlyMainContent: true, includeTags: [], excludeTags: [] }
  const wanted = ['markdown', 'links', 'metadata'].map((name) => ({ name }))
  return String(readValues({ html, url }, scope, wanted).values['markdown'])
}

/** Returns the Markdown of the main content, without the hidden nodes of the page. */
export function writeMain({ root, removed: hidden }: Content, url: string, main: MainContent): string {
  const removed = new Set([...main.removed, ...hidden])
  const markdown = writeMarkdown(root, { removed, base: makeBase(url), noscript: main.noscript, readsHidden: true })
  return main.extraText ? `${markdown}\n\n${main.extraText}` : markdown
}

const nothing: ReadonlySet<Node> = new Set()

/** Our extractor without the removal of hidden text. */
export function withHiddenText(html: string, url: string): string {
  const tree = openTree(html, url)
  return writeMain({ ...tree, removed: nothing }, url, findMainContent(tree.root, url))
}

/** Our extractor where each item of a list is judged by itself, as if it were no list. */
export function withoutLists(html: string, url: string): string {
  const tree = openTree(html, url)
  const described = describe(tree.root, url, loadModel().reading)
  const { outline } = described
  const alone = { ...described, outline: { ...outline, repeated: outline.repeated.map(() => -1) } }
  return writeMain(tree, url, mainContentFrom(tree.root, alone, judge(described)))
}

/** Our extractor with the chances of the training program in place of the shipped model's. */
export function crossFitted(file: string, pages: readonly Page[]): Peer {
  const answers = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number[]>
  const byUrl = new Map(pages.map((page) => [page.url, answers[answerKey(page)]]))
  return {
    name: 'ours, cross-fitted',
    extract: (html, url) => {
      const tree = openTree(html, url)
      const described = describe(tree.root, url, loadModel().reading)
      const chances = byUrl.get(url)
      if (chances?.length !== described.blocks.count) throw new Error(`${url} has changed since the training.`)
      return writeMain(tree, url, mainContentFrom(tree.root, described, Float32Array.from(chances)))
    },
  }
}
