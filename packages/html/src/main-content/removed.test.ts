import { describe, expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { writeMarkdown } from '../markdown/write-markdown.ts'
import { blockText } from './block-table.ts'
import { cutBlocks } from './blocks.ts'
import { makeNameReader } from './class-words.ts'
import { emptyLexicon } from './lexicon.ts'
import { makeLookup } from './text-scan.ts'
import { removedNodes } from './removed.ts'

/** The Markdown that is left when the blocks whose text has an x are dropped. */
function left(html: string): { markdown: string; removed: number } {
  const { root } = parseHtml(html)
  const blocks = cutBlocks(root, makeLookup(new Set(), new Map()), makeNameReader(emptyLexicon))
  const kept = Uint8Array.from({ length: blocks.count }, (_, i) => (blockText(blocks, i).includes('x') ? 0 : 1))
  const removed = removedNodes(root, blocks, kept)
  return { markdown: writeMarkdown(root, { removed }).trim(), removed: removed.size }
}

describe('from blocks to removed nodes', () => {
  test('the topmost element that loses all its text goes, as one node', () => {
    expect(left('<div><p>a</p></div><div><ul><li>x</li><li>x</li></ul></div>')).toEqual({ markdown: 'a', removed: 1 })
  })

  test('text between elements goes by itself', () => {
    expect(left('<div>x<p>a</p>x<b>x</b></div>').markdown).toBe('a')
  })

  test('a kept list keeps its marks, a kept table its cells', () => {
    expect(left('<ul><li>a</li><li>x</li><li>b</li></ul>').markdown).toMatch(/^[-*] +a\n[-*] +b$/)
    const { markdown } = left('<table><tr><th>a</th><th>b</th></tr><tr><td>x</td><td>c</td></tr></table>')
    expect(markdown.split('\n').map((row) => row.split('|').length)).toEqual([4, 4, 4])
    expect(markdown).toContain('c')
    expect(markdown).not.toContain('x')
  })

  test('a picture stays with the text beside it', () => {
    expect(left('<main><p>a</p><img src=i alt=i><p>b</p></main><p>x</p>').markdown).toContain('![i](i)')
    expect(left('<main><p>a</p><img src=i alt=i><p>x</p></main>').markdown).toContain('![i](i)')
    expect(left('<main><p>a</p></main><div><p>x</p><img src=i alt=i><p>x</p></div>').markdown).toBe('a')
    expect(left('<main><p>a</p><div><p>x</p><img src=i alt=i></div></main>').markdown).toBe('a')
  })

  test('a figure among kept text keeps its picture when its caption goes; one among dropped text goes whole', () => {
    const figure = '<figure><div><img src=i alt=i></div><figcaption>x</figcaption></figure>'
    for (const html of [`<p>a</p>${figure}<p>x</p>`, `<p>x</p>${figure}<p>a</p>`]) {
      const { markdown } = left(`<main>${html}</main>`)
      expect(markdown).toContain('![i](i)')
      expect(markdown).not.toContain('x')
    }
    expect(left(`<main><p>a</p><div><p>x</p>${figure}</div></main>`).markdown).toBe('a')
  })

  test('a picture between regions goes unless both sides stay', () => {
    expect(left('<div>x</div><img src=i alt=i><div>a</div>').markdown).toBe('a')
    expect(left('<div>a</div><img src=i alt=i><div>x</div>').markdown).toBe('a')
    expect(left('<div>b</div><figure><img src=i alt=i></figure><div>a</div>').markdown).toContain('![i](i)')
  })

  test('a picture between a region that stays and the edge of the page stays', () => {
    expect(left('<img src=i alt=i><div>a</div><div>x</div>').markdown).toContain('![i](i)')
    expect(left('<div>x</div><div>a</div><p><img src=i alt=i></p>').markdown).toContain('![i](i)')
  })

  test('what a visitor may choose is left out of kept text', () => {
    const { markdown } = left(
      '<main><p>a</p><select><option>Deutsch</option></select><div><textarea>b</textarea></div></main>',
    )
    expect(markdown).toBe('a')
  })

  test('a link with neither text nor picture goes, one with a picture stays', () => {
    expect(
      left('<main><p>a</p><a href=u aria-label="b"></a><a href=u aria-label="c"><svg></svg></a></main>').markdown,
    ).toBe('a')
    expect(left('<main><p>a</p><a href=u><img src=i alt=i></a></main>').markdown).toContain('![i](i)')
  })

  test('nothing is removed when all blocks stay', () => {
    expect(left('<header>a</header><img src=i><p>b</p>').removed).toBe(0)
  })

  test('whatever the shape of the page, the text that is left is the text of the kept blocks', () => {
    const page =
      '<div>x<span>x<p>a</p></span></div><a href=u><div>x</div><div>b</div></a><p>c<br>c</p><li>x<table><td>d<td>x</table>'
    const words = left(page).markdown.match(/[a-dx]+(?=\W|$)/g) ?? []
    expect(words.join('').replace('u', '')).toBe('abccd')
  })
})
