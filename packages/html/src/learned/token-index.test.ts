import { expect, test } from 'vitest'

import { openPage } from '../page/page.ts'
import { compileSelector, isProblem, selectAll } from '../select/select.ts'
import { readFacts } from './facts.ts'

const html = `<main id="top" class="page wide"><h1 class="title big">One</h1>
  <div class="card card--a1"><a class="name" data-part="name">First</a><span>1</span><span>2</span></div>
  <section><div class="card card--b2"><div class="card"><a class="name">Second</a></div><span class="big">3</span></div></section>
  <p itemprop="price">4</p><p>5</p><svg><a class="name">6</a></svg></main>`

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
