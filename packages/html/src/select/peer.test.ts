// @module-tag long
// What css-select finds is what we find: in made-up trees, for made-up selectors.
import { selectAll as peerSelectAll, type Options } from 'css-select'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { parseHtml } from '../parse/parse.ts'
import type { Element, Node } from '../tree/tree.ts'
import { elementsOf, textOf } from '../tree/walk.ts'
import { compileSelector, isProblem, selectAll } from './select.ts'

const childrenOf = (node: Node): Node[] => {
  const list: Node[] = []
  for (let at = node.type === 'element' ? node.first : null; at; at = at.next) list.push(at)
  return list
}
const options: Options<Node, Element> = {
  relativeSelector: false,
  adapter: {
    isTag: (node): node is Element => node.type === 'element',
    getName: ({ name }) => name,
    getParent: ({ parent }) => (parent?.name === '#document' ? null : parent),
    getAttributeValue: ({ attributes }, name) => attributes[name],
    hasAttrib: ({ attributes }, name) => name in attributes,
    getChildren: childrenOf,
    getSiblings: (node) => (node.parent ? childrenOf(node.parent) : [node]),
    getText: textOf,
    removeSubsets: (nodes) => nodes,
  },
}

/** Each element by its place in the page, for a message one can read. */
function found(text: string, root: Element): readonly number[] {
  const selector = compileSelector(text)
  if (isProblem(selector)) throw new Error(selector.problem)
  const all = selectAll(selector, root)
  if (isProblem(all)) throw new Error(all.problem)
  const order = elementsOf(root)
  return all.map((element) => order.indexOf(element))
}

function expected(text: string, root: Element): readonly number[] {
  const order = elementsOf(root)
  return peerSelectAll<Node, Element>(text, childrenOf(root), options).map((at) => order.indexOf(at))
}

const tag = fc.constantFrom('div', 'p', 'a', 'ul', 'li', 'b', 'input', 'option', 'select')
const className = fc.constantFrom('x', 'y', 'x y', ' y  z ', 'xy', '')
const attributes = fc.record(
  {
    class: className,
    id: fc.constantFrom('x', 'y', '1'),
    title: fc.constantFrom('', 'Foo', 'foo bar', 'foo-bar', 'bar'),
    type: fc.constantFrom('text', 'RADIO', 'checkbox'),
    disabled: fc.constant(''),
    checked: fc.constant(''),
    lang: fc.constantFrom('de', 'en-US', 'de-Latn-CH'),
    href: fc.constant('/'),
  },
  { requiredKeys: [] },
)
const tree = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('text', ' ', ''),
    fc.tuple(tag, attributes, fc.array(tie('node'), { maxLength: 4 })).map(([name, own, inside]) => {
      const written = Object.entries(own).map(([key, value]) => ` ${key}="${value}"`)
      return `<${name}${written.join('')}>${inside.join('')}</${name}>`
    }),
  ),
})).node

const own = fc.oneof(
  tag,
  fc.constantFrom('*', '.x', '.y', '#x', '.x.y', 'a.x', '[title]', '[title=foo]', '[title="Foo" i]', '[title~=bar]'),
  fc.constantFrom('[title|=foo]', '[title^=fo]', '[title$=bar]', '[title*="o b"]', '[title!=bar]', '[type=radio]'),
)
const plain = fc.oneof(
  own,
  fc.constantFrom(':first-child', ':last-child', ':only-child', ':first-of-type', ':last-of-type', ':only-of-type'),
  fc.constantFrom(
    ':nth-child(2)',
    ':nth-child(odd)',
    ':nth-last-child(-n+2)',
    ':nth-of-type(2n)',
    ':nth-child(2 of .x)',
  ),
  fc.constantFrom(
    ':nth-last-of-type(1)',
    ':empty',
    ':root',
    ':lang(de)',
    ':lang("*-CH")',
    ':contains(text)',
    ':parent',
  ),
  fc.constantFrom(':disabled', ':enabled', ':checked', ':selected', ':link', ':input', ':header', ':text', ':hover'),
  fc.constantFrom(':optional', ':required', ':radio', ':nth-last-child(1 of p, .y)'),
)
const combinator = fc.constantFrom(' ', ' > ', ' + ', ' ~ ', '>', ', ')
const selector = fc.letrec<{ compound: string; complex: string }>((tie) => ({
  compound: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    plain,
    fc.tuple(plain, fc.constantFrom('.x', ':not(.y)', ':first-child')).map(([one, other]) => `${one}${other}`),
    tie('complex').map((inside) => `:is(${inside})`),
    tie('complex').map((inside) => `:not(${inside})`),
    // No chain in it: it begins below the element, says the standard, and css-select lets it begin anywhere.
    fc.tuple(fc.constantFrom('', '> ', '+ ', '~ '), own).map(([sign, inside]) => `:has(${sign}${inside})`),
  ),
  complex: fc
    .array(fc.tuple(combinator, tie('compound')), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.map(([sign, compound], index) => (index === 0 ? compound : sign + compound)).join('')),
})).complex

test('finds what css-select finds', () => {
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 5 }), selector, (nodes, text) => {
      fc.pre(!isProblem(compileSelector(text)))
      const { root } = parseHtml(nodes.join(''))
      expect(found(text, root)).toEqual(expected(text, root))
    }),
    { numRuns: 5_000 },
  )
})

test.each([
  [String.raw`#\31 `, 1],
  [String.raw`.a\:b`, 1],
  ['#1', 1],
  ['[data-x="a\\"b"]', 1],
  ["[title='']", 1],
  ['[title^=""]', 0],
  ['P , .none', 1],
  ['p:contains("(x)")', 1],
  ['p:icontains(HELLO)', 1],
  [':scope > body', 1],
  ['body:has(body p)', 0],
  ['html:has(body p)', 1],
  ['\n p\t', 1],
])('%j is read as it is meant', (text, count) => {
  const { root } = parseHtml(`<p id=1 class="a:b" data-x='a"b' title>hello (x)</p>`)
  expect(found(text, root)).toHaveLength(count)
})
