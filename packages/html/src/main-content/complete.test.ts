import { describe as group, expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { blockText } from './block-table.ts'
import { completeBlocks } from './complete.ts'
import { describe, readingOf } from './features.ts'
import { emptyLexicon } from './lexicon.ts'

const url = 'https://www.pier-news.example/a/page'
const body = `<p>${'story '.repeat(300)}</p>`

/** The short blocks that are kept when the model gives every block of the story 0.9 and every other one `chance`. */
function completed(html: string, chance = 0): string[] {
  const described = describe(parseHtml(html).root, url, readingOf(emptyLexicon))
  const texts = Array.from({ length: described.blocks.count }, (_, i) => blockText(described.blocks, i))
  const chances = Float32Array.from(texts, (text) => (text.startsWith('story') ? 0.9 : chance))
  const kept = Uint8Array.from(chances, (own) => (own >= 0.5 ? 1 : 0))
  completeBlocks(described, chances, kept)
  return texts.filter((text, i) => kept[i] === 1 && !text.startsWith('story story'))
}

group('the headline', () => {
  test('is the first h1 above the text, or the heading that the title speaks of', () => {
    expect(completed(`<h1>The old pier</h1>${body}<h1>Later</h1>`)).toEqual(['The old pier'])
    const head = '<head><title>The old pier reopens</title></head>'
    expect(completed(`${head}<h1>Welcome to us</h1><h2>The old pier reopens</h2>${body}`)).toEqual([
      'The old pier reopens',
    ])
  })

  test('is not looked for below the beginning of the text, in furniture, or where nothing was chosen', () => {
    expect(completed(`${body}<h1>The old pier</h1>`)).toEqual([])
    for (const name of ['nav', 'footer', 'dialog', 'aside']) {
      expect(completed(`<${name}><h1>The old pier</h1></${name}>${body}`)).toEqual([])
    }
    expect(completed('<h1>The old pier</h1><p>words</p>')).toEqual([])
  })

  test('is never the name of the site', () => {
    expect(completed(`<h1><a href="/">A place</a></h1><h1>The old pier</h1>${body}`)).toEqual(['The old pier'])
    expect(completed(`<h1>Pier News</h1>${body}`)).toEqual([])
    const named = '<head><meta property="og:site_name" content="All Piers"></head>'
    expect(completed(`${named}<h1>All piers</h1>${body}`)).toEqual([])
  })

  test('may be a link to the page itself', () => {
    expect(completed(`<h1><a href="/a/page">The old pier</a></h1>${body}`)).toEqual(['The old pier'])
  })

  test('of a page that declares itself an article needs the model to see some hope in it', () => {
    const html = `<head><meta property="og:type" content="article"></head><h1>The old pier</h1>${body}`
    expect(completed(html, 0.4)).toEqual(['The old pier'])
    expect(completed(html, 0.3)).toEqual([])
  })
})

group('what hangs on kept text', () => {
  test('a caption beside it stays if there is some hope for it, one among other things goes', () => {
    const figure = '<figure><img src=i><figcaption>In winter</figcaption></figure>'
    expect(completed(`${body}${figure}${body}`, 0.25)).toEqual(['In winter'])
    expect(completed(`${body}${figure}${body}`, 0.1)).toEqual([])
    expect(completed(`${body}<div>Other</div>${figure}<div>Other</div>`, 0.25)).toEqual([])
  })

  test('code directly between kept blocks stays, with all its lines', () => {
    const code = '<pre><div>open(pier)</div><div>close(pier)</div></pre>'
    expect(completed(`${body}${code}${body}`, 0.2)).toEqual(['open(pier)', 'close(pier)'])
    expect(completed(`${body}${code}${body}`, 0.05)).toEqual([])
    expect(completed(`${body}${code}<div>Other</div>${body}`, 0.2)).toEqual([])
  })

  test('a quotation keeps the line that says whose it is', () => {
    const said = '<blockquote><p>story one</p><cite>A sailor</cite></blockquote>'
    expect(completed(`${body}${said}`, 0.2)).toEqual(['story one', 'A sailor'])
    expect(completed(`${body}<p>A sailor</p>`, 0.2)).toEqual([])
  })
})

group('a page of a few words', () => {
  const page = (text: string): string =>
    `<header>Logo</header><nav>Menu</nav><div class="navbar">Bar</div>
    <main>${text}<form><label>Name</label></form><a href="/next">Next</a><p><a href="/r">Reply</a> <a href="/s">Share</a></p></main><footer>Legal</footer>`

  test('is kept but for its furniture', () => {
    expect(completed(page('<p>story here</p><p>News: more</p>'))).toEqual(['story here', 'News: more', 'Next'])
  })

  test('is left to the model when it has more words than that, or is mostly links', () => {
    expect(completed(page(`${body}<p>News: more</p>`))).toEqual([])
    expect(completed(page('<p>story here</p><p><a href=a>One of many links</a></p>'))).toEqual(['story here'])
  })
})
