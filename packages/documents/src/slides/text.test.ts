import { expect, test } from 'vitest'

import { makeBlocks } from '../html/blocks.ts'
import type { XmlElement } from '../xml/tree.ts'
import { addText } from './text.ts'

const element = (name: string, children: XmlElement['children'] = []): XmlElement => ({
  name,
  attributes: {},
  children,
})

test('each paragraph of a text body is looked at a few times, however many there are', () => {
  const count = 500
  const paragraph = (index: number) => element('a:p', [element('a:r', [element('a:t', [String(index)])])])
  let reads = 0
  const children = new Proxy(
    Array.from({ length: count }, (_, index) => paragraph(index)),
    {
      get: (all, key, receiver): unknown => {
        reads += 1
        return Reflect.get(all, key, receiver)
      },
    },
  )
  const blocks = makeBlocks()
  addText({ ...element('p:txBody'), children }, blocks, () => 'bullet', { href: () => undefined })
  expect(blocks.html()).toMatch(/^<ul><li>0<.*<li>499<\/li><\/ul>$/)
  expect(reads).toBeLessThan(10 * count)
})
