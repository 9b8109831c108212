import { describe, expect, test } from 'vitest'

import { readXml } from './read.ts'
import { attributesOfTags } from './tags.ts'
import { at, elementsIn, findAll, textIn } from './tree.ts'
import { writeXml } from './write.ts'

const read = (text: string) => readXml(text, { depth: 50 })
const named = (text: string) =>
  [...elementsIn({ name: '', attributes: {}, children: [read(text) ?? ''] })].map(({ name }) => name)

describe('XML', () => {
  test('has our prefixes, whatever those of the file are', () => {
    const space = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
    expect(named(`<x:p xmlns:x="${space}"><x:r/><q xmlns="${space}"/><other/></x:p>`)).toEqual([
      'w:p',
      'w:r',
      'w:q',
      'other',
    ])
  })

  test('has attributes in either quotes, with the sign that ends a tag in them', () => {
    expect(read(`<a b="1 > 0" c='"x"' d = "&lt;&#65;&#x42;&unknown;"/>`)?.attributes).toEqual({
      b: '1 > 0',
      c: '"x"',
      d: '<AB&unknown;',
    })
  })

  test('has attributes without white space before them, and none from a name without a value', () => {
    expect(read(`<a b="1"c='2' lost d="3" e/>`)?.attributes).toEqual({ b: '1', c: '2', d: '3' })
  })

  test('has no attributes of a tag with millions of values, without overflowing the stack', () => {
    const xml = `<mergeCell ref="A1:B2"/><mergeCell ${'""'.repeat(3_000_000)}/><mergeCell ref="C1:D2"/>`
    expect(attributesOfTags(xml, 'mergeCell')).toEqual(['ref="A1:B2"/', 'ref="C1:D2"/'])
  })

  test('has text in pieces, CDATA, and no comments or instructions', () => {
    expect(textIn(read('<?xml version="1.0"?><!-- <b> --><a>1<!-- 2 --><![CDATA[<3> &amp;]]><?x y?>4</a>'))).toBe(
      '1<3> &amp;4',
    )
  })

  test('defines no entity', () => {
    const text = '<!DOCTYPE a [<!ENTITY x "]>boo"><!ENTITY y SYSTEM "file:///etc/passwd">]><a>&x;&y;</a>'
    expect(textIn(read(text))).toBe('&x;&y;')
  })

  test('is read as far as it goes when it is not well formed', () => {
    expect(textIn(read('<a><b>1</c>2</a>3'))).toBe('12')
    expect(textIn(read('<a><b>1<c'))).toBe('1')
    expect(read('no element')).toBeUndefined()
    expect(read('')).toBeUndefined()
  })

  test('has attributes that cannot reach the prototype of anything', () => {
    const element = read('<a __proto__="x" constructor="y"/>')
    expect(element?.attributes['__proto__']).toBe('x')
    expect(at(element, 'constructor').name).toBe('')
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  test('is refused when it is deeper than the limit', () => {
    expect(read('<a>'.repeat(50))?.name).toBe('a')
    expect(() => read('<a>'.repeat(51))).toThrow(/more than 50 levels deep/)
  })

  test('is written as it was read', () => {
    const root = read('<a b="&quot;&lt;"><c>x &amp; y</c><d/></a>')
    const again = root && read(writeXml(root))
    expect(again && findAll(again, 'c').map(textIn)).toEqual(['x & y'])
    expect(again?.attributes['b']).toBe('"<')
  })
})
