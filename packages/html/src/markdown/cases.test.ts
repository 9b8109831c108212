import { describe, expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { toHtml } from '../parse/serialize.ts'
import { writeMarkdown } from './write-markdown.ts'
import { codeSpans } from './cases/code-spans.ts'
import { code } from './cases/code.ts'
import { descriptions } from './cases/descriptions.ts'
import { emphasis } from './cases/emphasis.ts'
import { escapes } from './cases/escapes.ts'
import { footnotes } from './cases/footnotes.ts'
import { headings } from './cases/headings.ts'
import { images } from './cases/images.ts'
import { lineStarts } from './cases/line-starts.ts'
import { links } from './cases/links.ts'
import { lists } from './cases/lists.ts'
import { math } from './cases/math.ts'
import { pages } from './cases/pages.ts'
import { paragraphs } from './cases/paragraphs.ts'
import { quotes } from './cases/quotes.ts'
import { skipLinks } from './cases/skip-links.ts'
import { tables } from './cases/tables.ts'

const constructs = {
  paragraphs,
  headings,
  emphasis,
  escapes,
  lineStarts,
  links,
  images,
  lists,
  descriptions,
  quotes,
  tables,
  code,
  codeSpans,
  math,
  footnotes,
  skipLinks,
  pages,
}

for (const [construct, cases] of Object.entries(constructs)) {
  describe(construct, () => {
    test.each(cases)('$name', ({ html, markdown, options }) => {
      const { root } = parseHtml(html)
      const before = toHtml(root)
      expect(writeMarkdown(root, options)).toBe(typeof markdown === 'string' ? markdown : markdown.join('\n'))
      expect(toHtml(root)).toBe(before)
    })
  })
}
