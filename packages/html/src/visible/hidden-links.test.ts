import { expect, test } from 'vitest'

import { readHtml } from '../readings/read.ts'

const text = '<p>Visible text of an ordinary page, long enough that nobody takes the rest for its content.</p>'.repeat(
  6,
)
const hidden = (inner: string, attributes = ''): string => `<div style="display:none"${attributes}>${inner}</div>`

interface Links {
  readonly links: string[]
  readonly allLinks: string[]
  readonly unseenLinks: string[]
  readonly anchors: { readonly url: string }[]
  readonly html: string
}

function read(body: string): Links {
  const wanted = ['links', 'allLinks', 'unseenLinks', 'anchors', 'html'].map((name) => ({ name }))
  const scope = { onlyMainContent: false, includeTags: [], excludeTags: [] }
  const page = `<style>a{color:inherit}</style><main>${text}${body}</main>`
  // Cast: the values of these readings.
  return readHtml({ html: page, url: 'https://a.test/' }, scope, wanted).values as unknown as Links
}

const trap = 'https://a.test/trap'

test.each([
  ['in a hidden element', hidden('<p><a href="/trap">Trap</a></p>')],
  ['that is hidden itself', '<a href="/trap" hidden>Trap</a>'],
  ['in the colour of its background', '<p style="color:#fff"><a href="/trap"><b>Trap</b></a></p>'],
  ['in text of no size', '<p style="font-size:0"><a href="/trap">Trap</a></p>'],
  ['that is invisible', '<p style="visibility:hidden"><a href="/trap">Trap</a></p>'],
])('a link %s is in no list of links', (_, body) => {
  const { links, allLinks, anchors, unseenLinks, html } = read(body)
  expect([...links, ...allLinks, ...anchors.map(({ url }) => url)]).not.toContain(trap)
  expect(html).not.toContain('/trap')
  expect(unseenLinks).toEqual([trap])
})

test.each([
  ['in a hidden menu', `<nav>${hidden('<a href="/trap">Trap</a>')}</nav>`],
  ['in a hidden element with the role of a menu', hidden('<a href="/trap">Trap</a>', ' role="menu"')],
  ['in a hidden element with the class of a menu', hidden('<a href="/trap">Trap</a>', ' class="mobile-menu"')],
  ['to the next page that is hidden', hidden('<a href="/trap" rel="nofollow next">Next</a>')],
  ['of which one of two is hidden', `${hidden('<a href="/trap">Trap</a>')}<a href="trap">Trap</a>`],
  ['with a picture and text of no size', '<p style="font-size:0"><a href="/trap">Trap<img src="a.png"></a></p>'],
  ['without text', '<a href="/trap"></a>'],
  [
    'in a hidden panel with a button',
    '<button aria-controls="p">More</button><div id="p" hidden><a href="/trap">T</a></div>',
  ],
])('a crawl follows a link %s', (_, body) => {
  const { allLinks, anchors, unseenLinks } = read(body)
  expect(allLinks).toContain(trap)
  expect(anchors.map(({ url }) => url)).toContain(trap)
  expect(unseenLinks).toEqual([])
})
