import { expect, test } from 'vitest'

import { compileSelector, isProblem, openPage, selectAll } from '@harvestman/html/internal'
import { readFacts } from './facts.ts'

const row = '<li class="row row--x1y"><b>1</b><a class="go">2</a><a>3</a></li>'
/** So many that what stands within others is looked for there; one list is within another. */
const rows = `<ul class="many">${row.repeat(12)}<li><ul class="many">${row.repeat(3)}</ul></li></ul>${row.repeat(9)}`

const html = `<main id="top" class="page wide"><h1 class="title big">One</h1>
  <div class="card card--a1"><a class="name" data-part="name">First</a><span>1</span><span>2</span></div>
  <section><div class="card card--b2"><div class="card"><a class="name">Second</a></div><span class="big">3</span></div></section>
  <p itemprop="price">4</p><p>5</p><svg><a class="name">6</a></svg>${rows}</main>`

const selectors = [
  ...[
    'h1',
    '.name',
    'a.name',
    '.card .name',
    '.card > span',
    '.card span:nth-of-type(2)',
    '#top',
    '#top .big',
    'main p',
  ],
  ...[
    '[data-part="name"]',
    '[itemprop="price"]',
    'p[itemprop="price"]',
    '[class*="card--"]',
    'div[class*="card--"] span',
  ],
  ...[
    '.many b',
    '.many > li',
    'li>b',
    'b ~a',
    'b+.go',
    '.many > .row',
    '.many .go',
    'ul > li',
    'ul li',
    'ul.many li > a',
    '.none b',
    '.none > li',
  ],
  ...[
    '[class*="row--"] b',
    '[class*="row--"] > a:nth-of-type(2)',
    '.many [class*="row--"]',
    'main > li',
    'b[class*="row"]',
  ],
  ...['.wide [class*="card--"]', '.none .name', '.card .card a', 'section div > a', '.name, .big', '[class*="none"]'],
]

const { root, base } = openPage(
  { html, url: 'https://a.example/' },
  { onlyMainContent: false, includeTags: [], excludeTags: [] },
)

/** What the selector finds by looking at all elements, without what is never read. */
function all(text: string) {
  const selector = compileSelector(text)
  const found = isProblem(selector) ? selector : selectAll(selector, root)
  if (isProblem(found)) throw new Error(found.problem)
  return found.filter((element) => element.parent?.name !== 'svg')
}

test.for(selectors)(
  'the index of all, and that of what is asked for, find by %s what a look at all elements finds',
  (text) => {
    expect(readFacts(root, base).find(text)).toEqual(all(text))
    expect(readFacts(root, base, selectors).find(text)).toEqual(all(text))
  },
)
