import { describe, expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { toHtml } from '../parse/serialize.ts'
import type { Element } from './tree.ts'
import { cloneTree, elementsOf, findElement, lineOf, nextNode, textOf } from './walk.ts'

const body = (html: string): Element => parseHtml(`<body>${html}`).body

test('elements come in document order, root left out', () => {
  expect(elementsOf(body('<div><p><b>1</b></p></div><i>2</i>')).map(({ name }) => name)).toEqual(['div', 'p', 'b', 'i'])
})

test('a walk below an element does not leave it', () => {
  const div = findElement(body('<div><p>1</p></div><i>2</i>'), 'div')!
  expect(elementsOf(div).map(({ name }) => name)).toEqual(['p'])
  expect(nextNode(div, div, true)).toBeNull()
})

test('text is everything below, in order', () => {
  expect(textOf(body('a<p>b<b>c</b></p><script>d</script>'))).toBe('abcd')
  expect(textOf(body(''))).toBe('')
})

test('a line has no breaks and no white space around it', () => {
  expect(lineOf(' a\n\t b\u00A0c ')).toBe('a b c')
})

describe('a copy', () => {
  test('reads as the original and shares no node with it', () => {
    const original = body('<div class="x">a<p>b</p>c<ul><li>1<li>2</ul></div><i></i>d')
    const copy = cloneTree(original)
    expect(toHtml(copy)).toBe(toHtml(original))
    const nodes = new Set(elementsOf(original))
    expect(elementsOf(copy).some((element) => nodes.has(element))).toBe(false)
    expect(copy.parent).toBeNull()
  })

  test('lacks what is left out, wherever that stands', () => {
    const original = body('<p>1</p><div><b>2</b>3<i>4</i></div><p>5</p>')
    const [first, , bold, italic, last] = elementsOf(original)
    expect(toHtml(cloneTree(original, new Set([first!, bold!])))).toBe('<body><div>3<i>4</i></div><p>5</p></body>')
    expect(toHtml(cloneTree(original, new Set([italic!, last!])))).toBe('<body><p>1</p><div><b>2</b>3</div></body>')
  })

  test('of a page as deep as pages get does not overflow', () => {
    const { root } = parseHtml('<div>'.repeat(3_000), { depth: 5_000 })
    expect(elementsOf(cloneTree(root))).toHaveLength(3_003)
  })
})
