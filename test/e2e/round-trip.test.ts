import MarkdownIt from 'markdown-it'
import { expect, test } from 'vitest'

import { parseHtml } from '../../packages/html/src/parse/parse.ts'
import { writeMarkdown } from '../../packages/html/src/markdown/write-markdown.ts'
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
