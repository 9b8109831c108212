// The cases that the unit tests hold, for measuring others on them too: by construct, without those that need options.
import type { Case } from '../../../packages/core/src/html/markdown/cases/case.ts'
import { codeSpans } from '../../../packages/core/src/html/markdown/cases/code-spans.ts'
import { code } from '../../../packages/core/src/html/markdown/cases/code.ts'
import { descriptions } from '../../../packages/core/src/html/markdown/cases/descriptions.ts'
import { emphasis } from '../../../packages/core/src/html/markdown/cases/emphasis.ts'
import { escapes } from '../../../packages/core/src/html/markdown/cases/escapes.ts'
import { footnotes } from '../../../packages/core/src/html/markdown/cases/footnotes.ts'
import { headings } from '../../../packages/core/src/html/markdown/cases/headings.ts'
import { images } from '../../../packages/core/src/html/markdown/cases/images.ts'
import { lineStarts } from '../../../packages/core/src/html/markdown/cases/line-starts.ts'
import { links } from '../../../packages/core/src/html/markdown/cases/links.ts'
import { lists } from '../../../packages/core/src/html/markdown/cases/lists.ts'
import { math } from '../../../packages/core/src/html/markdown/cases/math.ts'
import { pages } from '../../../packages/core/src/html/markdown/cases/pages.ts'
import { paragraphs } from '../../../packages/core/src/html/markdown/cases/paragraphs.ts'
import { quotes } from '../../../packages/core/src/html/markdown/cases/quotes.ts'
import { skipLinks } from '../../../packages/core/src/html/markdown/cases/skip-links.ts'
import { tables } from '../../../packages/core/src/html/markdown/cases/tables.ts'

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
