// The cases that the unit tests hold, for measuring others on them too: by construct, without those that need options.
import type { Case } from '../../../packages/html/src/markdown/cases/case.ts'
import { codeSpans } from '../../../packages/html/src/markdown/cases/code-spans.ts'
import { code } from '../../../packages/html/src/markdown/cases/code.ts'
import { descriptions } from '../../../packages/html/src/markdown/cases/descriptions.ts'
import { emphasis } from '../../../packages/html/src/markdown/cases/emphasis.ts'
import { escapes } from '../../../packages/html/src/markdown/cases/escapes.ts'
import { footnotes } from '../../../packages/html/src/markdown/cases/footnotes.ts'
import { headings } from '../../../packages/html/src/markdown/cases/headings.ts'
import { images } from '../../../packages/html/src/markdown/cases/images.ts'
import { lineStarts } from '../../../packages/html/src/markdown/cases/line-starts.ts'
import { links } from '../../../packages/html/src/markdown/cases/links.ts'
import { lists } from '../../../packages/html/src/markdown/cases/lists.ts'
import { math } from '../../../packages/html/src/markdown/cases/math.ts'
import { pages } from '../../../packages/html/src/markdown/cases/pages.ts'
import { paragraphs } from '../../../packages/html/src/markdown/cases/paragraphs.ts'
import { quotes } from '../../../packages/html/src/markdown/cases/quotes.ts'
import { skipLinks } from '../../../packages/html/src/markdown/cases/skip-links.ts'
import { tables } from '../../../packages/html/src/markdown/cases/tables.ts'

const all = {
  codeSpans,
  code,
  descriptions,
  emphasis,
  escapes,
  footnotes,
  headings,
  images,
  lineStarts,
  links,
  lists,
  math,
  pages,
  paragraphs,
  quotes,
  skipLinks,
  tables,
}

export const ownCases: ReadonlyMap<string, readonly Case[]> = new Map(
  Object.entries(all).map(([construct, cases]) => [construct, cases.filter(({ options }) => options === undefined)]),
)

export const expectedOf = ({ markdown }: Case): string =>
  typeof markdown === 'string' ? markdown : markdown.join('\n')
