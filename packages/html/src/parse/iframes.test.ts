import { describe, expect, test } from 'vitest'
import { inlineFrames, openShadowRoots } from './iframes.ts'
import { parseHtml } from './parse.ts'
import { compileSelector, selectAll, type Selector } from '../select/select.ts'
import { toHtml } from './serialize.ts'
import { elementsOf, textOf } from '../tree/walk.ts'

const inlined = (html: string) => {
  const { root, body } = parseHtml(`<body>${html}`)
  inlineFrames(root)
  return { root, body }
}

describe('a frame that carries its document', () => {
  test('becomes content in its place', () => {
    const { body } = inlined('<p>1</p><iframe id="f" srcdoc="<title>t</title><p>2 &amp;amp; 3</p>"></iframe><p>4</p>')
    expect(toHtml(body)).toBe(
      '<body><p>1</p><div data-harvestman-frame="about:srcdoc" id="f"><p>2 &amp; 3</p></div><p>4</p></body>',
    )
  })

  test('is still found by the selector iframe', () => {
    const { root } = inlined('<div><iframe srcdoc="<p>1"></iframe></div><iframe src="x"></iframe>')
    expect(selectAll(compileSelector('iframe') as Selector, root)).toHaveLength(2)
    expect(selectAll(compileSelector('div > iframe > p') as Selector, root)).toHaveLength(1)
    expect(selectAll(compileSelector('div') as Selector, root)).toHaveLength(1)
  })

  test('may carry frames of its own, to a bound', () => {
    const nest = (depth: number): string =>
      depth === 0
        ? 'end'
        : `${depth}<iframe srcdoc="${nest(depth - 1)
            .replaceAll('&', '&amp;')
            .replaceAll('"', '&quot;')}"></iframe>`
    expect(textOf(inlined(nest(2)).body)).toBe('21end')
    const { body } = inlined(nest(6))
    expect(elementsOf(body).filter(({ name }) => name === 'div')).toHaveLength(3)
  })

  test('deep in a page stays within the bound of depth', () => {
    const { root } = inlined(`${'<div>'.repeat(395)}<iframe srcdoc="${'<div>'.repeat(395)}"></iframe>`)
    for (const element of elementsOf(root)) {
      let depth = 0
      for (let at = element.parent; at; at = at.parent) depth++
      expect(depth).toBeLessThan(430)
    }
  })
})

test('a frame that only has an address stays a frame', () => {
  const { body } = inlined('<iframe src="x"></iframe>')
  expect(toHtml(body)).toBe('<body><iframe src="x"></iframe></body>')
})

test('a shadow tree written into the page is shown, another template is not', () => {
  const { root, body } = parseHtml(
    '<body><x-card><template shadowrootmode="open"><p>1</p></template>2</x-card><template><p>3</p></template>',
  )
  openShadowRoots(root)
  expect(toHtml(body)).toBe(
    '<body><x-card><div shadowrootmode="open"><p>1</p></div>2</x-card><template><p>3</p></template></body>',
  )
})
