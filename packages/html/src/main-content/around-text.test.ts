// Parts that articles have between and around their paragraphs, in the markup of common publishing systems.
import { describe, expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { writeMarkdown } from '../markdown/write-markdown.ts'
import { describe as describePage, readingOf } from './features.ts'
import { findMainContent, mainContentFrom } from './find-main-content.ts'
import { emptyLexicon } from './lexicon.ts'

const sentences = [
  'The ferry to the islands was cancelled on Monday after the wind turned, and hundreds of people stayed in the hall.',
  'Staff handed out blankets and soup, while the captain explained why nobody would sail before the morning.',
  'The company has replaced two of its four ships since spring, but the new ones cannot enter the old port.',
  'Residents say that the delay costs them more than a day of work, and that nobody answers their letters.',
  'A spokesman for the ministry said that the money for a longer pier is there, and that work starts in autumn.',
]
const text = (from: number, to: number): string =>
  sentences
    .slice(from, to)
    .map(
      (sentence, i) =>
        `<p>${sentence} That was the state of things at ${i + from} in the afternoon, as the harbour office wrote.</p>`,
    )
    .join('')

interface Parts {
  readonly before?: string
  readonly inside?: string
  readonly after?: string
  readonly outside?: string
}

function articleWith({ before = '', inside = '', after = '', outside = '' }: Parts): string {
  const html = `<!doctype html><html lang="en"><head><title>Ferry cancelled - Island Post</title><meta property="og:type" content="article"></head><body>
    <header class="site-header"><a class="logo" href="/">Island Post</a><nav><a href="/news">News</a> <a href="/sport">Sport</a></nav></header>
    <main><article class="post"><h1 class="entry-title">Ferry cancelled</h1>${before}
    <div class="entry-content">${text(0, 3)}${inside}${text(3, 5)}${after}</div></article>${outside}</main>
    <footer class="site-footer"><a href="/terms">Terms</a></footer></body></html>`
  const { root } = parseHtml(html)
  const { removed } = findMainContent(root, 'https://island-post.example/2026/ferry-cancelled')
  return writeMarkdown(root, { removed, readsHidden: true })
}

const lines: readonly (readonly [string, Parts, string])[] = [
  [
    'a newsletter form between paragraphs',
    {
      inside: `<div class="newsletter-signup"><h3>Never miss a story</h3><p>Sign up for our weekly newsletter.</p><form><input type="email"><button>Subscribe</button></form></div>`,
    },
    'weekly newsletter',
  ],
  [
    'a newsletter line without a form',
    { after: `<p><em>Get the day's top stories in your inbox. <a href="/nl">Sign up for our newsletter</a>.</em></p>` },
    'Sign up for our newsletter',
  ],
  [
    'a newsletter line without a link',
    { inside: `<p><em>Do you like the islands? Sign up for our weekly newsletter below.</em></p>` },
    'weekly newsletter',
  ],
  [
    'a German newsletter line',
    { inside: `<p><a href="/nl">Jetzt den Newsletter der Inselpost abonnieren</a></p>` },
    'Inselpost abonnieren',
  ],
  [
    'share links',
    {
      before: `<ul class="share-buttons"><li><a href="https://social.example/s?u=1">Share on Facebook</a></li><li><a href="https://social.example/t?u=1">Tweet</a></li></ul>`,
    },
    'Share on Facebook',
  ],
  ['a share label between paragraphs', { inside: `<p>Share this article</p>` }, 'Share this article'],
  [
    'a teaser inside the text',
    {
      inside: `<p><strong>Read more:</strong> <a href="/2026/old-port">Why the old port is too small for new ships</a></p>`,
    },
    'too small for new ships',
  ],
  [
    'a German teaser inside the text',
    { inside: `<p>Lesen Sie auch: <a href="/2026/hafen">Warum der alte Hafen zu klein ist</a></p>` },
    'der alte Hafen',
  ],
  [
    'a Polish teaser inside the text',
    { inside: `<p><b>Czytaj też: <a href="/2026/port">Dlaczego stary port jest za mały</a></b></p>` },
    'stary port',
  ],
  [
    'a Spanish teaser inside the text',
    { inside: `<p><strong>Lea también: <a href="/2026/puerto">Por qué el puerto viejo es pequeño</a></strong></p>` },
    'puerto viejo',
  ],
  [
    'more on this topic',
    {
      after: `<aside class="related-stories"><h3>More on this topic</h3><ul><li><a href="/a">New ships for the islands</a></li><li><a href="/b">Port workers vote on pay</a></li></ul></aside>`,
    },
    'Port workers vote',
  ],
  [
    'comments under the article',
    {
      outside: `<section id="comments" class="comments-area"><h2>2 comments</h2><ol class="comment-list"><li class="comment"><p class="comment-author">Ann on May 3</p><div class="comment-content"><p>I was there and the soup was cold.</p></div></li><li class="comment"><p class="comment-author">Ben on May 4</p><div class="comment-content"><p>The pier should have been built years ago.</p></div></li></ol></section>`,
    },
    'soup was cold',
  ],
  [
    'a cookie notice',
    {
      outside: `<div class="cookie-banner" role="region"><p>We use cookies to improve your visit. By continuing you accept our use of cookies.</p><button>Accept all</button></div>`,
    },
    'use cookies',
  ],
  [
    'a region notice',
    {
      outside: `<div class="geo-notice"><p>You are visiting from another country. Switch to the international edition?</p><a href="/int">Switch edition</a></div>`,
    },
    'international edition',
  ],
  ['the copyright line', { after: `<p>© 2026 Island Post. All rights reserved.</p>` }, 'All rights reserved'],
  ['the reading time', { before: `<div class="entry-meta"><span>4 min read</span></div>` }, 'min read'],
  [
    'a hover card of a person',
    {
      inside: `<p>The plan is by <span class="person"><a href="/p/7">Ida Holm</a><span class="person-card"><img src="p.jpg" alt=""><a href="/p/7">Ida Holm</a><a href="/x">Minister visits harbour again</a> <a href="/y">Budget talks fail</a></span></span>, who was elected in May and promised a longer pier for the islands.</p>`,
    },
    'Budget talks fail',
  ],
]

describe('the main content of an article omits', () => {
  test.each(lines)('%s', (_, parts, words) => {
    const markdown = articleWith(parts)
    expect(markdown).not.toContain(words)
    for (const sentence of sentences) expect(markdown).toContain(sentence)
  })

  test('the second copy of a pull quote', () => {
    const quote = 'the delay costs them more than a day of work, and that nobody answers their letters'
    const markdown = articleWith({ inside: `<aside class="pullquote"><p>${quote}</p></aside>` })
    expect(markdown.split(quote)).toHaveLength(2)
  })
})

describe('the main content of an article includes', () => {
  test('captions, quotations, and paragraphs with words of notices', () => {
    const markdown = articleWith({
      inside: `<figure><img src="f.jpg" alt=""><figcaption>The ferry in the harbour. Photo: Ann Lee</figcaption></figure>
        <p>Read more slowly, the teacher told the class: <a href="/book">this book</a> needs time, and its pages on the winters of the islands are the best that were ever written about them.</p>
        <h3>Crossing</h3><p>20 minutes</p><p>Copyright law changed in 1998, and since then the old photographs of the port may be shown to everybody who asks for them.</p>
        <p>Share prices of the ferry company fell by four percent on Tuesday, and its newsletter for investors spoke of a difficult year.</p>`,
    })
    for (const words of ['The ferry in the harbour', 'needs time', 'Share prices', 'Copyright law'])
      expect(markdown).toContain(words)
  })

  test.each([
    'A message that the filter accepts is delivered to the inbox within two seconds.',
    'Her weekly newsletter made more readers join the club than any campaign before.',
    'The <a href="/n">newsletter</a> asked its readers to subscribe to the print edition, which most of them did at once.',
    'Most visitors do not sign up for a newsletter when they open a page for the first time.',
    'Er wollte sich nicht zu dem Newsletter anmelden, weil er schon genug Post bekam.',
  ])('a sentence about messages: %s', (sentence) => {
    const markdown = articleWith({ inside: `<p>${sentence}</p>` })
    expect(markdown).toContain(sentence.slice(-30))
  })

  test('a quotation of marks only', () => {
    const marks = '— '.repeat(8) + 'and so on'
    expect(articleWith({ inside: `<blockquote><p>${marks}</p></blockquote>` })).toContain('and so on')
  })
})

describe('a warning', () => {
  const page = `<article>${text(0, 5)}</article>`
  const warningAt = (chance: number): string | undefined => {
    const { root } = parseHtml(page)
    const described = describePage(root, 'https://island-post.example/', readingOf(emptyLexicon))
    return mainContentFrom(root, described, new Float32Array(described.blocks.count).fill(chance)).warning
  }

  test('states that the main content is uncertain if its expected F1 is low', () => {
    expect(warningAt(0.35)).toContain('uncertain')
    expect(warningAt(0.9)).toBeUndefined()
  })
})

test.each([
  [
    'a link with further text',
    `<p>By <a href="/p">Ida Holm</a><span>, Ida Holm's <a href="/o">office</a> and <a href="/t">team</a></span> wrote it.</p>`,
  ],
  [
    'a number',
    `<p>Note <a href="#1">1</a><span>19 of the <a href="/s">ships</a> and the <a href="/p">pier</a> were sold to the team</span>.</p>`,
  ],
  [
    'a longer name',
    `<p>By <a href="/p">Ida Holm</a><span>Ida Holmes, <a href="/p">Ida Holm</a> and <a href="/t">team</a></span>.</p>`,
  ],
  [
    'another first link',
    `<p>By <a href="/p">Ida Holm</a><span>Ida Holm, her <a href="/o">office</a> and <a href="/t">team</a></span>.</p>`,
  ],
  [
    'one link',
    `<p>By <a href="/p">Ida Holm</a> <span>Ida Holm was elected in <a href="/m">May</a></span>, they wrote.</p>`,
  ],
])('an inline element after %s is no hover card', (_, inside) => {
  expect(articleWith({ inside })).toMatch(/team|elected/)
})
