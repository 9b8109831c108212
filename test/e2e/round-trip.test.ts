import MarkdownIt from 'markdown-it'
import { expect, test } from 'vitest'

import { parseHtml } from '../../packages/html/src/parse/parse.ts'
import { writeMarkdown } from '../../packages/html/src/markdown/write-markdown.ts'
import { makeTable } from '../bench/documents/tables/made.ts'
import { tablesOf } from '../bench/documents/tables/score.ts'
import { htmlTable } from '../bench/documents/tables/write.ts'
import { makePage, signature } from '../bench/markdown/made-up.ts'
import { withTaskBoxes } from '../bench/markdown/peers.ts'

const renderer = new MarkdownIt({ html: true })
renderer.validateLink = () => true

test(
  'a thousand made-up pages keep their structure as Markdown: rendered again, they are the same',
  { tags: ['long'] },
  () => {
    const changed: number[] = []
    for (let seed = 0; seed < 1_000; seed += 1) {
      const page = makePage(seed)
      const again = withTaskBoxes(renderer.render(writeMarkdown(parseHtml(page).root)))
      if (signature(again) !== signature(page)) changed.push(seed)
    }
    expect(changed).toEqual([])
  },
)

test.each(['colspan', 'rowspan', 'empty'] as const)(
  'the cells of a table of kind %s keep their rows, columns and spans as Markdown',
  (kind) => {
    const html = htmlTable(makeTable('ruled', kind, 1))
    const markdown = writeMarkdown(parseHtml(html).root, { keepsSpans: true })
    expect(tablesOf(renderer.render(markdown))).toEqual(tablesOf(html))
  },
)
